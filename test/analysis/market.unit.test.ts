import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { predictionQuantile } from '../../src/analysis/growth-projection.ts';
import {
  type Comparable,
  fitPrices,
  type PricedAccount,
  placementLaw,
  postPriceOf,
  valueAccount,
} from '../../src/analysis/market.ts';
import { binOf } from '../../src/kernel/log-bins.ts';
import { normals } from './post-samples.ts';

/** Sales by a law of its own: not that of any world. */
const salesOf = (n: number, seed: number, given: Partial<Comparable> = {}): readonly Comparable[] => {
  const draw = normals(seed);
  return Array.from({ length: n }, (_, i) => {
    const platform = i % 2 === 0 ? ('x' as const) : ('tiktok' as const);
    const followers = Math.max(1, Math.round(5_000 * Math.exp(2 * draw())));
    const ageYears = i % 5 === 0 ? null : 6 + 2 * draw();
    const engagementRate = i % 7 === 0 ? null : 0.02 * Math.exp(0.8 * draw());
    const level = platform === 'x' ? 0 : 1.2;
    const rate = engagementRate === null ? 0 : 0.35 * Math.log(engagementRate / 0.02);
    const price =
      4e6 * Math.exp(0.65 * Math.log(followers) + level + 0.1 * ((ageYears ?? 6) - 6) + rate + 0.6 * draw());
    return { platform, followers, ageYears, engagementRate, price, ...given };
  });
};

