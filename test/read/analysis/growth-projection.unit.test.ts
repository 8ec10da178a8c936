import { describe, expect, it } from 'vitest';
import type { GrowthPoint } from '../../../src/read/analysis/growth.ts';
import {
  courseOf,
  horizonOf,
  projectionLaw,
  projectionOf,
} from '../../../src/read/analysis/growth-projection.ts';
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

describe('the course of an account', () => {
  it('takes fourteen days and four readings', () => {
    const { known } = walkOf(1, 30, { volatility: 0.01, trend: 0 });
    expect(courseOf(known.slice(-14))).toBeNull();
    expect(courseOf(known.slice(-15))).not.toBeNull();
    expect(courseOf([known[0], known[15], known[30]] as GrowthPoint[])).toBeNull();
    expect(courseOf([])).toBeNull();
  });

  it('has the trend and the volatility of the last ninety days', () => {
    const course = courseOf(walkOf(2, 400, { volatility: 0.01, trend: 0.004 }).known);
    expect(course?.days).toBe(90);
    expect(Math.sqrt(course?.variance ?? 0)).toBeCloseTo(0.01, 2);
    expect(Math.abs((course?.trend ?? 0) - 0.004)).toBeLessThan(3 * (0.01 / Math.sqrt(90)));
  });
});

describe('a projection of growth', () => {
  it('holds what followed as often as its bands say, and is nearer than a random walk with drift', () => {
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
      const course = courseOf(known);
      if (course === null) throw new Error('no course');
      const { followers, bands } = projectionOf(course, law, 30);
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

  it('keeps a trend where the trends of the platform persist, and drops it where they do not', () => {
    const clear = courseOf(walkOf(7, 120, { volatility: 0.002, trend: 0.004 }).known);
    if (clear === null) throw new Error('no course');
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
    expect(projectionOf(clear, lasting, 30).persistence).toBeGreaterThan(0.9);
    expect(projectionOf(clear, projectionLaw(turning, 30), 30).persistence).toBeLessThan(0.4);
  });

  it('rests on the account alone where the catalog has too few projections, and says so', () => {
    const { known } = walkOf(3, 60, { volatility: 0.01, trend: 0 });
    expect(projectionLaw([known], 30)).toBeNull();
    const course = courseOf(known);
    if (course === null) throw new Error('no course');
    const alone = projectionOf(course, null, 30);
    expect(alone.trials).toBeNull();
    const [inner, outer] = alone.bands;
    expect((outer?.low ?? 0) < (inner?.low ?? 0) && (inner?.high ?? 0) < (outer?.high ?? 0)).toBe(true);
    expect(Math.log((outer?.high ?? 0) / alone.followers)).toBeGreaterThan(2 * 0.005 * Math.sqrt(30));
  });

  it('has bounds in order for an account without a follower, and one that never changes', () => {
    for (const size of [0, 1, 5_000_000]) {
      const points = Array.from({ length: 20 }, (_, n) => ({ atMs: NOW - (20 - n) * DAY, followers: size }));
      const course = courseOf(points);
      if (course === null) throw new Error('no course');
      const { followers, bands, dailySlope } = projectionOf(course, null, 60);
      expect(followers).toBe(size);
      expect(dailySlope).toBeCloseTo(0, 6);
      for (const { low, high } of bands) expect(low <= size && size <= high && low >= 0).toBe(true);
    }
  });

  it('is compared over the horizon that is nearest', () => {
    expect([1, 9, 10, 45, 75, 180].map(horizonOf)).toEqual([7, 7, 14, 60, 90, 180]);
  });
});
