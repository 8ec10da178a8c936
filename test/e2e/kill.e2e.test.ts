import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { askOwner, type Owner } from '../../src/kernel/postgres/embedded/home.ts';
import { serverUrl } from '../../src/kernel/postgres/embedded/server.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { listBuilds } from '../../src/projections/builds/builds.ts';
import { projections } from '../../src/projections/registry.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { startProjections } from '../../src/runtime/roles/projector.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { faultCount } from '../support/faults.ts';
import { allFollowed, expectAsRebuilt } from '../support/rebuilt.ts';
import { seedHome } from '../support/seeded-home.ts';
import { until } from '../support/wait.ts';

const KILLS = faultCount(20, 6);
const SEED = 5;
/** So many that some are left to be read at the last kill, however late the kills come: 400 were read in 50 s. */
const SIZE = 4_000;
/** Every third kill comes when the service has logged so few lines, so that some come while it still starts. */
const START_LINES = 12;
/** The other kills come while it crawls, after so many events at the most. */
const CRAWLED_EVENTS = 100;

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
  key = await seedHome({ SIGHTLINE_HOME: home.home }, simulator);
});

afterAll(async () => {
  await home.remove();
  await simulator.close();
});

/** Events that a reader was shown: id by position. */
const acknowledged = new Map<string, string>();

/** Reads along on one connection, for as long as that lasts. */
const readOn = async (port: number, found: (pid: number) => void, gone: AbortSignal): Promise<void> => {
  // The server may be killed, or replaced, at any moment: whatever does not answer is asked again.
  const client = new pg.Client({
    connectionString: await serverUrl(home.home, port),
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
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
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Reads along until the service is gone. @param found is given the process id of the server. */
const readAlong = async (found: (pid: number) => void, gone: AbortSignal): Promise<void> => {
  while (!gone.aborted) {
    // The server may be about to end, or not have begun, for long on a busy machine: whoever owns the home next is asked.
    const owner: Owner | null = await askOwner(home.home, ({ port }) => port !== null, 30_000).catch(
      () => null,
    );
    if (owner?.port != null) await readOn(owner.port, found, gone).catch(() => undefined);
    await sleep(5);
  }
};

const linesOf = (service: RunningProgram): number => service.err().split('\n').length - 1;

it(`a repeatedly killed service loses and doubles nothing over ${KILLS} kills while it crawls`, {
  tags: 'faults',
}, async () => {
  const random = seededRandom(SEED);
  for (let n = 0; n < KILLS; n++) {
    const service = home.start(['start']);
    const gone = new AbortController();
    let server: number | undefined;
    const reading = readAlong((pid) => {
      server = pid;
    }, gone.signal);
    const rebuilding = n % 4 === 3 ? home.start(['projections', 'rebuild', 'directory']) : undefined;
    const crawled = acknowledged.size + 1 + random.int(CRAWLED_EVENTS);
    const lines = random.int(START_LINES);
    const comes = () => acknowledged.size >= crawled || (n % 3 === 2 && linesOf(service) > lines);
    await until('it has come so far', () => {
      const { exitCode, signalCode } = service.child;
      if (exitCode !== null || signalCode !== null) throw new Error(`it ended (${exitCode ?? signalCode})`);
      return comes();
    }).catch((error: Error) => {
      const said = service.err().split('\n').slice(-60).join('\n');
      throw new Error(
        `kill ${n}: ${error.message}; ${acknowledged.size} events of ${crawled}; it said:\n${said}`,
      );
    });
    // Every other time the server is killed too, and has to recover; otherwise it stops with its parent.
    if (n % 2 === 1 && server !== undefined) process.kill(server, 'SIGKILL');
    await service.end('SIGKILL');
    gone.abort();
    await reading;
    await rebuilding?.end('SIGKILL');
  }
  expect(acknowledged.size).toBeGreaterThan(30 * KILLS);

  const last = home.start(['start']);
  const url = (await last.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;
  // A busy machine answers the first ones with 503.
  await until('it answers', async () => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${url}/v2/directory?limit=1`, { headers })).status === 200;
  });
  expect(await last.end('SIGTERM')).toBe(0);
});

it('a repeatedly killed service keeps everything shown, without gaps, and its read models equal a rebuild', {
  tags: 'faults',
}, async () => {
  const config = parseConfig({ SIGHTLINE_HOME: home.home, LOG_LEVEL: 'silent' });
  const program = await openRuntime(config, 'command', silentLogger);
  try {
    const { db, log } = program;
    const { rows: events } = await db.query<{ position: string; id: string }>(
      sql`select position, id from log.events order by position`,
    );
    const held = new Map(events.map(({ position, id }) => [position, id]));
    expect([...acknowledged].filter(([position, id]) => held.get(position) !== id)).toEqual([]);
    expect(Number(events.at(-1)?.position)).toBe(events.length);
    expect(new Set(held.values()).size).toBe(events.length);
    const { rows: broken } = await db.query(sql`
      select stream from log.events group by stream
      having min(revision) <> 0 or max(revision) <> count(*) - 1 or count(distinct revision) <> count(*)`);
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
});
