import { describe, expect, it } from 'vitest';
import { forecastTuning, type PoolForecast } from '../../../src/operations/pools/forecast.ts';
import { DAY_S, type Measured, type Mix, openVirtualCrawl } from './virtual-crawl.ts';

const DAYS = (days: number) => days * DAY_S;
const BOUNDS = { refresh_min_s: DAYS(1), refresh_max_s: DAYS(16) };
const FIXED = { refresh: 'fixed' as const, refresh_min_s: DAYS(4), refresh_max_s: DAYS(16) };

/** Frozen before the forecast was made. */
const MIXES: Readonly<Record<string, Mix>> = {
  'a pool with a lesser greatest age': {
    seed: 41,
    requestsPerDay: 2_000,
    pools: [{ pool: 'one', accounts: 250, requests: 2, settings: BOUNDS }],
    tuned: 'one',
    change: { refresh_max_s: DAYS(6) },
  },
  'two pools that want more than the platform allows, one with a larger share': {
    seed: 42,
    requestsPerDay: 120,
    pools: [
      { pool: 'one', accounts: 150, requests: 3, settings: { ...FIXED, refresh_min_s: DAYS(2) } },
      { pool: 'two', accounts: 150, requests: 1, settings: { ...BOUNDS, refresh_max_s: DAYS(4) } },
    ],
    tuned: 'one',
    change: { share: 3 },
  },
  'a pool with fixed intervals that gets a number of requests a day': {
    seed: 43,
    requestsPerDay: 1_000,
    pools: [
      { pool: 'one', accounts: 200, requests: 2, settings: FIXED },
      { pool: 'two', accounts: 60, requests: 2, settings: BOUNDS },
    ],
    tuned: 'one',
    change: { refresh: 'by_change', refresh_min_s: DAYS(1), requests_per_day: 60 },
  },
  'a pool that is crawled at night alone': {
    seed: 44,
    requestsPerDay: 2_000,
    pools: [{ pool: 'one', accounts: 200, requests: 1, settings: { ...FIXED, refresh_min_s: DAYS(2) } }],
    tuned: 'one',
    change: { schedule: '* 0-5 * * *' },
  },
  'a pool with accounts that do not exist, beside two others, read half as often': {
    seed: 45,
    requestsPerDay: 400,
    pools: [
      { pool: 'one', accounts: 120, absent: 0.2, requests: 3, settings: BOUNDS },
      { pool: 'two', accounts: 90, requests: 1, settings: { ...FIXED, share: 5 } },
      { pool: 'three', accounts: 90, requests: 2, settings: { ...BOUNDS, share: 0.5 } },
    ],
    tuned: 'one',
    change: { refresh_factor: 2 },
  },
};

/** Days until coefficients are known, until all accounts follow a change, and that are measured. */
const [LEARNED, SETTLED, WINDOW] = [40, 34, 24];

const ratios = (forecast: PoolForecast, { requestsPerDay, ageP50S, ageP95S }: Measured) => ({
  requests: forecast.requests_per_day / requestsPerDay,
  median: (forecast.age_p50_s ?? Number.NaN) / ageP50S,
  p95: (forecast.age_p95_s ?? Number.NaN) / ageP95S,
});

describe('the forecast of a change is within a fifth of the simulated crawl that follows', () => {
  it.for(Object.entries(MIXES))('for %s', { tags: ['long'] }, async ([, mix], { annotate }) => {
    const crawl = await openVirtualCrawl(mix);
    try {
      await crawl.crawl(LEARNED);
      crawl.measured(LEARNED);
      await crawl.crawl(WINDOW);
      const before = crawl.measured(WINDOW);
      const change = await crawl.settingsOf(mix.change);
      const forecast = await forecastTuning(crawl.context, mix.tuned, change);
      await crawl.tune(change);
      await crawl.crawl(SETTLED);
      crawl.measured(SETTLED);
      await crawl.crawl(WINDOW);
      const after = crawl.measured(WINDOW);
      await annotate(JSON.stringify({ forecast, before, after }));
      for (const found of [ratios(forecast.before, before), ratios(forecast.after, after)])
        for (const [figure, ratio] of Object.entries(found)) {
          expect(ratio, figure).toBeGreaterThan(0.8);
          expect(ratio, figure).toBeLessThan(1.2);
        }
    } finally {
      await crawl.close();
    }
  });
});
