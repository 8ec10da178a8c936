import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('of two processes share one rate: no more than the burst and what time has filled', async () => {
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

it('of one platform are no concern of another', async () => {
  const tokens = createTokenBucket(database.db, { perS: 1, liveShare: 0.5 });
  await tokens.take('youtube', 'crawl');
  await database.db.query(
    `update crawl.buckets set tokens = 0, at = clock_timestamp() + interval '1 hour' where platform = 'youtube'`,
  );
  await tokens.take('telegram', 'crawl');
  const { rows } = await database.db.query(`select platform from crawl.buckets where tokens = 0 order by 1`);
  expect(rows).toEqual([{ platform: 'telegram' }, { platform: 'youtube' }]);
});

it("that are unused do not accumulate beyond a second's worth", async () => {
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

it('that are held are no way past a pause that another process made', async () => {
  const [here, there] = [
    createTokenBucket(database.db, { perS: 400, liveShare: 0.5 }),
    createTokenBucket(database.db, { perS: 400, liveShare: 0.5 }),
  ];
  await here.take('linkedin', 'crawl');
  await there.pause('linkedin', 60_000);
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
