import { describe, expect, it } from 'vitest';
import {
  compareReactions,
  dispersionOf,
  reactionFigures,
  reactionNorms,
} from '../../src/analysis/authenticity.ts';
import { persistencesOf } from '../../src/analysis/engagement.ts';
import type { DatedPost } from '../../src/analysis/sample.ts';
import { autoregression, normals, postAt } from './post-samples.ts';

const PERSISTENCE = persistencesOf().engagement;

interface Reactions {
  readonly sigma?: number;
  readonly comments?: number;
  readonly phi?: number;
  readonly n?: number;
}

/** Posts whose likes are log-normal around 400. */
const postsOf = (
  seed: number,
  { sigma = 0.8, comments = 0.03, phi = 0.25, n = 40 }: Reactions = {},
): readonly DatedPost[] => {
  const draw = normals(seed + 9_000);
  return autoregression(n, phi, seed).map((z, i) => {
    const likes = Math.round(400 * Math.exp(sigma * z));
    const replies = Math.round(likes * comments * Math.exp(0.3 * draw()));
    return postAt(5 + n - i, {
      likes,
      replies,
      reposts: Math.round(likes * 0.07),
      quotes: 0,
      views: likes * 30,
    }) as DatedPost;
  });
};

const figuresOf = (seed: number, given: Reactions = {}) => reactionFigures(postsOf(seed, given), PERSISTENCE);

describe('figures of reactions', () => {
  it('give the deviation of a log-normal law, with intervals that contain it 19 times in 20', () => {
    let hits = 0;
    const values: number[] = [];
    for (let seed = 0; seed < 400; seed++) {
      const { dispersion } = figuresOf(seed, { n: 20 + (seed % 40) });
      if (dispersion === null) throw new Error('no figure');
      values.push(dispersion.value);
      if (dispersion.low <= 0.8 && 0.8 <= dispersion.high) hits += 1;
    }
    expect(values.reduce((a, b) => a + b, 0) / 400).toBeCloseTo(0.8, 1);
    expect(hits / 400).toBeGreaterThan(0.92);
    expect(hits / 400).toBeLessThan(0.99);
  });

  it('are moved little by a viral post', () => {
    const posts = postsOf(1);
    const viral = [...posts.slice(1), { ...(posts[0] as DatedPost), likes: 400_000 }];
    const [plain, moved] = [posts, viral].map(
      (some) => reactionFigures(some, PERSISTENCE).dispersion?.value ?? 0,
    );
    expect(moved).toBeLessThan(1.2 * (plain as number));
  });

  it('give ratios of totals with intervals that contain them at least 19 times in 20', () => {
    const truth = 0.03 * Math.exp(0.3 ** 2 / 2);
    let hits = 0;
    for (let seed = 0; seed < 300; seed++) {
      const found = figuresOf(seed).comments_per_like;
      if (found !== null && found.low <= truth && truth <= found.high) hits += 1;
    }
    expect(hits / 300).toBeGreaterThan(0.93);
  });

  it('give ratios whose intervals hold even when one post has most of the likes', () => {
    let hits = 0;
    const N = 1_000;
    for (let seed = 0; seed < N; seed++) {
      const draw = normals(seed + 50_000);
      const posts = Array.from({ length: 20 }, (_, i) => {
        const likes = Math.round(400 * Math.exp(0.8 * draw()) * (i === 7 ? 50 : 1));
        // A mean of 30 views a like.
        const views = Math.round(likes * 30 * Math.exp(0.25 * draw() - 0.25 ** 2 / 2));
        return postAt(25 - i, { likes, replies: 0, reposts: 0, quotes: 0, views }) as DatedPost;
      });
      const ratio = reactionFigures(posts, PERSISTENCE).views_per_like;
      if (ratio !== null && ratio.low <= 30 && 30 <= ratio.high) hits += 1;
    }
    expect(hits / N).toBeGreaterThan(0.93);
  });

  it('are unknown below eight posts, and zero with a bound where nothing was counted', () => {
    expect(figuresOf(1, { n: 7 }).dispersion).toBeNull();
    const hidden = postsOf(2).map((post) => ({ ...post, views: null, likes: null }));
    expect(Object.values(reactionFigures(hidden, PERSISTENCE))).toEqual([null, null, null, null]);
    const silent = postsOf(3).map((post) => ({ ...post, replies: 0 }));
    const { comments_per_like: none } = reactionFigures(silent, PERSISTENCE);
    expect([none?.value, none?.low]).toEqual([0, 0]);
    expect(none?.high).toBeGreaterThan(0);
    const equal = postsOf(4).map((post) => ({ ...post, likes: 9, replies: 0, reposts: 0 }));
    expect(reactionFigures(equal, PERSISTENCE).dispersion).toMatchObject({ value: 0, low: 0, high: 0 });
  });

  it('equal the mean difference of all pairs', () => {
    expect(dispersionOf([0, 0, 0])).toBe(0);
    const values = [1, 2, 4, 8, 16].map((x) => Math.exp(x / 10) - 1);
    // Pairs of 0.1, 0.2, 0.4, 0.8, 1.6: 0.1 0.3 0.7 1.5 0.2 0.6 1.4 0.4 1.2 0.8 by ten; within three deviations.
    expect(dispersionOf(values)).toBeLessThanOrEqual((Math.sqrt(Math.PI) / 2) * 0.72 + 1e-9);
    expect(dispersionOf(values)).toBeGreaterThan(0.5);
  });
});

describe('reactions compared with a platform’s', () => {
  const norms = reactionNorms(
    Array.from({ length: 300 }, (_, n) =>
      figuresOf(20_000 + n, { comments: 0.03 * Math.exp(0.8 * normals(n)()) }),
    ),
  );
  const rulesOf = (given: Reactions) =>
    compareReactions(figuresOf(7, given), norms).flags.map(({ rule }) => rule);

  it('are flagged when their whole interval lies beyond nearly all accounts', () => {
    expect(rulesOf({ sigma: 0.05 })).toContain('reactions_constant');
    expect(rulesOf({ sigma: 3 })).toContain('reactions_erratic');
    expect(rulesOf({ comments: 0.0005 })).toContain('few_comments');
    expect(rulesOf({ comments: 1 })).toContain('many_comments');
  });

  it('are flagged by a rule for at most one account in forty', () => {
    let flagged = 0;
    for (let seed = 0; seed < 400; seed++)
      flagged += compareReactions(figuresOf(50_000 + seed), norms).flags.filter(
        ({ rule }) => rule === 'reactions_constant' || rule === 'reactions_erratic',
      ).length;
    expect(flagged / 400).toBeLessThan(2 * 0.025);
  });

  it('are not flagged for fewer posts, nor compared with fewer than a hundred accounts', () => {
    const { flags, percentiles } = compareReactions(figuresOf(7, { comments: 0.004, n: 8 }), norms);
    expect(flags.map(({ rule }) => rule)).not.toContain('few_comments');
    expect(percentiles.comments_per_like?.neighbours).toBe(300);
    const few = reactionNorms(Array.from({ length: 99 }, (_, n) => figuresOf(n)));
    expect(compareReactions(figuresOf(7, { comments: 1 }), few)).toMatchObject({
      flags: [],
      percentiles: { dispersion: null, comments_per_like: null },
    });
  });
});
