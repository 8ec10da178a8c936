import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkOf } from '../../src/kernel/addresses.ts';

describe('a network', () => {
  it.for([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['10.255.1.2/9', '10.128.0.0/9'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::1', '::1/128'],
    ['::/0', '::/0'],
    ['::ffff:10.1.2.3', '10.1.2.3/32'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::FFFF:a01:203', '10.1.2.3/32'],
    ['::ffff:10.1.2.3/64', '::/64'],
  ])('%s is %s', ([text, normal]) => {
    expect(networkOf(text as string)).toBe(normal);
    expect(networkOf(normal as string)).toBe(normal);
  });

  it.for([
    '',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '::1/129',
    ':::',
    'fe80::1%eth0',
    '2001:db8::/x',
    'localhost',
    '12345',
    '1.2.3.4/255.0.0.0',
  ])('"%s" is none', (text) => {
    expect(networkOf(text)).toBeNull();
  });

  it('has its own address in it, and zeros past its bits', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.integer({ min: 0, max: 32 }), (value, bits) => {
        const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
        const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
        expect(networkOf(`${dotted(value)}/${bits}`)).toBe(`${dotted((value & mask) >>> 0)}/${bits}`);
      }),
    );
  });
});
