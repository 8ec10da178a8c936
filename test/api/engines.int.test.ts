import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../src/kernel/ids.ts';
import type { Source } from '../../src/kernel/platform.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { type EngineState, readEngines, WINDOWS } from '../../src/read/engines.ts';
import { engineReportStream, engineStream } from '../../src/write/engines.ts';
import { drawnReadings, exactLatency, reportOf, type TestReading } from '../support/engines.ts';
import { offered, placed, plainRecorder } from '../support/market.ts';
import { poolCreated } from '../support/pools.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

const MINUTE = 60_000;
const QUANTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

let program: TestProgram;
let key: string;
let startedAt: number;
/** What X and TikTok read, in the last hour and before it. */
let lastHour: readonly TestReading[];
let earlier: readonly TestReading[];

const append = async (stream: string, type: string, data: unknown): Promise<void> => {
  await program.log.append(stream, [{ id: uuidV7(Date.now()), type, data }], 'any');
};

const report = (engine: Source, worker: string, at: number, readings: readonly TestReading[]) =>
  append(engineReportStream(engine), 'CrawlBatchCompleted', reportOf(engine, worker, at, readings));

/** Reports a minute's readings by one process, or by two of which one is restarted in its middle. */
const reportMinute = async (at: number, readings: readonly TestReading[]): Promise<void> => {
  await report('tiktok', 'one', at, readings);
  const third = Math.floor(readings.length / 3);
  await report('x', 'a', at - 20_000, readings.slice(0, third));
  await report('x', 'a restarted', at, readings.slice(third, 2 * third));
  await report('x', 'b', at, readings.slice(2 * third));
};

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
  // Late in the last minute, so that all reports of a minute are in one bucket.
  startedAt = Math.floor(Date.now() / MINUTE) * MINUTE - 10_000;
  const random = seededRandom(3);
  const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  const read = async (ages: readonly number[]): Promise<readonly TestReading[]> => {
    const all: TestReading[] = [];
    for (const age of ages) {
      const readings = drawnReadings(random, 60);
      all.push(...readings);
      await reportMinute(startedAt - age * MINUTE, readings);
    }
    return all;
  };
  earlier = await read(minutes(120, 125));
  lastHour = await read(minutes(0, 20));
  await program.project();
});
afterAll(() => program.close());

const get = (path: string) => program.get(`/v2/engines${path}`, key);
const engineOf = async (name: string, query = '') => (await get(`/${name}${query}`)).body.data;

