import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type Course, courseOf, type GrowthPoint } from '../../src/analysis/growth.ts';
import {
  horizonOf,
  MOST_FOLLOWERS,
  type Projection,
  projectionLaw,
  projectionOf,
} from '../../src/analysis/growth-projection.ts';
import { isLack } from '../../src/analysis/sample.ts';
import runGrowthProjection from '../../src/api/endpoints/tools/runGrowthProjection.ts';
import { normals } from './post-samples.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 9, 31);

interface Walk {
  readonly volatility: number;
  readonly trend: number;
  readonly size?: number;
}

/** Daily followers of a random walk; the newest `ahead` days are kept apart. */
const walkOf = (seed: number, days: number, { volatility, trend, size = 100_000 }: Walk, ahead = 0) => {
  const draw = normals(seed);
  let ln = Math.log(size);
  const points: GrowthPoint[] = [];
  for (let day = -days; day <= ahead; day++) {
    points.push({ atMs: NOW + day * DAY, followers: Math.round(Math.exp(ln)) });
    ln += trend + volatility * draw();
  }
  return {
    known: points.filter(({ atMs }) => atMs <= NOW),
    later: (points.at(-1) as GrowthPoint).followers,
  };
};

/** The course of readings that are enough for one. */
const courseIn = (points: readonly GrowthPoint[]): Course => {
  const course = courseOf(points);
  if (isLack(course)) throw new Error(`too few ${course.what}`);
  return course;
};

const projected = (...given: Parameters<typeof projectionOf>): Projection => {
  const projection = projectionOf(...given);
  if (projection === null) throw new Error('no projection');
  return projection;
};

/** Readings of so many followers, at so many days before now. */
const readingsOf = (...readings: readonly (readonly [daysAgo: number, followers: number])[]): GrowthPoint[] =>
  readings.map(([daysAgo, followers]) => ({ atMs: NOW - daysAgo * DAY, followers }));

describe('the course of an account', () => {
  it('needs fourteen days and four readings', () => {
    const { known } = walkOf(1, 30, { volatility: 0.01, trend: 0 });
    expect(courseOf(known.slice(-14))).toEqual({ what: 'days', had: 13, needs: 14 });
    expect(courseIn(known.slice(-15)).days).toBe(14);
    expect(courseOf([known[0], known[15], known[30]] as GrowthPoint[])).toEqual({
      what: 'readings',
      had: 3,
      needs: 4,
    });
    expect(courseOf([])).toEqual({ what: 'days', had: 0, needs: 14 });
  });

  it('has the trend and the volatility of the last ninety days', () => {
    const course = courseIn(walkOf(2, 400, { volatility: 0.01, trend: 0.004 }).known);
    expect(course.days).toBe(90);
    expect(course.fromMs).toBe(NOW - 90 * DAY);
    expect(Math.sqrt(course.variance)).toBeCloseTo(0.01, 2);
    expect(Math.abs(course.trend - 0.004)).toBeLessThan(3 * (0.01 / Math.sqrt(90)));
  });

  it('is missing only when a reading that it rests on is', () => {
    const old = readingsOf([98, 50], [5, 51], [4, 51], [3, 52], [2, 52], [1, 53], [0, 53]);
    expect(courseOf(old)).toEqual({ what: 'days', had: 5, needs: 14 });
    // Twenty readings of three times.
    const repeated = [20, 10, 0].flatMap((days) =>
      Array.from({ length: 7 }, (_, n) => ({ atMs: NOW - days * DAY - (7 - n) * 60_000, followers: 90 })),
    );
    expect(courseOf(repeated)).toEqual({ what: 'readings', had: 3, needs: 4 });
  });

  it('knows followers to the step of a platform’s rounding', () => {
    const exact = courseIn(readingsOf([15, 1_200_001], [10, 1_200_007], [5, 1_200_004], [0, 1_200_011]));
    expect(exact.isRounded).toBe(false);
    expect(exact.step).toBeCloseTo(0.5 / 1_200_011, 12);
    const rounded = courseIn(readingsOf([15, 1_190_000], [10, 1_200_000], [5, 1_200_000], [0, 1_210_000]));
    expect(rounded.isRounded).toBe(true);
    expect(rounded.step).toBeCloseTo(5_000 / 1_210_000, 6);
  });
});

