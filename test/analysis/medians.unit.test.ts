import fc from 'fast-check';
import { medianSorted } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { accountFiguresOf, postsPerWeek } from '../../src/analysis/account-figures.ts';
import { catalogPersistence, NO_AGREEMENT } from '../../src/analysis/dependence.ts';
import {
  addDependence,
  dependenceOf,
  engagementFigures,
  NO_DEPENDENCE,
  persistencesOf,
  weeklyMedians,
} from '../../src/analysis/engagement.ts';
import { distributionOf, type Observation, percentileAmong } from '../../src/analysis/percentiles.ts';
import { type AnalyzedPost, lackOf, sampleOf } from '../../src/analysis/sample.ts';
import { viralScores } from '../../src/analysis/viral.ts';
import { emptyPosts, sightPosts } from '../../src/projections/views/posts/account-posts.ts';
import { type Post, type Span, UNTAGGED } from '../../src/write/accounts/post.ts';
import { autoregression, DAY_MS, NOW, postAt } from './post-samples.ts';

const USUAL = catalogPersistence(NO_AGREEMENT);
const options = { platform: 'x', anchorMs: NOW, windowDays: 30 } as const;

/** A post as an event has it. */
const recorded = (id: string, at: string): Post => ({
  ...UNTAGGED,
  id,
  url: null,
  at,
  kind: 'original',
  media: 'none',
  text: null,
  likes: 10,
  replies: 0,
  reposts: 0,
  quotes: 0,
  views: null,
});

const counts = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 8, maxLength: 60 });
const exactly = (count: number): Observation => ({ count, per: 1 });

const observations = fc.array(
  fc.record({ count: fc.integer({ min: 0, max: 40 }), per: fc.integer({ min: 1, max: 9 }) }),
  { minLength: 8, maxLength: 60 },
);

describe('a median of posts', () => {
  it('is the plain median, as in a population, between its quartiles', () => {
    fc.assert(
      fc.property(observations, (some) => {
        const { value, low, high, p25, p75 } = distributionOf(some, USUAL);
        expect(value).toBe(medianSorted(some.map(({ count, per }) => count / per).sort((a, b) => a - b)));
        expect(p25 <= value && value <= p75 && low <= value && value <= high).toBe(true);
      }),
    );
    const none = distributionOf(new Array(12).fill({ count: 0, per: 1_000 }), USUAL);
    expect(none).toMatchObject({ value: 0, low: 0 });
    expect(none.high).toBeGreaterThan(0);
  });

  it('lies in its interval, which has whole numbers where counts are few', () => {
    fc.assert(
      fc.property(counts, (values) => {
        const { value, low, high, p25, p75 } = distributionOf(values.map(exactly), USUAL);
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(p25 <= value && value <= p75).toBe(true);
        if (value < 5) expect(high - low).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('does not depend on the order of the posts', () => {
    fc.assert(
      fc.property(counts, fc.integer(), (values, seed) => {
        const shuffled = values.toSorted((a, b) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101));
        const [a, b] = [values, shuffled].map((some) => distributionOf(some.map(exactly), USUAL));
        expect([b?.value, b?.p25, b?.p75]).toEqual([a?.value, a?.p25, a?.p75]);
      }),
    );
  });

  it('scales with its divisor, interval included', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 1_000_000 }), (values, by) => {
        const one = distributionOf(
          values.map((count) => ({ count, per: 2 })),
          USUAL,
        );
        const other = distributionOf(
          values.map((count) => ({ count, per: 2 * by })),
          USUAL,
        );
        expect(other.value * by).toBeCloseTo(one.value, 6);
        expect(other.low * by).toBeCloseTo(one.low, 6);
        expect(other.high * by).toBeCloseTo(one.high, 6);
      }),
    );
  });

  it('stays when every post is repeated four times, with a narrower interval', () => {
    const values = autoregression(40, 0, 3).map((z) => Math.round(200 * Math.exp(z)));
    const [once, often] = [values, [...values, ...values, ...values, ...values]].map((some) =>
      distributionOf(some.map(exactly), { sign: 0, decay: 0 }),
    );
    expect(often?.value).toBe(once?.value);
    expect((often?.high ?? 0) - (often?.low ?? 0)).toBeLessThan((once?.high ?? 0) - (once?.low ?? 0));
  });

  it('has a wider interval where the catalog’s posts come in streaks', () => {
    const values = autoregression(30, 0, 5).map((z) => Math.round(500 * Math.exp(z)));
    const [free, streaky] = [0, 0.4].map((sign) => distributionOf(values.map(exactly), { sign, decay: 0.6 }));
    expect((streaky?.high ?? 0) - (streaky?.low ?? 0)).toBeGreaterThan(
      1.2 * ((free?.high ?? 0) - (free?.low ?? 0)),
    );
  });

  it('derives the catalog’s correlation from the signs of its posts', () => {
    const accounts = Array.from({ length: 200 }, (_, seed) =>
      autoregression(30, 0.5, seed + 1).map((z, i) =>
        postAt(29 - i * 0.8, { id: String(i), likes: Math.round(300 * Math.exp(z)) }),
      ),
    );
    const dependence = accounts
      .map((posts) => dependenceOf(sampleOf(posts, options)))
      .reduce(addDependence, NO_DEPENDENCE);
    // Sheppard: 2/π asin 0.5
    expect(persistencesOf(dependence).likes.sign).toBeCloseTo(1 / 3, 1);
  });
});

