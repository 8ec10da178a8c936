import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '../../src/kernel/money.ts';

describe('money', () => {
  it.for([
    ['25', 25_000_000n],
    ['$25.00', 25_000_000n],
    ['0.0035', 3_500n],
    [' 1.5 ', 1_500_000n],
    ['0.000001', 1n],
    ['999999999999.999999', 999_999_999_999_999_999n],
  ] as const)('%s is parsed exactly', ([text, micro]) => {
    expect(parseUsd(text)).toBe(micro);
  });

  it.for([
    '',
    '-1',
    '1.',
    '.5',
    '1,000',
    '1e3',
    '0.0000001',
    '1000000000000',
    '25 dollars',
    '$$1',
    '1.2.3',
    '٣',
  ])('"%s" is no amount', (text) => {
    expect(parseUsd(text)).toBeNull();
  });

  it.for([
    [0n, '0.00'],
    [25_000_000n, '25.00'],
    [3_500n, '0.0035'],
    [1n, '0.000001'],
    [-1_500_000n, '-1.50'],
    [1_230_000n, '1.23'],
    [1_234_500n, '1.2345'],
  ] as const)('%s micro-dollars are written as %s', ([micro, text]) => {
    expect(formatUsd(micro)).toBe(text);
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 999_999_999_999_999_999n), (micro) => {
        expect(parseUsd(formatUsd(micro))).toBe(micro);
        expect(formatUsd(micro)).toMatch(/^\d+\.\d{2,6}$/);
      }),
    );
  });

  it('below zero has a minus', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 999_999_999_999_999_999n), (micro) => {
        expect(formatUsd(-micro)).toBe(`-${formatUsd(micro)}`);
      }),
    );
  });
});