describe('a projection of growth', () => {
  it('contains what followed as often as its bands say, and beats a random walk with drift', () => {
    // Volatilities over two decades, and a trend in one account of five.
    const about = (n: number): Walk => ({
      volatility: 0.001 * 10 ** ((n % 21) / 10),
      trend: n % 5 === 0 ? 0.002 : 0,
    });
    const histories = Array.from({ length: 300 }, (_, n) => walkOf(n, 300, about(n)).known);
    const law = projectionLaw(histories, 30);
    expect(law).not.toBeNull();
    const hits = [0, 0];
    let [own, drift] = [0, 0];
    const N = 600;
    for (let n = 0; n < N; n++) {
      const { known, later } = walkOf(10_000 + n, 120, about(n), 30);
      const course = courseIn(known);
      const { followers, bands } = projected(course, law, 30);
      bands.forEach(({ low, high }, k) => {
        if (low <= later && later <= high) hits[k] = (hits[k] as number) + 1;
      });
      own += Math.abs(Math.log(followers / later));
      drift += Math.abs(course.level + course.trend * 30 - Math.log(later));
    }
    expect((hits[0] as number) / N).toBeGreaterThan(0.43);
    expect((hits[0] as number) / N).toBeLessThan(0.57);
    expect((hits[1] as number) / N).toBeGreaterThan(0.92);
    expect((hits[1] as number) / N).toBeLessThan(0.98);
    expect(own).toBeLessThan(drift);
  });

  it('keeps a trend where the platform’s trends persist, and drops it where they do not', () => {
    const clear = courseIn(walkOf(7, 120, { volatility: 0.002, trend: 0.004 }).known);
    const lasting = projectionLaw(
      Array.from({ length: 100 }, (_, n) => walkOf(n, 300, { volatility: 0.002, trend: 0.004 }).known),
      30,
    );
    // Each walk turns every thirty days.
    const turning = Array.from({ length: 100 }, (_, n) =>
      walkOf(n, 300, { volatility: 0.0005, trend: 0 }).known.map(({ atMs, followers }, day) => ({
        atMs,
        followers: Math.round(followers * Math.exp(0.12 * Math.abs(((day / 60) % 2) - 1))),
      })),
    );
    expect(projected(clear, lasting, 30).persistence).toBeGreaterThan(0.9);
    expect(projected(clear, projectionLaw(turning, 30), 30).persistence).toBeLessThan(0.4);
  });

  it('falls back to the account alone when the catalog has too few projections, and says so', () => {
    const { known } = walkOf(3, 60, { volatility: 0.01, trend: 0 });
    expect(projectionLaw([known], 30)).toBeNull();
    const alone = projected(courseIn(known), null, 30);
    expect(alone.trials).toBeNull();
    const [inner, outer] = alone.bands;
    expect((outer?.low ?? 0) < (inner?.low ?? 0) && (inner?.high ?? 0) < (outer?.high ?? 0)).toBe(true);
    expect(Math.log((outer?.high ?? 0) / alone.followers)).toBeGreaterThan(2 * 0.005 * Math.sqrt(30));
  });

  it('has ordered bounds for an account without followers, and for one that never changes', () => {
    for (const size of [0, 1, 5_000_000]) {
      const points = Array.from({ length: 20 }, (_, n) => ({ atMs: NOW - (20 - n) * DAY, followers: size }));
      const { followers, bands, dailySlope } = projected(courseIn(points), null, 60);
      expect(followers).toBe(size);
      expect(dailySlope).toBeCloseTo(0, 6);
      for (const { low, high } of bands) expect(low <= size && size <= high && low >= 0).toBe(true);
    }
  });

  it('has bands no narrower than the rounding step', () => {
    const same = courseIn(readingsOf([15, 1_200_000], [10, 1_200_000], [5, 1_200_000], [0, 1_200_000]));
    const { followers, bands } = projected(same, null, 30);
    expect(followers).toBe(1_200_000);
    for (const { level, low, high } of bands.slice(-1)) {
      expect(level).toBe(0.95);
      expect(low).toBeLessThan(1_150_000);
      expect(high).toBeGreaterThan(1_250_000);
    }
  });

  it('refuses an account that moves too much for the horizon', () => {
    const leaping = courseIn(readingsOf([14, 10], [9, 11], [5, 400], [0, 420]));
    expect(projectionOf(leaping, null, 180)).toBeNull();
    expect(projected(leaping, null, 1).bands.at(-1)?.high).toBeGreaterThan(420);
  });

  it('gives an answer that matches its schema, or none, for any readings', () => {
    const {
      projected: middle,
      low,
      high,
      bands,
      daily_slope,
      trend,
      persistence,
    } = (runGrowthProjection.data as z.ZodObject<z.ZodRawShape>).shape as Record<string, z.ZodType>;
    const law = projectionLaw(
      Array.from({ length: 250 }, (_, n) => walkOf(n, 300, { volatility: 0.3, trend: 0, size: 40 }).known),
      180,
    );
    expect(law).not.toBeNull();
    const count = fc.oneof(
      fc.nat(1_000),
      fc.integer({ min: 0, max: 9_000 }).map((thousands) => thousands * 1_000),
      fc.maxSafeNat(),
    );
    const readings = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 95 * 24 }), count), { minLength: 4, maxLength: 40 })
      .map((drawn) =>
        drawn
          .toSorted(([a], [b]) => b - a)
          .map(([hours, followers]) => ({ atMs: NOW - hours * 3_600_000, followers })),
      );
    let answered = 0;
    fc.assert(
      fc.property(readings, fc.integer({ min: 1, max: 180 }), fc.boolean(), (points, days, isAlone) => {
        const course = courseOf(points);
        if (isLack(course)) return;
        const projection = projectionOf(course, isAlone ? null : law, days);
        if (projection === null) return;
        answered += 1;
        const widest = projection.bands.at(-1);
        expect(widest?.high).toBeLessThanOrEqual(MOST_FOLLOWERS);
        for (const [schema, value] of [
          [middle, projection.followers],
          [low, widest?.low],
          [high, widest?.high],
          [bands, projection.bands],
          [daily_slope, projection.dailySlope],
          [trend, projection.trend],
          [persistence, projection.persistence],
        ] as const)
          expect(schema?.safeParse(value).error).toBeUndefined();
      }),
      { numRuns: 2_000, seed: 5 },
    );
    expect(answered).toBeGreaterThan(20);
  });

  it('is compared over the nearest horizon', () => {
    expect([1, 9, 10, 45, 75, 180].map(horizonOf)).toEqual([7, 7, 14, 60, 90, 180]);
  });
});
