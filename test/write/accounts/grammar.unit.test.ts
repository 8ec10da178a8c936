import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { accountOfUrl, grammarOf } from '../../../src/write/accounts/grammar/index.ts';

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
  const grammar = grammarOf(platform);

  it('finds the account in the profile URL of a handle', () => {
    const handle = grammar.parseHandle(HANDLES[platform]);
    expect(handle).not.toBeNull();
    expect(accountOfUrl(new URL(grammar.profileUrl(handle as string)))).toEqual({
      platform,
      address: { kind: 'handle', handle },
    });
  });

  it('normalizes a handle once: a normalized one stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const handle = grammar.parseHandle(text);
        if (handle !== null) expect(grammar.parseHandle(handle)).toBe(handle);
      }),
    );
  });

  it('takes nothing that is an account of another platform', () => {
    const url = new URL(grammar.profileUrl(grammar.parseHandle(HANDLES[platform]) as string));
    const owners = PLATFORMS.filter((each) => grammarOf(each).addressOf(url) !== null);
    expect(owners).toEqual([platform]);
  });
});

it('a URL of no profile names no account', () => {
  for (const url of [
    'https://example.org/nasa',
    'https://x.com/',
    'https://x.com.example.org/nasa',
    'ftp://x.com/nasa',
  ])
    expect(accountOfUrl(new URL(url)), url).toBeNull();
});
