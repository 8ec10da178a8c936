import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Platform } from '../../../infra/simulator/simulated-platforms.ts';
import type { Engine } from '../../../src/crawlers/engine/engine.ts';
import { createTokenBucket } from '../../../src/crawlers/engine/token-bucket.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { ident, sql } from '../../../src/kernel/postgres/statement.ts';
import { controlEngine } from '../../../src/operations/engines/engines.ts';
import { createControlCopies, engineStream } from '../../../src/write/engines.ts';
import { createTestCrawl, type TestCrawl } from '../../support/crawl.ts';
import { until } from '../../support/wait.ts';

const WORKERS = ['second', 'third'];
/** What an operator is promised. */
const EFFECT_MS = 2_000;

let crawl: TestCrawl;
let others: Engine[];
beforeAll(async () => {
  crawl = await createTestCrawl({ size: 400, ratePerS: 50 });
  others = (['x', 'bluesky'] as const).flatMap((platform) =>
    WORKERS.map((worker) => crawl.engineOfProcess(platform, worker)),
  );
  await crawl.seed(100);
  crawl.run();
  for (const engine of others) void engine.run();
});
afterAll(async () => {
  await Promise.all(others.map((engine) => engine.stop()));
  await crawl.close();
});

const started = (platform: Platform): readonly number[] => crawl.startedAt.get(platform) ?? [];
const total = (platform: Platform): number => crawl.simulator.requests[platform].total;
const isMore = (platform: Platform, than: number, by: number) => () => total(platform) >= than + by;
const control = (platform: Platform, command: Parameters<typeof controlEngine>[2]) =>
  controlEngine(crawl.program, platform, command);
const typesOf = async (platform: Platform): Promise<readonly string[]> =>
  (await crawl.program.log.readStream(engineStream(platform))).map(({ type }) => type);

/** Accounts are due whenever engines look: their rows say so, whatever was read. */
const keepDue = async (platform: Platform): Promise<void> => {
  await crawl.program.db.query(sql`
    update ${ident(crawl.builds.schema('frontier'))}.due set due_at = now() - interval '1 hour'
      where platform = ${platform}`);
  await crawl.program.db.query(sql`delete from crawl.leases where platform = ${platform} and until < now()`);
};

beforeEach(async () => {
  for (const platform of ['x', 'bluesky'] as const) await control(platform, { do: 'resume' });
});

describe('a paused engine', () => {
  it('starts no request in any of three processes two seconds later, while other platforms are read', {
    tags: 'long',
  }, async () => {
    await until('x is read', isMore('x', 0, 20));
    expect(await control('x', { do: 'pause', why: 'a test' })).toBe(true);
    const pausedAt = Date.now();
    await until('that was in effect', () => Date.now() > pausedAt + EFFECT_MS);
    await until('what was started before has been answered', () => crawl.inFlight('x') === 0);
    const before = total('x');
    const elsewhere = total('bluesky');
    await keepDue('bluesky');
    await until('another platform is read', isMore('bluesky', elsewhere, 40));
    expect(started('x').filter((at) => at > pausedAt + EFFECT_MS)).toEqual([]);
    expect(total('x')).toBe(before);
    const { rows } = await crawl.program.db.query(
      sql`select count(*) as held from crawl.leases where platform = 'x' and until > now() + interval '60 s'`,
    );
    expect(rows).toEqual([{ held: '0' }]);

    expect(await control('x', { do: 'resume' })).toBe(true);
    await keepDue('x');
    await until('x is read again', isMore('x', before, 20));
    expect(await typesOf('x')).toEqual(['EnginePaused', 'EngineResumed']);
  });

  it('lets live reads of the API start', { tags: 'long' }, async () => {
    await control('bluesky', { do: 'pause', why: 'a test' });
    const handle = crawl.registry.adapterOf('bluesky').parseHandle('nobody.bsky.social');
    // A machine that is busy with other things may take longer than the deadline of a live read.
    const { status } = await until('it is answered in time', async () => {
      const answer = await crawl.get(`/accounts/bluesky/${handle}/live`);
      return answer.status !== 504 && answer;
    });
    expect(status).toBe(200);
  });

  it('is paused even if its command ended before it reached the crawlers', async () => {
    const at = new Date().toISOString();
    const event = { id: uuidV7(Date.now()), type: 'EnginePaused', data: { at, why: 'a test' } };
    await crawl.program.log.append(engineStream('bluesky'), [event], 'any');
    await crawl.engines.bluesky.report();
    const { rows } = await crawl.program.db.query(
      sql`select paused from crawl.engine_controls where engine = 'bluesky'`,
    );
    expect(rows).toEqual([{ paused: true }]);
  });

  it('stays paused when an older state of its stream is copied late', async () => {
    const { log, db } = crawl.program;
    await control('bluesky', { do: 'resume' });
    const isRead = Promise.withResolvers<void>();
    const isPaused = Promise.withResolvers<void>();
    const late = createControlCopies(
      {
        ...log,
        readStream: async (stream, options) => {
          const events = await log.readStream(stream, options);
          isRead.resolve();
          await isPaused.promise;
          return events;
        },
      },
      db,
    );
    // Its copy differs, so that it would be written.
    await db.query(sql`update crawl.engine_controls set rate_per_s = 7 where engine = 'bluesky'`);
    const copying = late.copy('bluesky');
    await isRead.promise;
    await control('bluesky', { do: 'pause', why: 'a test' });
    isPaused.resolve();
    expect(await copying).toMatchObject({ paused: true });
    const { rows } = await db.query(
      sql`select paused, rate_per_s from crawl.engine_controls where engine = 'bluesky'`,
    );
    expect(rows).toEqual([{ paused: true, rate_per_s: null }]);
  });

  it('is not paused by a copy from a log that was restored to before the pause', async () => {
    const { log, db } = crawl.program;
    await db.query(sql`
      insert into crawl.engine_controls (engine, revision, paused, rate_per_s) values ('tiktok', 9, true, 0.1)
      on conflict (engine) do update set revision = 9, paused = true, rate_per_s = 0.1`);
    await createControlCopies(log, db).copy('tiktok');
    const { rows } = await db.query(
      sql`select paused, rate_per_s from crawl.engine_controls where engine = 'tiktok'`,
    );
    expect(rows).toEqual([{ paused: false, rate_per_s: null }]);
  });
});

describe('a tuned engine', () => {
  it('shares its rate among all processes, whatever rate they configure', {
    tags: 'long',
  }, async () => {
    const { db } = crawl.program;
    const bucket = (perS: number) => createTokenBucket(db, { perS, liveShare: 0.5 });
    const clock = async (): Promise<number> => {
      const { rows } = await db.query<{ s: number }>(
        sql`select extract(epoch from clock_timestamp())::float8 as s`,
      );
      return rows[0]?.s ?? 0;
    };
    const [slow, fast] = [bucket(0.01), bucket(10_000)];
    await control('linkedin', { do: 'pause', why: 'only the test takes tokens' });
    await control('linkedin', { do: 'tune', ratePerS: 40 });
    // What is left of the configured rate.
    await fast.take('linkedin', 'crawl');
    const from = await clock();
    let granted = 0;
    const take = async (tokens: typeof slow) => {
      for (let n = 0; n < 60; n++) {
        await tokens.take('linkedin', 'crawl');
        granted += 1;
      }
    };
    await Promise.all([take(slow), take(fast)]);
    expect(granted).toBe(120);
    // A second's worth that the bucket held, blocks that were cached, and what has filled since.
    expect(granted).toBeLessThanOrEqual(40 * ((await clock()) - from) + 40 + 20);
  });
});
