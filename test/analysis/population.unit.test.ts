import { describe, expect, it } from 'vitest';
import { populationPatterns, type SampledAuthor } from '../../src/analysis/posting-patterns.ts';
import type { AnalyzedPost } from '../../src/analysis/sample.ts';
import { autoregression, DAY_MS, NOW, postAt } from './post-samples.ts';

/** An author of 20 posts, a day apart, of the same hour of UTC. */
const authorOf = (likesAt: (i: number) => number): SampledAuthor => {
  const posts: AnalyzedPost[] = Array.from({ length: 20 }, (_, i) =>
    postAt(4 + i, { id: String(i), likes: likesAt(i), replies: 0, reposts: 0, quotes: 0 }),
  );
  return { posts, anchorMs: NOW };
};

const patternsOf = (authors: readonly SampledAuthor[]) => populationPatterns(authors, 'x', 30);

describe('patterns of a population', () => {
  it('leave out authors whose posts have fewer than five reactions', () => {
    const few = Array.from({ length: 100 }, () => authorOf((i) => i % 2));
    expect(patternsOf(few)).toEqual({ authors: 0, posts: 0, cells: [] });
    const many = Array.from({ length: 40 }, (_, seed) => {
      const draws = autoregression(20, 0, seed + 1);
      return authorOf((i) => Math.round(100 * Math.exp(draws[i] as number)));
    });
    const patterns = patternsOf([...few, ...many]);
    expect(patterns).toEqual(patternsOf(many));
    expect(patterns.authors).toBe(40);
    for (const { effect, low, high } of patterns.cells)
      expect(effect !== null && low !== null && high !== null && low < high).toBe(true);
  });

  it('have the hours of a week from Monday, in UTC', () => {
    const { cells } = patternsOf([authorOf(() => 100)]);
    // The first of October 2026 is a Thursday.
    const hours = Array.from({ length: 7 }, (_, day) => 24 * day).sort((a, b) => a - b);
    expect(cells.map(({ hour }) => hour)).toEqual(hours);
    expect(new Date(NOW).getUTCDay()).toBe(4);
    const [thursday] = patternsOf([
      { posts: Array.from({ length: 8 }, (_, n) => postAt(7 + n / 1_000, { id: String(n) })), anchorMs: NOW },
    ]).cells;
    expect(thursday?.hour).toBe(Math.floor(((NOW - 7 * DAY_MS) / 3_600_000 + 72 - 0.1) % 168));
  });

  it('state no effect when its interval has no width', () => {
    const alike = Array.from({ length: 60 }, () => authorOf(() => 100));
    const { cells, authors } = patternsOf(alike);
    expect(authors).toBe(60);
    for (const cell of cells)
      expect(cell).toMatchObject({ authors: 60, effect: null, low: null, high: null });
  });
});