describe('a sample of posts', () => {
  it('treats a post as ripe by the age of its figures, not of the post', () => {
    const posts = [
      postAt(20, { id: 'old, read young', observedMs: NOW - 19 * DAY_MS }),
      postAt(20, { id: 'old, read old' }),
      postAt(2, { id: 'new' }),
      ...[31, 32, 33, 34].map((days) => postAt(days)),
      postAt(10, { id: 'reply', kind: 'reply' }),
    ];
    const sample = sampleOf(posts, options);
    expect(sample.ripe.map(({ id }) => id)).toEqual(['old, read old']);
    expect([sample.published.length, sample.unripe, sample.isCovered]).toEqual([3, 2, true]);
    expect(sample.warnings).toEqual(['posts_not_ripe']);
    expect(lackOf(sample)).toEqual({ what: 'posts', had: 1, needs: 8 });
  });

  it('warns of unknown order, rounded counts, and a window that is not covered', () => {
    const posts = Array.from({ length: 10 }, (_, i) =>
      postAt(4 + i, { id: String(i), views: 12_300 + 100 * i, isOrdered: i > 0 }),
    );
    const { warnings, unordered } = sampleOf(posts, options);
    expect([...warnings]).toEqual(['order_unknown', 'counts_rounded', 'window_not_covered']);
    expect(unordered).toBe(1);
  });

  describe('with 28 posts a week', () => {
    const week = Array.from({ length: 28 }, (_, i) => postAt(0.1 + i / 4, { id: String(i) }));
    const isoAt = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
    const perWeek = (posts: readonly AnalyzedPost[], span?: Span) =>
      accountFiguresOf(sampleOf(posts, { ...options, ...(span === undefined ? {} : { span }) }))
        .posts_per_week;

    it('is not extended by a pinned or selected post of years ago', () => {
      const selected = [postAt(900, { id: 'selected', isOrdered: false })];
      const pinned = [1, 2, 3].map((n) => postAt(900 + n, { id: `pinned ${n}` }));
      for (const old of [selected, pinned, [...selected, ...pinned]]) {
        expect(perWeek([...week, ...old])).toBeCloseTo(28, 0);
        const { isCovered, warnings } = sampleOf([...week, ...old], options);
        expect(isCovered).toBe(false);
        expect(warnings).toContain('window_not_covered');
      }
      const older = [31, 32, 33, 34].map((days) => postAt(days));
      expect(perWeek([...week, ...older])).toBeCloseTo((28 * 7) / 30, 9);
    });

    it('is counted over the span in which every post is recorded', () => {
      const all = [...week, postAt(20), postAt(40)];
      expect(perWeek(all, { from: isoAt(7), to: isoAt(0) })).toBeCloseTo(28, 9);
      expect(perWeek(all, { from: null, to: isoAt(0) })).toBeCloseTo((29 * 7) / 30, 9);
      const early = sampleOf(all, { ...options, span: { from: isoAt(7), to: isoAt(3.5) } });
      expect([early.knownFromMs, early.knownToMs]).toEqual([NOW - 7 * DAY_MS, NOW - 3.5 * DAY_MS]);
      expect(early.known).toHaveLength(14);
      expect(early.isCovered).toBe(false);
      expect(early.warnings).toEqual(
        expect.arrayContaining(['posts_not_ripe', 'window_not_covered', 'window_ends_early']),
      );
      expect(accountFiguresOf(early).posts_per_week).toBeCloseTo(28, 9);
    });

    it('is covered up to three days before the last sighting, never before the window', () => {
      const covered = (to: number) =>
        sampleOf(week, { ...options, span: { from: isoAt(50), to: isoAt(to) } });
      expect(covered(3)).toMatchObject({ isCovered: true });
      expect(covered(3).warnings).not.toContain('window_ends_early');
      expect(covered(3.1)).toMatchObject({ isCovered: false });
      const before = covered(35);
      expect(before).toMatchObject({ isCovered: false, known: [], knownToMs: before.knownFromMs });
      expect(accountFiguresOf(before).posts_per_week).toBeNull();
      expect(postsPerWeek(before)).toBeNull();
    });

    it('is known from the newest 400 posts where the digest dropped others', () => {
      const account = emptyPosts('x', 'busy');
      // 60 a day, of which a digest has lost the first ones.
      for (let day = 30; day > 0; day--)
        sightPosts(account, {
          observed_at: isoAt(day - 1),
          source: 'crawler',
          surface: 'timeline',
          posts: Array.from({ length: 60 }, (_, n) => recorded(`${day} ${n}`, isoAt(day - (n + 1) / 61))),
          moved: [],
          order: 'time',
          span: { from: isoAt(day), to: isoAt(day - 1) },
        });
      const sample = sampleOf(account.digest.values(), { ...options, span: account.span });
      expect(account.span?.from).toBe(isoAt(30));
      expect(sample.isCovered).toBe(false);
      expect(accountFiguresOf(sample).posts_per_week).toBeCloseTo(420, -1);
    });
  });

  it('keeps what callers know of their posts', () => {
    const posts = [{ ...postAt(4), stream: 'account-x:nasa' }];
    const { ripe } = sampleOf(posts, options);
    expect(ripe.map(({ stream, atMs }) => [stream, atMs - NOW])).toEqual([['account-x:nasa', -4 * DAY_MS]]);
  });

  it('has no medians below 8 ripe posts', () => {
    const posts = Array.from({ length: 7 }, (_, i) => postAt(4 + i, { id: String(i) }));
    expect(engagementFigures(sampleOf(posts, options), persistencesOf()).likes).toBeNull();
    expect(viralScores(sampleOf(posts, options))).toBeNull();
  });

  it('keeps the rate by followers and the rate by views apart', () => {
    const posts = Array.from({ length: 12 }, (_, i) =>
      postAt(4 + i, { id: String(i), followers: i < 6 ? null : 10_000 }),
    );
    const figures = engagementFigures(sampleOf(posts, options), persistencesOf());
    expect(figures.engagement_rate_followers).toBeNull();
    expect(figures.engagement_rate_views?.value).toBeCloseTo(113 / 4_000, 4);
  });

  it('gives each week the median of its own posts', () => {
    const posts = Array.from({ length: 20 }, (_, i) =>
      postAt(4 + i, { id: String(i), likes: i < 10 ? 100 : 200 }),
    );
    const weeks = weeklyMedians(sampleOf(posts, options));
    expect(weeks.map(({ likes }) => likes)).toEqual([null, 200, 200, 100, 100]);
    expect(weeks.reduce((sum, week) => sum + week.posts, 0)).toBe(20);
  });
});

