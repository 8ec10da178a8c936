import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenBucket } from '../../../src/crawlers/engine/token-bucket.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Seconds by the database's clock, which the buckets fill by. */
const clock = async (): Promise<number> => {
  const { rows } = await database.db.query<{ s: number }>(
    'select extract(epoch from clock_timestamp())::float8 as s',
  );
  return rows[0]?.s ?? 0;
};

it('tokens of two processes share one rate: the burst and what time adds', {
  tags: 'long',
}, async () => {
  const rate = 40;
  const sources = [
    createTokenBucket(database.db, { perS: rate, liveShare: 0.5 }),
    createTokenBucket(database.db, { perS: rate, liveShare: 0.5 }),
  ];
  const startedAt = await clock();
  let granted = 0;
  const take = async (source: number) => {
    for (let i = 0; i < 50; i++) {
      await sources[source]?.take('x', 'crawl');
      granted += 1;
    }
  };
  await Promise.all([take(0), take(1), take(0), take(1)]);
  const took = (await clock()) - startedAt;
  expect(granted).toBe(200);
  expect(granted).toBeLessThanOrEqual(rate * took + rate);
});

it('tokens of one platform do not affect another', async () => {
  const tokens = createTokenBucket(database.db, { perS: 1, liveShare: 0.5 });
  await tokens.take('youtube', 'crawl');
  await database.db.query(
    `update crawl.buckets set tokens = 0, at = clock_timestamp() + interval '1 hour' where platform = 'youtube'`,
  );
  await tokens.take('telegram', 'crawl');
  const { rows } = await database.db.query(`select platform from crawl.buckets where tokens = 0 order by 1`);
  expect(rows).toEqual([{ platform: 'telegram' }, { platform: 'youtube' }]);
});

it('unused tokens do not accumulate beyond a second’s worth', async () => {
  const rate = 8;
  const tokens = createTokenBucket(database.db, { perS: rate, liveShare: 0.5 });
  await tokens.take('bluesky', 'crawl');
  await database.db.query(
    `update crawl.buckets set at = clock_timestamp() - interval '1 hour' where platform = 'bluesky'`,
  );
  const startedAt = await clock();
  for (let i = 0; i < 3 * rate; i++) await tokens.take('bluesky', 'crawl');
  const took = (await clock()) - startedAt;
  // What was granted before in one block, the full bucket, and what filled meanwhile.
  expect(3 * rate).toBeLessThanOrEqual(rate / 4 + rate + rate * took);
});

it('held tokens do not bypass another process’s pause', async () => {
  const [here, there] = [
    createTokenBucket(database.db, { perS: 400, liveShare: 0.5 }),
    createTokenBucket(database.db, { perS: 400, liveShare: 0.5 }),
  ];
  await here.take('linkedin', 'crawl');
  await there.open('linkedin', 60_000, 'timeout');
  let used = 0;
  const refused = await (async () => {
    for (;;) {
      try {
        await here.take('linkedin', 'crawl');
        used += 1;
        await new Promise((resolve) => setTimeout(resolve, 10));
      } catch (error) {
        return error;
      }
    }
  })();
  expect(refused).toMatchObject({ reason: 'paused' });
  // A block is a quarter of a second's: a process looks again before it has used one up at its own pace.
  expect(used).toBeLessThan(100);
});

describe('the live share of a rate', () => {
  const SHARED = { perS: 100, liveShare: 0.4 };
  /** The bucket after half a second in which nothing was taken, and one block of the crawl. */
  const afterHalfASecond = async (liveTokens: number) => {
    await createTokenBucket(database.db, SHARED).take('instagram', 'crawl');
    await database.db.query(
      `update crawl.buckets set tokens = 0, live_tokens = $1, at = clock_timestamp() - interval '500 ms'
       where platform = 'instagram'`,
      [liveTokens],
    );
    await createTokenBucket(database.db, SHARED).take('instagram', 'crawl');
    const { rows } = await database.db.query<{ tokens: number; live_tokens: number }>(
      `select tokens, live_tokens from crawl.buckets where platform = 'instagram'`,
    );
    return rows[0] as { tokens: number; live_tokens: number };
  };

  it('goes to the crawl while live reads leave it', async () => {
    const idle = await afterHalfASecond(40);
    expect(idle.live_tokens).toBe(40);
    // 60 % and 40 % of half a second, less a block of 25.
    expect(idle.tokens).toBeGreaterThanOrEqual(24.9);
  });

  it('is kept for live reads while they use it', async () => {
    const busy = await afterHalfASecond(0);
    expect(busy.live_tokens).toBeGreaterThanOrEqual(20);
    expect(busy.live_tokens).toBeLessThanOrEqual(40);
  });

  it('bounds live reads, however many there are', { tags: 'long' }, async () => {
    const tokens = createTokenBucket(database.db, { perS: 0.2, liveShare: 0.5 });
    await tokens.take('telegram', 'crawl');
    await database.db.query(
      `update crawl.buckets set tokens = 60, live_tokens = 1, at = clock_timestamp()
       where platform = 'telegram'`,
    );
    await tokens.take('telegram', 'live');
    const none = tokens
      .take('telegram', 'live', AbortSignal.timeout(100))
      .catch((error: Error) => error.message);
    expect(await none).toContain('Aborted');
  });
});
