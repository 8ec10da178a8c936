import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GrowthPoint, growthOf, platformMoves, theilSen } from '../../src/analysis/growth.ts';
import { paceInterval, paceLawOf } from '../../src/analysis/pace.ts';
import { DAY_MS, NOW, normals } from './post-samples.ts';

const WEEK_MS = 7 * DAY_MS;

/** A random walk of ln followers, with a drift a day. */
const walkOf = (
  seed: number,
  days: number,
  sigma: number,
  drift: number,
  from = 50_000,
): readonly GrowthPoint[] => {
  const draw = normals(seed);
  let ln = Math.log(from);
  return Array.from({ length: days }, (_, n) => {
    if (n > 0) ln += drift + sigma * draw();
    return { atMs: NOW + n * DAY_MS, followers: Math.round(Math.exp(ln)) };
  });
};

describe('growth', () => {
  it('has an interval that contains the drift of a random walk 95 times in 100', () => {
    const held = Array.from({ length: 400 }, (_, seed) =>
      growthOf(walkOf(seed + 1, 60, 0.003, 0.001)),
    ).filter(
      (growth) => growth?.per_day_pct && growth.per_day_pct.low <= 0.1 && growth.per_day_pct.high >= 0.1,
    );
    expect(held.length / 400).toBeGreaterThan(0.91);
    expect(held.length / 400).toBeLessThan(0.985);
  });

  it('separates a purge of the platform from the account’s own loss', () => {
    const purgeAt = NOW + 20 * DAY_MS;
    const series = Array.from({ length: 60 }, (_, seed) =>
      walkOf(seed + 1, 40, 0.0005, 0, 20_000).map(({ atMs, followers }) => ({
        atMs: atMs + seed * 600_000,
        followers: atMs > purgeAt ? Math.round(followers * 0.96) : followers,
      })),
    );
    const moves = platformMoves(series);
    expect(moves).toHaveLength(1);
    expect(moves[0]?.change).toBeCloseTo(Math.log(0.96), 2);
    const own = series[0]?.map((point, i) => ({
      ...point,
      followers: i > 30 ? Math.round(point.followers * 0.9) : point.followers,
    }));
    const causes = growthOf(own ?? [], moves)?.anomalies.map(({ cause }) => cause);
    expect(causes).toEqual(['platform', 'own']);
  });

  it('reports no anomaly when an account with few followers gains one', () => {
    const points = Array.from({ length: 30 }, (_, n) => ({
      atMs: NOW + n * DAY_MS,
      followers: n < 15 ? 40 : 41,
    }));
    const growth = growthOf(points);
    expect(growth?.anomalies).toEqual([]);
    expect(growth?.per_day_pct && growth.per_day_pct.high > 0 && growth.per_day_pct.low < 0).toBe(true);
  });

  it('reports no anomaly when rounded followers move by one step', () => {
    const points = Array.from({ length: 40 }, (_, n) => ({
      atMs: NOW + n * DAY_MS,
      followers: 12_300 + (n % 8 === 7 ? 200 : n % 8 === 3 ? 100 : 0),
    }));
    expect(growthOf(points)?.anomalies).toEqual([]);
    // Exact ones show a jump of the same size.
    const exact = points.map(({ atMs }, n) => ({ atMs, followers: 1_234 + (n > 20 ? 101 : 0) + (n % 2) }));
    expect(growthOf(exact)?.anomalies.map(({ cause }) => cause)).toEqual(['own']);
  });

  it('treats readings within the same hours as one', () => {
    const daily = walkOf(3, 30, 0.001, 0);
    const twice = daily.flatMap((point) => [
      point,
      { atMs: point.atMs + 5_000, followers: point.followers + 300 },
    ]);
    const growth = growthOf(twice);
    expect(growth).toMatchObject({ n: 30, anomalies: [] });
    expect(growth?.per_day_pct).toEqual(growthOf(daily)?.per_day_pct);
    expect(growth?.delta).toBe((twice.at(-1)?.followers ?? 0) - (twice[0]?.followers ?? 0));
    const seconds = daily.map((point, n) => ({ ...point, atMs: NOW + n * 1_000 }));
    expect(growthOf(seconds)).toMatchObject({ n: 1, per_day_pct: null, anomalies: [] });
  });

  it('has a change but no slope below 8 readings', () => {
    expect(growthOf(walkOf(1, 7, 0, 0.01))).toMatchObject({ per_day_pct: null, n: 7 });
    expect(growthOf(walkOf(1, 1, 0, 0))).toBeNull();
  });
});

