import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { PLATFORMS } from '../../src/kernel/platform-names.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openRecordingProxy, type RecordingProxy } from '../support/recording-proxy.ts';
import { until } from '../support/wait.ts';

const CRAWLERS = 3;
const POOLS = ['first', 'second', 'third'] as const;
type Pool = (typeof POOLS)[number];
/** Accounts of each pool: more than are read while the crawl schedule stands still. */
const MEMBERS = 700;
/** How long after a command crawlers may follow the former settings. */
const EFFECTIVE_MS = 2_000;

let simulator: Simulator;
let proxy: RecordingProxy;
let database: TestDatabase;
let home: TestHome;
let running: RunningProgram[];
let poolOf: Map<string, Pool>;

const good = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await home.run(args);
  expect(code, `${args.join(' ')}: ${err}`).toBe(0);
  return out.trim();
};

/** The pool whose account a request is about. */
const askedFor = (path: string): Pool | undefined => poolOf.get(/[?&]actor=([^&]+)/.exec(path)?.[1] ?? '');

/** Pools of the requests from an instant on, in order. */
const requestsSince = (ms: number): Pool[] =>
  proxy.requests.flatMap(({ atMs, path }) => (atMs < ms ? [] : (askedFor(path) ?? [])));

/** Waits until so many requests were sent after an instant. */
const requestsAfter = async (ms: number, count: number): Promise<readonly Pool[]> => {
  await until(`${count} requests were sent`, () => requestsSince(ms).length >= count);
  return requestsSince(ms).slice(0, count);
};

const shareOf = (pool: Pool, requests: readonly Pool[]): number =>
  requests.filter((each) => each === pool).length / requests.length;

beforeAll(async () => {
  simulator = await startSimulator({ seed: 6, size: 4_000 });
  proxy = await openRecordingProxy(simulator.url);
  database = await createTestDatabase();
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    SIMULATOR_URL: proxy.url,
    DATABASE_URL: database.url,
    CRAWL_RATE_PER_S: '50',
    CRAWL_RETRY_S: '1',
  });
  const seeds = seedsOf(simulator.world, 'bluesky', MEMBERS * POOLS.length, Date.now());
  poolOf = new Map(seeds.map((handle, i) => [handle, POOLS[i % POOLS.length] as Pool]));
  running = [home.start(['start', '--role', 'project'])];
  await running[0]?.says(/"msg":"Sightline started"/);
  for (const pool of POOLS) {
    const file = join(home.home, `${pool}.txt`);
    await writeFile(file, seeds.filter((handle) => poolOf.get(handle) === pool).join('\n'));
    const settings = ['--refresh', 'fixed', '--refresh-min', '1s', '--cap', '1000'];
    await good(
      'pools',
      'create',
      pool,
      '--platform',
      'bluesky',
      '--rule',
      'seed',
      '--seeds',
      file,
      ...settings,
    );
  }
  // What the accounts link to on other platforms would keep the proxy busy: it records a request seconds after it was sent then.
  await Promise.all(
    PLATFORMS.filter((platform) => platform !== 'bluesky').map((platform) =>
      good('engines', 'pause', platform, '--reason', 'a test'),
    ),
  );
  running.push(...Array.from({ length: CRAWLERS }, () => home.start(['start', '--role', 'crawl'])));
  await Promise.all(running.map((program) => program.says(/"msg":"Sightline started"/)));
});
afterAll(async () => {
  await home.remove();
  await proxy.close();
  await simulator.close();
  await database.drop();
});

describe('three crawl processes while the crawl schedule lags', () => {
  it('follow a pause, a share and a resumption within two seconds', async () => {
    await until('all pools are read', () => POOLS.every((pool) => requestsSince(0).includes(pool)));
    // The crawl schedule stands still from here on: nothing is written to it.
    const blocker = await database.db.connect();
    const { rows } = await blocker.query<{ name: string }>(
      `select quote_ident(schemaname) || '.due' as name from pg_tables where tablename = 'due'`,
    );
    await blocker.query('begin');
    await blocker.query(`lock table ${rows[0]?.name} in exclusive mode`);
    try {
      await good('pools', 'pause', 'first', '--reason', 'a test');
      const paused = Date.now() + EFFECTIVE_MS;
      expect(shareOf('first', await requestsAfter(paused, 150))).toBe(0);

      await good('pools', 'tune', 'second', '--share', '9');
      const tuned = Date.now() + EFFECTIVE_MS;
      const share = shareOf('second', await requestsAfter(tuned, 200));
      expect(share).toBeGreaterThan(0.85);
      expect(share).toBeLessThan(0.95);

      await good('pools', 'resume', 'first');
      const resumed = Date.now() + EFFECTIVE_MS;
      expect(shareOf('first', await requestsAfter(resumed, 220))).toBeGreaterThan(0.05);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  });

  it('never exceed the rate by more than a second of it', async () => {
    const at = proxy.requests.filter(({ path }) => askedFor(path) !== undefined).map(({ atMs }) => atMs);
    const second = (n: number) => 50 * (n + 1);
    for (const [i, from] of at.entries()) {
      // Every window that begins with a request, of up to twenty seconds.
      for (let j = i; j < at.length && (at[j] ?? 0) - from < 20_000; j += 25)
        expect(j - i + 1).toBeLessThanOrEqual(second(((at[j] ?? 0) - from) / 1_000) + CRAWLERS);
    }
  });

  it('stop cleanly', async () => {
    for (const program of running) {
      expect(await program.end('SIGTERM'), program.err()).toBe(0);
      expect(program.err()).not.toMatch(/"level":(50|60)/);
    }
  });
});