describe('a percentile', () => {
  const estimate = { value: 50, low: 40, high: 60, n: 10 };

  it('never falls as the value rises, and lies in its interval', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 30, maxLength: 200 }),
        fc.integer({ min: 0, max: 100 }),
        (others, value) => {
          const sorted = others.toSorted((a, b) => a - b);
          const at = (x: number) => percentileAmong({ value: x, low: x, high: x, n: 10 }, sorted);
          const [one, more] = [at(value), at(value + 1)];
          expect(more?.value).toBeGreaterThanOrEqual(one?.value ?? 101);
          expect(
            one && one.low >= 0 && one.low <= one.value && one.value <= one.high && one.high <= 100,
          ).toBe(true);
        },
      ),
    );
  });

  it('ranks an account without reactions among its equals, with an interval that covers them', () => {
    const none = distributionOf(new Array(12).fill({ count: 0, per: 1_000 }), USUAL);
    const neighbours = Array.from({ length: 200 }, (_, i) => (i < 120 ? 0 : i / 1_000));
    const ranked = percentileAmong(none, neighbours);
    expect(ranked?.value).toBe(30);
    expect(ranked?.low).toBe(0);
    expect(ranked?.high).toBeGreaterThanOrEqual(60);
  });

  it('counts half of the equal values, and needs 30 neighbours', () => {
    expect(percentileAmong(estimate, new Array(40).fill(50))?.value).toBe(50);
    expect(percentileAmong(estimate, new Array(29).fill(50))).toBeNull();
  });
});

describe('a viral post', () => {
  it('has its multiple of the median and its robust z score', () => {
    const posts = Array.from({ length: 9 }, (_, i) =>
      postAt(4 + i, {
        id: String(i),
        likes: [90, 95, 98, 100, 100, 102, 105, 110, 1_000][i] as number,
        replies: 0,
        reposts: 0,
        quotes: 0,
      }),
    );
    const scores = viralScores(sampleOf(posts, options)) ?? [];
    const viral = scores.find(({ engagement }) => engagement === 1_000);
    expect(viral?.multiple).toBe(10);
    const small = posts.map((post) => ({ ...post, likes: post.likes === 1_000 ? 400 : 1 }));
    expect(viralScores(sampleOf(small, options))).toBeNull();
    const mad = Math.log(106 / 101);
    expect(viral?.z).toBeCloseTo((0.6745 * Math.log(1_001 / 101)) / mad, 0);
  });
});

describe('counts that a platform rounds', () => {
  it('widen an interval that is narrower than a step', () => {
    const values = Array.from({ length: 20 }, () => exactly(12_300));
    const { low, high } = distributionOf(values, USUAL, 3);
    expect(low).toBeLessThan(12_300);
    expect(high).toBeGreaterThan(12_300);
  });
});