describe('the quantile of a next value', () => {
  it('uses ranks of n + 1, and the extremes beyond them', () => {
    expect(predictionQuantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(predictionQuantile([1, 2, 3, 4], 0.2)).toBe(1);
    expect(predictionQuantile([1, 2, 3, 4], 0.01)).toBe(1);
    expect(predictionQuantile([1, 2, 3, 4], 0.99)).toBe(4);
  });

  it('covers a next value as often as it says, in small samples too', () => {
    const draw = normals(5);
    let hits = 0;
    for (let round = 0; round < 4_000; round++) {
      const sample = Array.from({ length: 19 }, draw).sort((a, b) => a - b);
      const next = draw();
      if (predictionQuantile(sample, 0.1) <= next && next <= predictionQuantile(sample, 0.9)) hits += 1;
    }
    expect(hits / 4_000).toBeGreaterThan(0.78);
    expect(hits / 4_000).toBeLessThan(0.82);
  });
});

describe('a valuation', () => {
  it('recovers the law that sales were drawn from', () => {
    const law = fitPrices(salesOf(4_000, 1));
    if (law === null) throw new Error('no law');
    const account = { platform: 'x', followers: 10_000, ageYears: 6, engagementRate: 0.02 } as const;
    const value = (more: object) => valueAccount(law, { ...account, ...more })?.mid ?? Number.NaN;
    expect(Math.log(value({ followers: 100_000 }) / value({})) / Math.LN10).toBeCloseTo(0.65, 1);
    expect(Math.log(value({ platform: 'tiktok' }) / value({}))).toBeCloseTo(1.2, 0);
    expect(Math.log(value({ ageYears: 10 }) / value({})) / 4).toBeCloseTo(0.1, 1);
    expect(Math.log(value({ engagementRate: 0.2 }) / value({})) / Math.LN10).toBeCloseTo(0.35, 1);
    expect(value({})).toBeGreaterThan(0.9 * 4e6 * 10_000 ** 0.65);
    expect(value({})).toBeLessThan(1.1 * 4e6 * 10_000 ** 0.65);
  });

  it('covers four fifths of further sales, with few comparables or many', () => {
    for (const n of [24, 60, 400]) {
      let [hits, all] = [0, 0];
      for (let seed = 0; seed < 40; seed++) {
        const law = fitPrices(salesOf(n, 100 + seed));
        for (const sale of salesOf(50, 500 + seed)) {
          const value = law === null ? null : valueAccount(law, sale);
          if (value === null) continue;
          all += 1;
          if (value.low <= sale.price && sale.price <= value.high) hits += 1;
        }
      }
      expect(hits / all, `${n} comparables`).toBeGreaterThan(0.76);
      expect(hits / all, `${n} comparables`).toBeLessThan(0.84);
    }
  });

  it('is the typical sale times its factors, unknown ones left out', () => {
    const law = fitPrices(salesOf(300, 2));
    if (law === null) throw new Error('no law');
    const account = { platform: 'tiktok', followers: 70_000, ageYears: null, engagementRate: 0.05 } as const;
    const value = valueAccount(law, account);
    const product = value?.factors.reduce((sum, { multiple }) => sum * (multiple ?? 1), 1) ?? 0;
    expect((value?.typical ?? 0) * product).toBeCloseTo(value?.mid ?? -1, -2);
    expect(value?.factors.find(({ factor }) => factor === 'age')).toEqual({ factor: 'age', multiple: null });
    expect(value?.isBeyond).toBe(false);
    expect(valueAccount(law, { ...account, followers: 2e9 })?.isBeyond).toBe(true);
  });

  it('needs ten comparables, ten of them of the platform', () => {
    expect(fitPrices(salesOf(9, 3))).toBeNull();
    const law = fitPrices([...salesOf(40, 4, { platform: 'x' }), ...salesOf(9, 5, { platform: 'youtube' })]);
    if (law === null) throw new Error('no law');
    const account = { followers: 1_000, ageYears: null, engagementRate: null } as const;
    expect(valueAccount(law, { ...account, platform: 'x' })).not.toBeNull();
    expect(valueAccount(law, { ...account, platform: 'youtube' })).toBeNull();
    expect(valueAccount(law, { ...account, platform: 'bluesky' })).toBeNull();
  });

  it.each([
    // At prices that stand out, and at those that hide among honest ones.
    { invented: 10, distances: [3, 4, 8, 20], most: 0.05 },
    { invented: 40, distances: [3, 4, 8, 20], most: 0.25 },
    { invented: 10, distances: [0.5, 1, 1.5, 2], most: 0.1 },
    { invented: 40, distances: [0.5, 1, 1.5, 2], most: 0.45 },
  ])(
    'is moved by $invented invented of 210 sales $distances deviations off by $most at most',
    ({ invented, distances, most }) => {
      const honest = salesOf(210 - invented, 47, { platform: 'x' });
      const others = salesOf(600, 48).filter(({ platform }) => platform !== 'x');
      const target = { platform: 'x', followers: 5_000, ageYears: 6, engagementRate: 0.02 } as const;
      const law = fitPrices([...others, ...honest]);
      const midOf = (of: typeof law, account: PricedAccount) =>
        (of === null ? null : valueAccount(of, account))?.mid ?? Number.NaN;
      const places = [(n: number) => honest[n] as Comparable, () => ({ ...target, followers: 5e9 })];
      for (const distance of distances)
        for (const side of [-1, 1])
          for (const place of places) {
            const fakes = Array.from({ length: invented }, (_, n) => {
              const account = { ...place(n), platform: 'x' as const };
              return { ...account, price: midOf(law, account) * Math.exp(side * distance * 0.6) };
            });
            const moved = midOf(fitPrices([...others, ...honest, ...fakes]), target) / midOf(law, target);
            expect(Math.abs(Math.log(moved))).toBeLessThan(Math.log1p(most));
          }
    },
  );

  it('has finite, ordered bounds for any sales', () => {
    const sale = fc.record({
      platform: fc.constantFrom('x' as const, 'telegram' as const),
      followers: fc.integer({ min: 1, max: 1e9 }),
      // Days, and interactions by follower: no smaller fraction is measured of an account.
      ageYears: fc.option(fc.integer({ min: 0, max: 9_125 }).map((days) => days / 365)),
      engagementRate: fc.option(fc.integer({ min: 0, max: 3e9 }).map((n) => n / 1e9)),
      price: fc.integer({ min: 1, max: 1e15 }),
    });
    fc.assert(
      fc.property(fc.array(sale, { minLength: 10, maxLength: 40 }), sale, (sales, account) => {
        const law = fitPrices(sales);
        const value = law === null ? null : valueAccount(law, account);
        if (value === null) return;
        expect(value.low).toBeGreaterThan(0);
        expect(Number.isFinite(value.high)).toBe(true);
        expect(value.low <= value.mid && value.mid <= value.high).toBe(true);
      }),
      // Each step towards a smaller counterexample fits a law: there may be no end of them.
      { endOnFailure: true },
    );
  });
});

describe('the price of a post', () => {
  const stated = (cpms: readonly number[]) =>
    [...Map.groupBy(cpms.map(binOf), (bin) => bin)]
      .map(([bin, all]) => ({ bin, n: all.length }))
      .sort((a, b) => a.bin - b.bin);
  const CPMS = Array.from({ length: 101 }, (_, n) => 1e6 * 1.05 ** n);
  const priceOf = (
    cpms: readonly number[],
    ratios: readonly number[],
    views: { value: number; low: number; high: number },
  ) => {
    const law = placementLaw(stated(cpms), ratios);
    return law === null ? null : postPriceOf(law, views);
  };
  const SURE = { value: 20_000, low: 20_000, high: 20_000 };

  it('is the median price per thousand views times the views, within the placements’ quantiles', () => {
    const price = priceOf(CPMS, [], SURE);
    expect(price?.basis).toBe('stated_views');
    expect((price?.mid ?? 0) / (20e6 * 1.05 ** 50)).toBeCloseTo(1, 1);
    const steps = Math.log((price?.high ?? 0) / (price?.mid ?? 1)) / Math.log(1.05);
    expect(steps).toBeGreaterThan(38);
    expect(steps).toBeLessThan(43);
  });

  it('is less certain when the views are', () => {
    const at = (low: number, high: number) => {
      const price = priceOf(CPMS, [], { value: 20_000, low, high });
      return (price?.high ?? 0) / (price?.low ?? 1);
    };
    expect(at(2_000, 200_000)).toBeGreaterThan(1.15 * at(19_000, 21_000));
  });

  it('compares stated with measured views where twenty placements have both', () => {
    // Offers state twice the views that their posts have.
    const ratios = new Array<number>(20).fill(2);
    const [plain, held] = [priceOf(CPMS, [], SURE), priceOf(CPMS, ratios, SURE)];
    expect(held?.basis).toBe('measured_views');
    expect((held?.mid ?? 0) / (plain?.mid ?? 1)).toBeCloseTo(2, 1);
    expect(priceOf(CPMS, ratios.slice(1), SURE)?.basis).toBe('stated_views');
    const spread = Array.from({ length: 60 }, (_, n) => 2 * 1.1 ** (n - 30));
    const wide = priceOf(CPMS, spread, SURE);
    expect((wide?.high ?? 0) / (wide?.low ?? 1)).toBeGreaterThan((held?.high ?? 0) / (held?.low ?? 1));
  });

  it('covers four fifths of further prices, by placements and loosely stated views', {
    tags: 'long',
  }, () => {
    let [hits, all] = [0, 0];
    for (let seed = 0; seed < 60; seed++) {
      const draw = normals(seed);
      const cpms = Array.from({ length: 150 }, () => 8e6 * Math.exp(0.6 * draw()));
      const ratios = Array.from({ length: 40 }, () => 1.3 * Math.exp(0.4 * draw()));
      for (let n = 0; n < 50; n++) {
        const views = 10_000 * Math.exp(draw());
        const paid = (8e6 * Math.exp(0.6 * draw()) * 1.3 * Math.exp(0.4 * draw()) * views) / 1_000;
        const price = priceOf(cpms, ratios, { value: views, low: views, high: views });
        all += 1;
        if (price !== null && price.low <= paid && paid <= price.high) hits += 1;
      }
    }
    expect(hits / all).toBeGreaterThan(0.77);
    expect(hits / all).toBeLessThan(0.83);
  });

  it('needs ten placements, and views', () => {
    expect(placementLaw(stated(CPMS.slice(0, 9)), [])).toBeNull();
    expect(priceOf(CPMS.slice(0, 10), [], SURE)).not.toBeNull();
    expect(priceOf(CPMS, [], { ...SURE, value: 0 })).toBeNull();
  });
});
