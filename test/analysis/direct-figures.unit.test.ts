import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectsModel } from '../../src/analysis/content-effects.ts';
import type { Persistence } from '../../src/analysis/dependence.ts';
import {
  engagementFigures,
  MEASURES,
  type Measure,
  type Persistences,
  persistencesOf,
} from '../../src/analysis/engagement.ts';
import { UTC } from '../../src/analysis/local-time.ts';
import { distributionOf, type Observation } from '../../src/analysis/percentiles.ts';
import { type Cell, postingPatterns } from '../../src/analysis/posting-patterns.ts';
import { digitsOf } from '../../src/analysis/rounding.ts';
import { type AnalyzedPost, isLack, type Sample, sampleOf } from '../../src/analysis/sample.ts';
import { student95 } from '../../src/kernel/distributions.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { DAY_MS, NOW, normals, postAt } from './post-samples.ts';

const SEEDED = { seed: 20_261_001, numRuns: 60 };
const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const sampleFrom = (posts: readonly AnalyzedPost[]): Sample =>
  sampleOf(posts, { platform: 'x', anchorMs: NOW, windowDays: 365 });

/** Posts over so many days, of which an hour, a weekday and a link make something: at all hours, or mostly at the best one. */
const rhythmicPosts = (seed: number, days: number): readonly AnalyzedPost[] => {
  const random = seededRandom(seed);
  const draw = normals(seed + 1);
  const [best, strength, weekly] = [Math.floor(24 * random.next()), 2 * random.next(), 2 * random.next()];
  const isHabitual = random.next() < 0.4;
  return Array.from({ length: 60 + Math.floor(200 * random.next()) }, (_, i) => {
    const [day, hour] = [3 + Math.floor(days * random.next()), 24 * random.next()];
    // Of seven days one is the best one.
    const back =
      isHabitual && random.next() < 0.9
        ? Math.max(1, Math.floor(day / 7)) * 7 - (best + random.next()) / 24
        : day - hour / 24;
    const at = new Date(NOW - back * DAY_MS);
    const links = random.next() < 0.4 ? 1 : 0;
    const ln =
      6 +
      strength * Math.cos(((at.getUTCHours() - best) / 12) * Math.PI) +
      (at.getUTCDay() === new Date(NOW).getUTCDay() ? weekly : 0) -
      0.5 * links +
      0.5 * draw();
    return postAt(back, { id: String(i), likes: Math.round(Math.exp(ln)), links });
  });
};

/** What cells are, from the whole model: the row of a post in the middle of the hour against the mean row. */
const directCells = (sample: Sample, persistences: Persistences, hasEffect: boolean): readonly Cell[] => {
  const model = effectsModel(sample, UTC, persistences);
  if (model === null || isLack(model)) throw new Error('no model');
  const { coefficients, covariance, df } = model.fit;
  const mean = coefficients.map((_, i) => model.rows.reduce((sum, row) => sum + (row[i] as number), 0));
  const percent = (ln: number) => 100 * (Math.exp(ln) - 1);
  const angle = (hours: number, period: number) => (2 * Math.PI * hours) / period;
  return Array.from({ length: 7 }, (_, weekday) => weekday).flatMap((weekday) =>
    Array.from({ length: 24 }, (_, hour) => {
      const [ofDay, ofWeek] = [angle(hour + 0.5, 24), angle(24 * weekday + hour + 0.5, 168)];
      const harmonics = [
        Math.cos(ofDay),
        Math.sin(ofDay),
        ...(model.week.length > 0 ? [Math.cos(ofWeek), Math.sin(ofWeek)] : []),
      ];
      // Level, trend and traits are those of the mean post.
      const apart = coefficients.map((_, i) => {
        const usual = (mean[i] as number) / model.rows.length;
        return i < 2 || i >= 2 + harmonics.length ? 0 : (harmonics[i - 2] as number) - usual;
      });
      const value = apart.reduce((sum, x, i) => sum + x * (coefficients[i] as number), 0);
      const variance = apart.reduce(
        (sum, x, i) => sum + apart.reduce((part, y, j) => part + x * y * (covariance[i]?.[j] as number), 0),
        0,
      );
      const reach = student95(df) * Math.sqrt(variance);
      return {
        weekday,
        hour,
        n: sample.ripe.filter(({ atMs }) => {
          const at = new Date(atMs);
          return (at.getUTCDay() + 6) % 7 === weekday && at.getUTCHours() === hour;
        }).length,
        effect_pct: percent(value),
        low: percent(value - reach),
        high: percent(value + reach),
        significant: hasEffect && (value > reach || value < -reach),
      };
    }),
  );
};

