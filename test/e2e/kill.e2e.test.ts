import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { parseConfig } from '../../src/kernel/config/settings.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { askOwner, type Owner } from '../../src/kernel/postgres/embedded/home-lock.ts';
import { serverUrl } from '../../src/kernel/postgres/embedded/server.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { listBuilds } from '../../src/projections/builds/builds.ts';
import { projections } from '../../src/projections/registry.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { startProjections } from '../../src/runtime/roles/projector.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { allFollowed, expectAsRebuilt } from '../support/rebuilt.ts';

const KILLS = 20;
const SEED = 5;
const SIZE = 400;
/** A kill comes so long after the start at the most: some while it still starts, most while it crawls. */
const MAX_MS = 4_000;

let simulator: Simulator;
let home: TestHome;
let key: string;

beforeAll(async () => {
  simulator = await startSimulator({ seed: SEED, size: SIZE });
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    SIMULATOR_URL: simulator.url,
    CRAWL_RATE_PER_S: '40',
    CRAWL_LEASE_S: '5',
    CRAWL_RETRY_S: '1',
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
  });
  const run = async (...args: string[]) => {
    const { code, out, err } = await home.run(args);
    expect(code, err).toBe(0);
    return out.trim();
  };
  await run('holders', 'add', 'Tester');
  key = await run('keys', 'issue', 'tester');
  for (const platform of PLATFORMS)
    await run('seeds', 'add', platform, ...seedsOf(simulator.world, platform, 6, Date.now()));
});

afterAll(async () => {
  await home.remove();
  await simulator.close();
});

/** Events that a reader was shown: id by position. */
const acknowledged = new Map<string, string>();

/** Reads along until the server is gone. @returns the process id of the server, once it is known. */
const readAlong = async (found: (pid: number) => void, gone: AbortSignal): Promise<void> => {
  let owner: Owner | null = null;
  while (owner === null && !gone.aborted) {
    owner = await askOwner(home.home, ({ port }) => port !== null, 30_000);
    await sleep(5);
  }
  if (owner?.port == null) return;
  const client = new pg.Client({ connectionString: await serverUrl(home.home, owner.port) });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows: where } = await client.query<{ data_directory: string }>('show data_directory');
    const pidFile = await readFile(join(where[0]?.data_directory ?? '', 'postmaster.pid'), 'utf8');
    found(Number(pidFile.split('\n')[0]));
    while (!gone.aborted) {
      const { rows } = await client.query<{ position: string; id: string }>(
        'select position, id from log.events where position > $1 order by position limit 5000',
        [acknowledged.size],
      );
      for (const { position, id } of rows) acknowledged.set(position, id);
      await sleep(5);
    }
  } catch {
    // The server was killed, or had no tables yet: the next one is asked.
  } finally {
    await client.end().catch(() => undefined);
  }
};

it(`loses and doubles nothing when it is killed ${KILLS} times while it crawls`, async () => {
  const random = seededRandom(SEED);
  for (let n = 0; n < KILLS; n++) {
    const service = home.start(['start']);
    const gone = new AbortController();
    let server: number | undefined;
    const reading = readAlong((pid) => {
      server = pid;
    }, gone.signal);
    const rebuilding = n % 4 === 3 ? home.start(['projections', 'rebuild', 'directory']) : undefined;
    await sleep(500 + random.int(MAX_MS));
    // Every other time the server is killed too, and has to recover; otherwise it stops with its parent.
    if (n % 2 === 1 && server !== undefined) process.kill(server, 'SIGKILL');
    await service.end('SIGKILL');
    gone.abort();
    await reading;
    await rebuilding?.end('SIGKILL');
  }
  expect(acknowledged.size).toBeGreaterThan(1_000);

  const last = home.start(['start']);
  const url = (await last.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;
  const answer = await fetch(`${url}/v2/directory?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  expect(await last.end('SIGTERM')).toBe(0);
}, 180_000);

it('holds in the end what was shown, without gaps, and read models that a rebuild equals', async () => {
  const config = parseConfig({ SIGHTLINE_HOME: home.home, LOG_LEVEL: 'silent' });
  const program = await openRuntime(config, 'command', silentLogger);
  try {
    const { db, log } = program;
    const { rows: events } = await db.query<{ position: string; id: string }>(
      'select position, id from log.events order by position',
    );
    const held = new Map(events.map(({ position, id }) => [position, id]));
    expect([...acknowledged].filter(([position, id]) => held.get(position) !== id)).toEqual([]);
    expect(Number(events.at(-1)?.position)).toBe(events.length);
    expect(new Set(held.values()).size).toBe(events.length);
    const { rows: broken } = await db.query(
      `select stream from log.events group by stream
       having min(revision) <> 0 or max(revision) <> count(*) - 1 or count(distinct revision) <> count(*)`,
    );
    expect(broken).toEqual([]);

    const following = startProjections(program, null);
    await allFollowed(db, log, projections);
    await following.stop();
    expect((await listBuilds(db)).map(({ projection, status }) => `${projection} ${status}`)).toEqual(
      projections.map(({ name }) => `${name} active`).toSorted(),
    );
    await expectAsRebuilt(db, log, projections);
  } finally {
    await program.close();
  }
}, 60_000);
