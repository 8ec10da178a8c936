import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deleteHashes,
  deletesOf,
  editDistance,
  hashOf,
  isComparable,
  isIndexable,
  lookAlikeRisk,
  skeletonOf,
} from '../../../src/analysis/handles.ts';
import { comparedName } from '../../../src/platforms/index.ts';

/** Names of few letters, so that many are alike. */
const names = fc.string({
  unit: fc.constantFrom('a', 'b', 'l', '1', 'i', '0', 'o', 'm', '_', 'ж'),
  maxLength: 9,
});

describe('skeletons', () => {
  it.each([
    ['paypal', 'paypa1'],
    ['paypal', 'paypai'],
    ['google', 'g00gle'],
    ['microsoft', 'rnicrosoft'],
    ['nasa', 'nаsа'],
    ['apple', 'аррӏе'],
    ['scope', 'ѕсоре'],
    ['mars', '𝐌ars'],
    ['nasa', 'n\u200basa'],
    ['nasa', '𝗇asa'],
    ['café', 'cafe\u0301'],
    ['apple.com', 'xn--80ak6aa92e.com'],
  ])('skeletons of %s and %s are equal', (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one));
  });

  it.each([
    ['nasa', 'nassa'],
    ['nasa', 'esa'],
    ['vv', 'w'],
    ['s', '5'],
    ['cafe', 'café'],
    ['a_b', 'ab'],
  ])('skeletons of %s and %s differ', (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one));
  });

  it('ignore case and are their own skeletons', () => {
    const written = fc.oneof(names, fc.string({ unit: 'binary', maxLength: 20 }));
    fc.assert(
      fc.property(written, (name) => {
        const skeleton = skeletonOf(name);
        expect(skeletonOf(skeleton)).toBe(skeleton);
        if (/^[\0-\x7f]*$/.test(name)) expect(skeletonOf(name.toUpperCase())).toBe(skeleton);
      }),
    );
  });
});

/** Fewest edits by trying all of them: breadth first, over every name that two edits reach. */
const reachedBy = (name: string, edits: number): ReadonlyMap<string, number> => {
  const letters = ['a', 'b', 'c'];
  const reached = new Map([[name, 0]]);
  let edge = [name];
  for (let n = 1; n <= edits; n++) {
    const next: string[] = [];
    for (const from of edge)
      for (let i = 0; i <= from.length; i++) {
        const [before, after] = [from.slice(0, i), from.slice(i)];
        next.push(before + after.slice(1), before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2));
        for (const letter of letters) next.push(before + letter + after, before + letter + after.slice(1));
      }
    edge = [...new Set(next)].filter((to) => !reached.has(to));
    for (const to of edge) reached.set(to, n);
  }
  return reached;
};

describe('the Damerau–Levenshtein distance', () => {
  it.each([
    ['nasa', 'nasa', 0],
    ['nasa', 'nsaa', 1],
    ['nasa', 'nasaa', 1],
    ['', 'abc', 3],
    ['ca', 'abc', 2],
    ['kitten', 'sitting', 3],
    ['жa', 'aж', 1],
  ])('the distance of %s and %s is %d', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  it('is a metric', () => {
    fc.assert(
      fc.property(names, names, names, (a, b, c) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(editDistance(a, c) + editDistance(c, b));
        expect(distance).toBeGreaterThanOrEqual(Math.abs([...a].length - [...b].length));
        expect(distance).toBeLessThanOrEqual(Math.max([...a].length, [...b].length));
      }),
    );
  });

  it('is the number of edits between two names', () => {
    for (const name of ['', 'a', 'ab', 'abc', 'aab', 'abca', 'cabba'])
      for (const [to, edits] of reachedBy(name, 2))
        expect(editDistance(name, to), `${name} ${to}`).toBe(edits);
  });
});

describe('deletions', () => {
  it('include every way to remove two characters', () => {
    expect(deletesOf('abcdefghijklmno').size).toBe(1 + 15 + 105);
    expect([...deletesOf('abc')].toSorted()).toEqual(['a', 'ab', 'abc', 'ac', 'b', 'bc', 'c']);
    expect([...deletesOf('')]).toEqual(['']);
  });

  it('share one if and only if at most two edits separate the names', () => {
    for (const name of ['ab', 'abca', 'cabba'])
      for (const to of reachedBy(name, 2).keys()) {
        const hashes = new Set(deleteHashes(name));
        expect(
          deleteHashes(to).some((hash) => hashes.has(hash)),
          `${name} ${to}`,
        ).toBe(true);
      }
  });

  it('have hashes that Postgres and JavaScript hold exactly', () => {
    const hashes = Array.from({ length: 100_000 }, (_, n) => hashOf(`name${n}`));
    expect(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0)).toBe(true);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('index names of up to 15 characters, which can be compared with names of 17', () => {
    expect([15, 16].map((length) => isIndexable('ж'.repeat(length)))).toEqual([true, false]);
    expect([17, 18].map((length) => isComparable('a'.repeat(length)))).toEqual([true, false]);
  });
});

it('handles of Bluesky are compared without the common domain', () => {
  expect(comparedName('bluesky', 'Ada.bsky.social')).toBe('ada');
  expect(comparedName('bluesky', 'ada.example')).toBe('ada.example');
  expect(comparedName('youtube', 'ada.bsky.social')).toBe('ada.bsky.social');
});

describe('the risk of a look-alike', () => {
  const nasa = { isSkeletonEqual: true, distance: 1, length: 4, followers: [96_000_000, 100] } as const;

  it('is the weighted sum of its parts', () => {
    expect(lookAlikeRisk(nasa)).toEqual({
      risk: expect.closeTo(0.5 + 0.3 * 0.75 + 0.2),
      parts: [
        { part: 'skeleton', value: 1, weight: 0.5 },
        { part: 'distance', value: 0.75, weight: 0.3 },
        { part: 'size', value: 1, weight: 0.2 },
      ],
    });
    expect(lookAlikeRisk({ ...nasa, followers: [100, 100] }).risk).toBeCloseTo(0.725);
  });

  it('redistributes the weight of an unknown size', () => {
    const { risk, parts } = lookAlikeRisk({ ...nasa, followers: [null, 100] });
    expect(parts.map(({ weight }) => weight)).toEqual([0.625, expect.closeTo(0.375), 0]);
    expect(risk).toBeCloseTo(0.625 + 0.375 * 0.75);
  });

  it('is between 0 and 1 and does not rise with distance', () => {
    const followers = fc.option(fc.nat(1e9));
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.nat(30),
        fc.nat(30),
        followers,
        followers,
        (isSkeletonEqual, distance, length, a, b) => {
          const compared = { isSkeletonEqual, distance, length, followers: [a, b] } as const;
          const { risk, parts } = lookAlikeRisk(compared);
          expect(risk).toBeGreaterThanOrEqual(0);
          expect(risk).toBeLessThanOrEqual(1);
          expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
          expect(lookAlikeRisk({ ...compared, distance: distance + 1 }).risk).toBeLessThanOrEqual(
            risk + 1e-12,
          );
        },
      ),
    );
  });
});
