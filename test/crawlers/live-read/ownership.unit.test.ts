import { describe, expect, it } from 'vitest';
import {
  ACTS,
  actCodeOf,
  codeOf,
  dayOf,
  findCode,
  showsActCode,
  validCodes,
  validUntilMs,
} from '../../../src/crawlers/live-read/ownership.ts';
import type { Post } from '../../../src/write/accounts/post.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import { plainPost } from '../../support/plain-post.ts';

const SECRET = Buffer.alloc(32, 7);
const CLAIM = { holder: 'h', platform: 'x', account: 'nasa' } as const;
const NOW = Date.UTC(2026, 10, 22, 15);
const CODE = codeOf(SECRET, CLAIM, dayOf(NOW));
const codes = validCodes([SECRET], CLAIM, NOW);

const reading = (bio: string | null, posts: readonly Post[] = []) => ({
  status: 'present' as const,
  profile: { ...emptyProfile('nasa'), bio },
  posts,
  measured: [],
  surface: 'page',
  warnings: [],
});

it('a code is readable, bound to its claim and day, and valid for seven days', () => {
  expect(CODE).toMatch(/^sl(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
  const others = [
    codeOf(Buffer.alloc(32, 8), CLAIM, dayOf(NOW)),
    codeOf(SECRET, { ...CLAIM, holder: 'i' }, dayOf(NOW)),
    codeOf(SECRET, { ...CLAIM, platform: 'tiktok' }, dayOf(NOW)),
    codeOf(SECRET, { ...CLAIM, account: 'nasa2' }, dayOf(NOW)),
    codeOf(SECRET, CLAIM, dayOf(NOW) + 1),
  ];
  expect(new Set([CODE, ...others]).size).toBe(6);
  expect(others.some((code) => codes.has(code))).toBe(false);
  expect(codes.size).toBe(7);
  expect(validUntilMs(dayOf(NOW))).toBe(Date.UTC(2026, 10, 29));
});

describe('an ownership code', () => {
  it.each([
    ['as it is', CODE],
    ['within a text', `me — ${CODE}, since 2020`],
    ['in capitals', CODE.toUpperCase()],
    ['with other dashes', CODE.replaceAll('-', '–')],
    ['with invisible characters', [...CODE].join('\u200b')],
    ['in full-width letters', CODE.replaceAll('s', 'ｓ')],
    ['with letters that look like its digits', CODE.replaceAll('0', 'O').replaceAll('1', 'l')],
  ])('is found %s', (_, text) => {
    expect(findCode(reading(text), codes)).toBe('bio');
  });

  it.each([
    ['as a part of a longer word', `x${CODE}`],
    ['with a character more', `${CODE}7`],
    ['with one digit changed', CODE.replace(/.$/, (last) => (last === '7' ? '8' : '7'))],
    ['without its last group', CODE.slice(0, -5)],
    ['nowhere', ''],
  ])('is not found %s', (_, text) => {
    expect(findCode(reading(text), codes)).toBeNull();
  });

  it('is found in original posts only', () => {
    const citing = { post: '2', account: 'stranger' };
    expect(findCode(reading(null, [plainPost(CODE)]), codes)).toBe('post');
    for (const kind of ['reply', 'repost', 'quote'] as const)
      expect(findCode(reading(null, [plainPost(CODE, { kind })]), codes)).toBeNull();
    expect(findCode(reading(null, [plainPost(CODE, { target: citing })]), codes)).toBeNull();
    expect(findCode(reading(null, [plainPost(CODE, { reply_to: citing })]), codes)).toBeNull();
  });

  it('is never found on an account that is gone', () => {
    expect(findCode({ status: 'absent', surface: 'page', warnings: [] }, codes)).toBeNull();
  });
});

describe.each(ACTS)('the code of the act %s', (act) => {
  const claim = { act, platform: 'x', account: 'nasa', session: 's', madeAtS: 1_795_000_000 } as const;
  const code = actCodeOf(SECRET, claim);

  it('names it, and is bound to all of its claim', () => {
    expect(code).toMatch(new RegExp(`^sightline-${act}(-[0-9a-hjkmnp-tv-z]{4}){3}$`));
    const others = [
      actCodeOf(Buffer.alloc(32, 8), claim),
      actCodeOf(SECRET, { ...claim, platform: 'tiktok' }),
      actCodeOf(SECRET, { ...claim, account: 'nasa2' }),
      actCodeOf(SECRET, { ...claim, session: 't' }),
      actCodeOf(SECRET, { ...claim, madeAtS: claim.madeAtS + 1 }),
    ];
    expect(new Set([code, ...others]).size).toBe(6);
    expect(others.some((other) => showsActCode(other, act, code))).toBe(false);
  });

  it('is found in a bio however it was typed, in no other act’s words, and verifies no ownership', () => {
    for (const bio of [`Hi. ${code}`, code.toUpperCase(), code.replaceAll('-', '\u2011'), `(${code})`])
      expect(showsActCode(bio, act, code)).toBe(true);
    for (const bio of [null, '', `x${code}`, `${code}1`, code.replace(`sightline-${act}`, 'sl'), CODE])
      expect(showsActCode(bio, act, code)).toBe(false);
    for (const other of ACTS.filter((each) => each !== act))
      expect(showsActCode(code.replace(`-${act}-`, `-${other}-`), act, code)).toBe(false);
    expect(findCode(reading(code), codes)).toBeNull();
  });
});
