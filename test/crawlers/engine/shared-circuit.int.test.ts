import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { truthOf } from '../../../infra/simulator/ground-truth.ts';
import type { Platform } from '../../../infra/simulator/simulated-platforms.ts';
import { createTokenBucket } from '../../../src/crawlers/engine/token-bucket.ts';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { controlEngine, openEngineReads } from '../../../src/operations/engines/engines.ts';
import { engineStream } from '../../../src/write/engines.ts';
import { createTestCrawl, NOW, type TestCrawl } from '../../support/crawl.ts';
import { until } from '../../support/wait.ts';

const DAY = 86_400_000;

let crawl: TestCrawl;
beforeAll(async () => {
  crawl = await createTestCrawl({ size: 40, limits: { retries: 0 }, retryMs: 60_000 });
  await crawl.seed(4);
  crawl.run();
  await crawl.settled();
});
afterAll(() => crawl.close());
beforeEach(async () => {
  crawl.simulator.faults.clear();
  await crawl.program.db.query(sql`update crawl.buckets set paused_until = null`);
});

const someone = (platform: Platform): string => {
  for (let index = 0; ; index++) {
    const truth = truthOf(crawl.simulator.world, platform, index, NOW);
    if (truth.visible[0]?.status === 'present') return truth.handle;
  }
};
const live = (platform: Platform) =>
  crawl.get(`/accounts/${platform}/${encodeURIComponent(someone(platform))}/live`);
const otherProcess = () => createTokenBucket(crawl.program.db, { perS: 100, liveShare: 0.5 });

describe('a platform that limits requests', () => {
  it('gets no live reads either, which say at once how long to wait', async () => {
    const handle = someone('telegram');
    crawl.simulator.faults.set('telegram', 'rate_limited', { retryAfterS: 120 });
    await crawl.makeDue('telegram', [handle]);
    await until('all processes know of it', async () => (await otherProcess().openForMs('telegram')) > 0);
    const before = crawl.simulator.requests.telegram.total;
    crawl.simulator.faults.clear();
    const { status, body, headers } = await live('telegram');
    expect(status).toBe(503);
    expect(body.error.code).toBe('platform_rate_limited');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(100);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(120);
    await expect(otherProcess().take('telegram', 'crawl')).rejects.toMatchObject({ reason: 'paused' });
    expect(crawl.simulator.requests.telegram.total).toBe(before);
  });

  it('gets nothing from any process once one process was limited', async () => {
    await otherProcess().open('bluesky', 60_000, 'timeout');
    // Tokens that it holds already are good until it looks again.
    await until('this process knows of it', () =>
      crawl.http.fetch({ platform: 'bluesky', url: 'https://public.api.bsky.app/xrpc/x' }).then(
        () => false,
        (error: unknown) => error instanceof FetchError && error.reason === 'paused',
      ),
    );
    const before = crawl.simulator.requests.bluesky.total;
    await crawl.makeDue('bluesky', [someone('bluesky')]);
    await until('the crawl has released what it was to read', async () => {
      const { rows } = await crawl.program.db.query(
        sql`select from crawl.leases where platform = 'bluesky' and until = 'epoch'`,
      );
      return rows.length > 0;
    });
    expect(crawl.simulator.requests.bluesky.total).toBe(before);
  });

  it('limits one live read without stopping the crawl', async () => {
    crawl.simulator.faults.set('youtube', 'rate_limited', { retryAfterS: 60 });
    const { status, headers } = await live('youtube');
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    expect(await otherProcess().openForMs('youtube')).toBe(0);
  });

  it('opens the circuit for a day at most, whatever it asks', async () => {
    crawl.simulator.faults.set('tiktok', 'rate_limited', { retryAfterS: 999_999_999 });
    const { status, headers } = await live('tiktok');
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(DAY / 1_000);
    await crawl.makeDue('tiktok', [someone('tiktok')]);
    await until(
      'the engine has opened the breaker',
      async () => (await otherProcess().openForMs('tiktok')) > 0,
    );
    expect(await otherProcess().openForMs('tiktok')).toBeLessThanOrEqual(DAY);
    const { rows } = await crawl.program.db.query<{ days: number }>(sql`
      select extract(epoch from max(until) - now()) / 86400 as days from crawl.leases where platform = 'tiktok'`);
    expect(Number(rows[0]?.days)).toBeLessThanOrEqual(1);
    await otherProcess().open('tiktok', Number.MAX_SAFE_INTEGER, 'timeout');
    expect(await otherProcess().openForMs('tiktok')).toBeLessThanOrEqual(DAY);
  });
});

describe('a pause', () => {
  it('of one platform does not affect another, and the longer of two holds', async () => {
    const [one, two] = [otherProcess(), otherProcess()];
    await one.open('linkedin', 50_000, 'timeout');
    await two.open('linkedin', 10_000, 'timeout');
    expect(await two.openForMs('linkedin')).toBeGreaterThan(40_000);
    expect(await two.openForMs('youtube')).toBe(0);
    await two.take('youtube', 'crawl');
  });

  it('ends in all processes when an operator resumes the engine, who sees its end and its reason', async () => {
    const [one, two] = [otherProcess(), otherProcess()];
    await one.open('instagram', 500_000, 'login_wall');
    const reads = await openEngineReads(crawl.program);
    const pauseOf = async () => (await reads.read('1h')).find(({ key }) => key === 'instagram')?.pause;
    expect(await pauseOf()).toMatchObject({ why: 'login_wall' });
    expect(await controlEngine(crawl.program, 'instagram', { do: 'resume' })).toBe(true);
    expect(await controlEngine(crawl.program, 'instagram', { do: 'resume' })).toBe(false);
    expect(await pauseOf()).toBeNull();
    const recorded = await crawl.program.log.readStream(engineStream('instagram'));
    expect(recorded.filter(({ type }) => type === 'EngineRestEnded')).toHaveLength(1);
    await reads.close();
    await expect(two.take('instagram', 'crawl')).resolves.toBeUndefined();
  });

  it('ends by itself and lets requests out again', async () => {
    const [one, two] = [otherProcess(), otherProcess()];
    await one.open('x', 150, 'timeout');
    expect(await two.openForMs('x')).toBeLessThanOrEqual(150);
    await until('it is over', async () => (await two.openForMs('x')) === 0);
    await expect(two.take('x', 'crawl')).resolves.toBeUndefined();
    await expect(one.take('x', 'crawl')).resolves.toBeUndefined();
  });
});
