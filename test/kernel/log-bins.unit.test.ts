import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BinCount,
  binOf,
  quantileOf,
  RELATIVE_ACCURACY,
  valueOfBin,
  ZERO_BIN,
} from '../../src/kernel/log-bins.ts';

const values = fc.double({ min: 1e-9, max: 1e12, noNaN: true });

const counted = (all: readonly number[]): BinCount[] => {
  const bins = new Map<number, number>();
  for (const value of all) bins.set(binOf(value), (bins.get(binOf(value)) ?? 0) + 1);
  return [...bins].map(([bin, n]) => ({ bin, n })).sort((a, b) => a.bin - b.bin);
};

const isClose = (found: number, exact: number): boolean =>
  Math.abs(found - exact) <= RELATIVE_ACCURACY * exact * (1 + 1e-9);

describe('a logarithmic bin', () => {
  it('represents its values within 1 %', () => {
    fc.assert(fc.property(values, (value) => isClose(valueOfBin(binOf(value)), value)));
    expect(valueOfBin(binOf(0))).toBe(0);
  });

  it('never falls as values rise, and puts zero below all others', () => {
    fc.assert(
      fc.property(values, values, (a, b) => a <= b === binOf(a) <= binOf(b) || binOf(a) === binOf(b)),
    );
    expect(binOf(0)).toBe(ZERO_BIN);
    expect(binOf(Number.MIN_VALUE)).toBeGreaterThan(ZERO_BIN);
  });

  it('does not exist for what is no count or rate', () => {
    for (const value of [-1, Number.NaN]) expect(() => binOf(value)).toThrow(RangeError);
  });
});

describe('a quantile of bins', () => {
  it('is within 1 % of the exact one, and never falls', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(values, fc.constant(0)), { minLength: 1 }), share, (all, quantile) => {
        const exact = all.toSorted((a, b) => a - b)[Math.floor(quantile * (all.length - 1))] as number;
        const bins = counted(all);
        expect(isClose(quantileOf(bins, quantile) as number, exact)).toBe(true);
        expect(quantileOf(bins, quantile / 2) as number).toBeLessThanOrEqual(
          quantileOf(bins, quantile) as number,
        );
      }),
    );
  });

  it('is unknown without values', () => {
    expect(quantileOf([], 0.5)).toBeNull();
  });
});