describe('listEngines', () => {
  it('includes the marketplace’s engine, which has no platform', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body.data.map(({ key: name }: { key: string }) => name)).toEqual([
      'x',
      'instagram',
      'tiktok',
      'youtube',
      'telegram',
      'bluesky',
      'linkedin',
      'marketplace',
    ]);
    expect(body.data.at(-1)).toMatchObject({ platform: null, status: 'idle', backlog: null, pools: [] });
  });

  it('is paged like any list', async () => {
    const first = await get('?limit=5');
    const second = await get(`?limit=5&cursor=${first.body.meta.next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ key: name }) => name).join()).toMatch(
      /^x,.*,marketplace$/,
    );
    expect(second.body.data.length).toBe(3);
    expect(second.body.meta.next_cursor).toBeNull();
  });

  it('shows null, not zero, for what was not reported', async () => {
    const instagram = (await get('')).body.data[1];
    expect(instagram).toMatchObject({
      status: 'idle',
      throughput_per_min: { last_1m: null, last_1h: null, last_24h: null },
      requests_per_min: null,
      success_rate: null,
      outcomes: {},
      latency_ms: { p50: null, p95: null, p99: null },
      freshness: { p50_s: null, p95_s: null, p99_s: null, target_s: null },
      backlog: null,
      oldest_due_s: null,
      last_success_at: null,
      last_error: null,
      workers: 0,
    });
  });
});

describe('getEngine', () => {
  it('answers 404 for an engine that does not exist', async () => {
    const { status, body } = await get('/myspace');
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });

  it('answers 400 for a window that does not exist', async () => {
    expect((await get('/x?window=7d')).status).toBe(400);
  });

  it('gives the same figures for two processes, one restarted, as for one', async () => {
    const lists = program.services.queuedReads.of('tester', 1_000);
    for (const window of WINDOWS) {
      const engines = await readEngines(lists, program.builds, window, startedAt + 15_000);
      const [x, tiktok] = ['x', 'tiktok'].map((name) => engines.find((engine) => engine.key === name));
      const figuresOf = (engine: EngineState | undefined) => [
        engine?.perMin,
        engine?.requestsPerMin,
        engine?.successRate,
        engine?.outcomes,
        engine?.latencyMs,
      ];
      expect(figuresOf(x)).toEqual(figuresOf(tiktok));
      expect(x?.perMin['1m']).toBe(60);
    }
    expect((await engineOf('x')).workers).toBe(3);
    expect((await engineOf('tiktok')).workers).toBe(1);
  });

  it('counts exactly the readings of each window', async () => {
    const { throughput_per_min: perMin, outcomes } = await engineOf('x');
    const read = Object.values<number>(outcomes).reduce((sum, n) => sum + n, 0);
    expect(read).toBe(lastHour.length);
    expect(perMin.last_1h).toBe(lastHour.length / 60);
    const day = await engineOf('x', '?window=24h');
    expect(Object.values<number>(day.outcomes).reduce((sum, n) => sum + n, 0)).toBe(
      lastHour.length + earlier.length,
    );
    const failed = lastHour.filter(({ outcome }) => outcome.startsWith('unknown:')).length;
    expect((await engineOf('x')).success_rate).toBeCloseTo(1 - failed / lastHour.length, 4);
  });

  it.each([
    ['1h', () => lastHour],
    ['24h', () => [...lastHour, ...earlier]],
  ] as const)('has latency percentiles within 5 % of the exact ones, over %s', async (window, readings) => {
    const { latency_ms: latency } = await engineOf('x', `?window=${window}`);
    for (const [name, quantile] of Object.entries(QUANTILES)) {
      const exact = exactLatency(readings(), quantile);
      expect(Math.abs(latency[name] - exact) / exact, `${name} of ${exact} ms`).toBeLessThanOrEqual(0.05);
    }
  });

  it('has the age of the last report, and an ETag that saves a repeated answer', async () => {
    const { body, headers } = await get('/x');
    expect(body.meta.source).toBe('catalog');
    expect(body.meta.cache_age_s).toBeGreaterThanOrEqual(0);
    expect(body.meta.cache_age_s).toBeLessThanOrEqual((Date.now() - startedAt) / 1_000);
    const { status } = await program.get('/v2/engines/marketplace', key, {
      'if-none-match': String((await get('/marketplace')).headers.etag),
    });
    expect([headers.etag !== undefined, status]).toEqual([true, 304]);
  });

  it('is degraded, blocked or paused as its stream says, without texts of operators and platforms', async () => {
    const at = new Date().toISOString();
    const stream = engineStream('tiktok');
    const degraded = (reason: string) =>
      append(stream, 'EngineDegraded', {
        at,
        platform: 'tiktok',
        reason,
        detail: 'secret detail',
        worker: 'one',
      });
    const status = async () => {
      await program.project();
      return (await engineOf('tiktok')).status;
    };
    expect(await status()).toBe('healthy');
    await degraded('layout_changed');
    expect(await status()).toBe('degraded');
    await append(stream, 'EngineRecovered', { at, platform: 'tiktok', worker: 'two' });
    expect(await status()).toBe('healthy');
    await degraded('challenge');
    expect(await status()).toBe('blocked');
    await append(stream, 'EnginePaused', { at, why: 'secret reason' });
    await append(stream, 'EngineTuned', { at, rate_per_s: 2.5 });
    expect(await status()).toBe('paused');
    const tiktok = await engineOf('tiktok');
    expect(tiktok).toMatchObject({
      alarm: { reason: 'challenge', since: at },
      paused_since: at,
      rate_per_s: 2.5,
    });
    expect(JSON.stringify(tiktok)).not.toContain('secret');
  });

  it('has the backlog of active pools, and ages of readings beside their target', async () => {
    const now = Date.now();
    const ago = (s: number) => new Date(now - s * 1_000).toISOString();
    for (const pool of ['seen', 'resting']) {
      const settings = { refresh: 'fixed', refresh_min_s: 3_600, refresh_max_s: 3_600 } as const;
      await append(`pool-${pool}`, 'PoolCreated', poolCreated(pool, 'youtube', now - 90_000_000, settings));
      const members = ['a', 'b', 'c', 'd'].map((name) => ({
        handle: `${pool}_${name}`,
        via: 'seed',
        from: null,
        depth: null,
      }));
      await append(`members-youtube:${pool}`, 'MembersRecruited', { observed_at: ago(90_000), members });
    }
    await append('pool-resting', 'PoolPaused', { at: ago(80_000), why: 'its turn is over', decision: null });
    // Read a day ago, an hour and a half ago, and a minute ago: two of them are due again.
    await program.append('youtube', 'seen_a', sighted('seen_a', ago(86_400)));
    await program.append('youtube', 'seen_b', sighted('seen_b', ago(5_400)));
    await program.append('youtube', 'seen_c', sighted('seen_c', ago(60)));
    await program.project();
    const { backlog, oldest_due_s, freshness, pools, catalog_size, projection_lag_s } =
      await engineOf('youtube');
    expect(backlog).toBe(3);
    expect(oldest_due_s).toBeGreaterThanOrEqual(90_000);
    expect(freshness.target_s).toBe(3_600);
    expect(Math.abs(freshness.p50_s - 5_400)).toBeLessThanOrEqual(450);
    expect(Math.abs(freshness.p99_s - 86_400)).toBeLessThanOrEqual(450);
    expect(pools).toMatchObject([
      { pool: 'resting', paused: true, members: 4, backlog: 4 },
      { pool: 'seen', paused: false, members: 4, backlog: 3, target_s: 3_600 },
    ]);
    expect([catalog_size, projection_lag_s]).toEqual([3, 0]);
  });

  it('counts listings as the catalog of the marketplace’s engine', async () => {
    await plainRecorder(program.log).record([
      offered('a', 1),
      offered('b', 1, { status: 'withdrawn' }),
      placed('p', 1, {}),
    ]);
    await report('marketplace', 'feed', Date.now(), [{ outcome: 'read', latencyMs: 300 }]);
    await program.project();
    expect(await engineOf('marketplace')).toMatchObject({
      status: 'healthy',
      catalog_size: 2,
      outcomes: { read: 1 },
      success_rate: 1,
      backlog: null,
      oldest_due_s: null,
    });
  });
});
