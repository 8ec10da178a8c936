import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import { isLookUpKey } from '../../src/kernel/text.ts';
import { accountOfUrl, descriptorOf, indirectUrlOf, isRegistrable } from '../../src/platforms/index.ts';

const HANDLES = {
  x: 'NASA',
  instagram: 'nasa.gov',
  tiktok: 'nasa_tok',
  youtube: 'NASA-Space',
  telegram: 'nasa_news',
  bluesky: 'nasa.bsky.social',
  linkedin: 'jane-doe',
} as const;

describe.each(PLATFORMS)('the grammar of %s', (platform) => {
  const grammar = descriptorOf(platform);

  it('finds the account in the profile URL of a handle', () => {
    const handle = grammar.parseHandle(HANDLES[platform]);
    expect(handle).not.toBeNull();
    expect(accountOfUrl(new URL(grammar.profileUrl(handle as string)))).toEqual({
      platform,
      address: { kind: 'handle', handle },
    });
  });

  it('normalizes a handle idempotently', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const handle = grammar.parseHandle(text);
        if (handle !== null) expect(grammar.parseHandle(handle)).toBe(handle);
      }),
    );
  });

  it('refuses accounts of other platforms', () => {
    const url = new URL(grammar.profileUrl(grammar.parseHandle(HANDLES[platform]) as string));
    const owners = PLATFORMS.filter((each) => descriptorOf(each).addressOf(url) !== null);
    expect(owners).toEqual([platform]);
  });
});

it.for<[Platform, readonly string[], readonly string[]]>([
  ['x', ['a', 'a'.repeat(15), 'a'.repeat(20)], ['', 'a'.repeat(21), 'a-b']],
  ['telegram', ['abcd', `a${'b'.repeat(31)}`], ['abc', '1bcd', `a${'b'.repeat(32)}`]],
  [
    'linkedin',
    ['abc', 'a_b-c', 'a'.repeat(100), 'jörg', '山田太郎', 'जैन', 'ab👩🏽‍💻', '🇩🇪🚀', '★★★'],
    ['ab', 'a'.repeat(101), 'a b', 'a.b', 'a@b'],
  ],
])('accepts existing handles of %s: %j, and refuses %j', ([platform, handles, others]) => {
  const grammar = descriptorOf(platform);
  for (const handle of handles) {
    expect(grammar.parseHandle(handle), handle).toBe(handle.normalize('NFC'));
    expect(isLookUpKey(handle), handle).toBe(true);
    expect(new RegExp(grammar.handlePattern, 'u').test(handle), handle).toBe(true);
    expect(grammar.addressOf(new URL(grammar.profileUrl(handle))), handle).toEqual({
      kind: 'handle',
      handle,
    });
  }
  for (const other of others) expect(grammar.parseHandle(other), other).toBeNull();
});

it('has one form for a LinkedIn handle, however its letters are composed', () => {
  expect(descriptorOf('linkedin').parseHandle('Jo\u0308rg')).toBe('j\u00f6rg');
  expect(descriptorOf('linkedin').parseHandle('J%C3%B6rg')).toBe('j\u00f6rg');
});

it.for<[Platform, string, boolean]>([
  ['x', 'a'.repeat(15), true],
  ['x', 'a'.repeat(16), false],
  ['telegram', 'abcde', true],
  ['telegram', 'abcd', false],
  ['tiktok', 'a', false],
  ['instagram', 'a..b', false],
  ['linkedin', 'jörg-1', true],
  ['linkedin', 'jörg_🚀', false],
  ['youtube', 'sample', true],
])('registers on %s the name %s: %s', ([platform, handle, isPossible]) => {
  expect(descriptorOf(platform).parseHandle(handle)).toBe(handle);
  expect(isRegistrable(platform, handle)).toBe(isPossible);
});

it.for([
  ['https://www.youtube.com/c/NASA', 'https://www.youtube.com/c/NASA'],
  ['https://m.youtube.com/USER/NASAtelevision/videos?hl=de', 'https://www.youtube.com/user/NASAtelevision'],
  ['https://youtube.com/c/J%C3%B6rg', 'https://www.youtube.com/c/J%C3%B6rg'],
  ['https://www.youtube.com/c/', null],
  ['https://www.youtube.com/@nasa', null],
  ['https://www.youtube.com/playlist?list=c', null],
  ['https://example.org/c/NASA', null],
  ['ftp://youtube.com/c/NASA', null],
] as const)('knows that %s leads to an account that only its platform knows: %s', ([url, profileUrl]) => {
  expect(indirectUrlOf(new URL(url))?.profileUrl ?? null).toBe(profileUrl);
  if (profileUrl !== null) expect(accountOfUrl(new URL(url))).toBeNull();
});

it('finds no account in other URLs', () => {
  for (const url of [
    'https://example.org/nasa',
    'https://x.com/',
    'https://x.com.example.org/nasa',
    'ftp://x.com/nasa',
  ])
    expect(accountOfUrl(new URL(url)), url).toBeNull();
});