const points = fc
  .uniqueArray(fc.integer({ min: -500, max: 500 }), { minLength: 3, maxLength: 40 })
  .chain((xs) => fc.tuple(...xs.map((x) => fc.integer({ min: -500, max: 500 }).map((y) => ({ x, y })))));

describe('Theil–Sen’s slope', () => {
  it('does not depend on order, scales with its input, and adds the slope of a line that is added', () => {
    fc.assert(
      fc.property(
        points,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: -9, max: 9 }),
        (some, scale, line) => {
          const slope = theilSen(some);
          expect(theilSen(some.toReversed())).toBeCloseTo(slope, 9);
          expect(theilSen(some.map(({ x, y }) => ({ x, y: scale * y + 7 })))).toBeCloseTo(scale * slope, 9);
          expect(theilSen(some.map(({ x, y }) => ({ x: x + 3, y: y + line * x })))).toBeCloseTo(
            slope + line,
            9,
          );
          expect(theilSen(some.map(({ x, y }) => ({ x: scale * x, y })))).toBeCloseTo(slope / scale, 9);
        },
      ),
    );
  });

  it('is undefined if all points have the same time', () => {
    expect(
      theilSen([
        { x: 1, y: 1 },
        { x: 1, y: 2 },
      ]),
    ).toBeNaN();
  });
});

describe('posts a week', () => {
  /** Accounts whose ln rate and ln counts of 30 days vary by these deviations. */
  const catalogOf = (draw: () => number, rates: number, windows: number) =>
    Array.from({ length: 2_000 }, () => {
      const rate = Math.exp(3 + rates * draw());
      const count = () => Math.round(rate * Math.exp(windows * draw()));
      return { before: count(), now: count(), weeks: 30 / 7 };
    });

  it('lie within their interval, which narrows as posts increase', () => {
    const law = { ...paceLawOf([]), rates: { mean: 1, variance: 2 } };
    const intervalOf = (posts: number) => paceInterval(posts, 30 * DAY_MS, law) ?? { low: 0, high: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), (posts) => {
        const counted = (posts * WEEK_MS) / (30 * DAY_MS);
        const { low, high } = intervalOf(posts);
        expect(low <= counted && counted <= high && low >= 0).toBe(true);
      }),
    );
    const relative = (posts: number) => {
      const { low, high } = intervalOf(posts);
      return high / low;
    };
    expect(relative(200)).toBeLessThan(relative(20));
  });

  it('have no interval where too few accounts tell how much of a count is chance', () => {
    expect(paceInterval(20, 30 * DAY_MS, paceLawOf([]))).toBeNull();
    expect(paceInterval(20, 30 * DAY_MS, paceLawOf([{ before: 3, now: 9, weeks: 4 }]))).toBeNull();
  });

  it('have an interval that holds the rate of accounts that were asked about because they post enough', () => {
    const draw = normals(11);
    const law = paceLawOf(catalogOf(draw, 1, 0.6));
    let [asked, held] = [0, 0];
    while (asked < 4_000) {
      const rate = Math.exp(3 + draw()) / (30 / 7);
      const posts = Math.round((rate * 30 * Math.exp(0.6 * draw())) / 7);
      if (posts < 8) continue;
      const { low, high } = paceInterval(posts, 30 * DAY_MS, law) ?? { low: 0, high: 0 };
      asked += 1;
      if (low <= rate && rate <= high) held += 1;
    }
    expect(held / asked).toBeGreaterThan(0.93);
  });

  it('have the spread of the catalog’s windows', () => {
    const law = paceLawOf(catalogOf(normals(5), 1, 0.5));
    // The variance of counts of some 20 to 60 is 0.25.
    expect(law.variances[6]).toBeCloseTo(0.25, 1);
    expect(law.rates?.mean).toBeCloseTo(3 - Math.log(30 / 7), 0);
    // A count that is almost chance is drawn to the catalog's rates, however short the window is.
    const noisy = { ...law, variances: law.variances.map(() => 0.9) };
    const highOf = (days: number) => paceInterval(8, days * DAY_MS, noisy)?.high ?? 0;
    expect(highOf(7) / highOf(30)).toBeLessThan(30 / 7);
  });
});