describe('posting patterns', () => {
  it.each([
    ['of the day', 25],
    ['of the day and of the week', 300],
  ])('equal the whole model’s effect for each hour: harmonics %s', (_, days) => {
    let [significant, insignificant, few] = [0, 0, 0];
    fc.assert(
      fc.property(seeds, (seed) => {
        const sample = sampleFrom(rhythmicPosts(seed, days));
        const found = postingPatterns(sample, UTC, persistencesOf());
        if (found === null || isLack(found)) throw new Error('no patterns');
        expect(found.q_weekday === null).toBe(days < 28);
        const hasEffect = Math.min(found.q_hour ?? 1, found.q_weekday ?? 1) <= 0.05;
        if (hasEffect) significant++;
        else insignificant++;
        const direct = directCells(sample, persistencesOf(), hasEffect);
        expect(found.cells).toHaveLength(direct.length);
        found.cells.forEach((cell, i) => {
          const { effect_pct, low, high, ...rest } = direct[i] as Cell;
          expect(cell).toMatchObject(rest);
          expect(cell.effect_pct / (100 + effect_pct)).toBeCloseTo(effect_pct / (100 + effect_pct), 9);
          expect(cell.low / (100 + low)).toBeCloseTo(low / (100 + low), 9);
          expect(cell.high / (100 + high)).toBeCloseTo(high / (100 + high), 9);
        });
        const lows = direct.filter((cell) => cell.significant && cell.low > 0).map(({ low }) => low);
        const surest = lows.toSorted((a, b) => b - a).slice(0, 5);
        if (lows.length < 5 && direct.some((cell) => cell.significant && cell.high < 0)) few++;
        expect(found.best.map(({ low }) => low.toFixed(6))).toEqual(surest.map((low) => low.toFixed(6)));
      }),
      SEEDED,
    );
    expect(Math.min(significant, insignificant)).toBeGreaterThan(3);
    // Hours of one day alone are better than usual.
    if (days > 28) expect(few).toBeGreaterThan(3);
  });
});

/** Each measure has another law: the figures of one by the law of another would differ. */
const PERSISTENCES = Object.fromEntries(
  MEASURES.map((measure, n): [Measure, Persistence] => [measure, { sign: 0.05 + n / 15, decay: 0.4 }]),
) as Persistences;

/** Posts of which every count is rounded to digits of its own, or exact, and some are not shown. */
const roundedPosts = (seed: number): readonly AnalyzedPost[] => {
  const random = seededRandom(seed);
  const draw = normals(seed + 1);
  const count = () => {
    const digits = random.next() < 0.6 ? 1 + Math.floor(3 * random.next()) : null;
    const [level, shown] = [3 + 9 * random.next(), random.next() < 0.2 ? 0.1 : 0.8 + 0.2 * random.next()];
    return () => {
      const exact = Math.round(Math.exp(level + draw()));
      if (random.next() > shown) return null;
      return digits === null || exact < 1_000 ? exact : Number(exact.toPrecision(digits));
    };
  };
  const [likes, replies, reposts, quotes, views, followers] = [
    count(),
    count(),
    count(),
    count(),
    count(),
    count(),
  ];
  return Array.from({ length: 5 + Math.floor(60 * random.next()) }, (_, i) =>
    postAt(2 + i, {
      id: String(i),
      likes: likes(),
      replies: replies(),
      reposts: reposts(),
      quotes: quotes(),
      views: views(),
      followers: followers(),
    }),
  );
};

/** The posts that show a measure, and the counts whose rounding is that of the measure. */
const directOf = (posts: readonly AnalyzedPost[], measure: Measure) => {
  const sum = ({ likes, replies, reposts, quotes }: AnalyzedPost) =>
    likes === null ? null : likes + (replies ?? 0) + (reposts ?? 0) + (quotes ?? 0);
  const isRate = measure === 'engagement_rate_followers' || measure === 'engagement_rate_views';
  const isEngagement = isRate || measure === 'engagement';
  const observations = posts.flatMap((post): readonly Observation[] => {
    const count = isEngagement ? sum(post) : post[measure];
    const per =
      measure === 'engagement_rate_followers'
        ? post.followers
        : measure === 'engagement_rate_views'
          ? post.views
          : 1;
    return count === null || per === null || per === 0 ? [] : [{ count, per }];
  });
  return { observations, digits: digitsOf(posts.map((post) => post[isEngagement ? 'likes' : measure])) };
};

describe('engagement figures', () => {
  it('equal each measure computed alone, whichever are requested', () => {
    let [rounded, exact, unknown] = [0, 0, 0];
    fc.assert(
      fc.property(
        seeds,
        fc.shuffledSubarray([...MEASURES], { minLength: 1 }),
        fc.boolean(),
        (seed, some, all) => {
          const sample = sampleFrom(roundedPosts(seed));
          const figures = all
            ? engagementFigures(sample, PERSISTENCES)
            : engagementFigures(sample, PERSISTENCES, some);
          const wanted: readonly Measure[] = all ? MEASURES : some;
          expect(Object.keys(figures).toSorted()).toEqual(wanted.toSorted());
          for (const measure of wanted) {
            const { observations, digits } = directOf(sample.ripe, measure);
            const isShown = observations.length >= 8;
            if (!isShown) unknown++;
            else if (digits === null) exact++;
            else rounded++;
            expect(figures[measure], measure).toEqual(
              isShown ? distributionOf(observations, PERSISTENCES[measure], digits) : null,
            );
          }
        },
      ),
      { ...SEEDED, numRuns: 200 },
    );
    expect(Math.min(rounded, exact, unknown)).toBeGreaterThan(100);
  });
});
