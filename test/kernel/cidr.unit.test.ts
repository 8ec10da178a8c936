import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, callerOf, createMatcher, parseNetwork } from '../../src/kernel/cidr.ts';

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
  ])('%s is %s in its normal form', ([text, normal]) => {
    expect(parseNetwork(text as string)).toBe(normal);
    expect(parseNetwork(normal as string)).toBe(normal);
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
  ])('is not "%s"', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  it('contains its own address, and has zeros past its bits', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.integer({ min: 0, max: 32 }), (value, bits) => {
        const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
        const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
        expect(parseNetwork(`${dotted(value)}/${bits}`)).toBe(`${dotted((value & mask) >>> 0)}/${bits}`);
      }),
    );
  });
});

it('an address is a network of one, in its normal form', () => {
  expect(addressOf('::ffff:10.0.0.1')).toBe('10.0.0.1');
  expect(addressOf('2001:DB8:0::1')).toBe('2001:db8::1');
  for (const text of ['10.0.0.0/8', '10.0.0.1/32', '10.1', '10.0.0.1:80', ''])
    expect(addressOf(text)).toBeNull();
});

it('callers are counted by IPv4 address or IPv6 /64, and all others together', () => {
  expect(callerOf('::ffff:10.0.0.1')).toBe(callerOf('10.0.0.1'));
  expect(callerOf('10.0.0.2')).not.toBe(callerOf('10.0.0.1'));
  expect(callerOf('2001:db8::1')).toBe(callerOf('2001:db8:0:0:ffff::2'));
  expect(callerOf('2001:db8:0:1::1')).not.toBe(callerOf('2001:db8::1'));
  expect(callerOf('nobody')).toBe(callerOf('10.0.0.1:80'));
});

it('a named address matches in any spelling, and no other does', () => {
  const isNamed = createMatcher(['loopback', '10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
  for (const address of [
    '127.0.0.1',
    '127.255.0.1',
    '::1',
    '10.9.8.7',
    '::ffff:10.9.8.7',
    '192.0.2.7',
    '2001:db8::1',
  ]) {
    expect([address, isNamed(address)]).toEqual([address, true]);
  }
  for (const address of [
    '127.1',
    '11.0.0.1',
    '192.0.2.8',
    '::2',
    '2001:db9::1',
    '10.0.0.1/8',
    'loopback',
    '',
  ]) {
    expect([address, isNamed(address)]).toEqual([address, false]);
  }
  expect(createMatcher([])('127.0.0.1')).toBe(false);
});
