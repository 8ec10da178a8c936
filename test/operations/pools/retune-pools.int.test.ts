import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenBucket } from '../../../src/crawlers/engine/token-bucket.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { forecastTuning, retunePools } from '../../../src/operations/pools/forecast.ts';
import { poolNamed } from '../../../src/operations/pools/pools.ts';
import { DAY_S, openVirtualCrawl } from './virtual-crawl.ts';

const REQUESTS = 40;

let crawl: Awaited<ReturnType<typeof openVirtualCrawl>>;
beforeAll(async () => {
  const settings = { refresh_min_s: DAY_S / 2, refresh_max_s: 30 * DAY_S };
  crawl = await openVirtualCrawl({
    seed: 46,
    requestsPerDay: 1_000,
    pools: [{ pool: 'one', accounts: 100, requests: 2, settings }],
    tuned: 'one',
    change: {},
  });
  await crawl.crawl(6);
});
afterAll(() => crawl.close());

const requestsADay = async (): Promise<number> =>
  (await forecastTuning(crawl.context, 'one', {})).before.requests_per_day;

describe('the requests a day of a pool', () => {
  it('are kept as its accounts increase, by a threshold that follows', async () => {
    await crawl.tune(await crawl.settingsOf({ requests_per_day: REQUESTS }));
    expect(await requestsADay()).toBeCloseTo(REQUESTS, 6);
    expect(await retunePools(crawl.context)).toEqual([]);

    await crawl.recruit('one', 60);
    await crawl.follow();
    expect(await requestsADay()).toBeGreaterThan(1.3 * REQUESTS);
    const { refresh_threshold: before } = await poolNamed(crawl.context, 'one');
    expect(await retunePools(crawl.context)).toEqual(['one']);
    await crawl.follow();
    const { refresh_threshold: after } = await poolNamed(crawl.context, 'one');
    expect(after).toBeGreaterThan(before as number);
    expect(await requestsADay()).toBeCloseTo(REQUESTS, 6);
    expect(await retunePools(crawl.context)).toEqual([]);
  });

  it('hold when the bounds of its intervals change, and end with the word none', async () => {
    const bounded = await crawl.settingsOf({ refresh_max_s: 12 * DAY_S });
    expect(bounded.refresh_threshold).toBeGreaterThan(0);
    await crawl.tune(bounded);
    expect(await requestsADay()).toBeCloseTo(REQUESTS, 6);
    expect(await crawl.settingsOf({ share: 2 })).toMatchObject({ share: 2 });
    expect(await crawl.settingsOf({ requests_per_day: null })).toEqual({
      requests_per_day: null,
      refresh_threshold: null,
    });
  });

  it('are refused with fixed intervals, which they cannot change', async () => {
    await expect(crawl.settingsOf({ refresh: 'fixed' })).rejects.toMatchObject({ code: 'pool_invalid' });
    const fixed = await crawl.settingsOf({ refresh: 'fixed', requests_per_day: null });
    expect(fixed).toMatchObject({ refresh: 'fixed', refresh_threshold: null });
  });
});

describe('a forecast’s upper bound', () => {
  const allowed = async () =>
    (await forecastTuning(crawl.context, 'one', {})).before.allowed_requests_per_day;

  it('is what crawlers were last granted, or what an operator set, not the command’s configuration', async () => {
    const { db } = crawl.context;
    expect(await allowed()).toBeCloseTo(1_000, 6);
    const bucket = createTokenBucket(db, { perS: 7, liveShare: 0.5 });
    await bucket.take('x', 'crawl');
    expect(await allowed()).toBeCloseTo(7 * DAY_S, 6);
    await db.query(
      sql`insert into crawl.engine_controls (engine, revision, paused, rate_per_s) values ('x', 0, false, 2)`,
    );
    expect(await allowed()).toBeCloseTo(2 * DAY_S, 6);
  });
});
