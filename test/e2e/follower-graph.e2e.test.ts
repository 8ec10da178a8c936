import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../src/kernel/random.ts';
import { SCOPES } from '../../src/write/holders/events.ts';
import { releaseExpired } from '../../src/write/metering/billing-periods.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { faultCount } from '../support/faults.ts';
import { memberOf, sweep } from '../support/follows.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { readStream } from '../support/stream.ts';
import { until } from '../support/wait.ts';

const KILLS = faultCount(20, 5);
const EDGES = 40_000;
const UNITS = 137;
const CHUNK_ROWS = 1_000;
const PATH = '/v2/leads/x/follower-graph?handle=star';

let folder: string;
let program: TestProgram;
let env: Record<string, string>;
let running: ApiProcess[] = [];

const plan = (name: string, units: number) => ({
  name,
  price_usd: '0',
  units,
  requests_per_minute: 1_000_000,
  live_per_minute: 1_000_000,
  keys: 10,
  overage_usd: null,
  weights: { catalog: 1, live: 10 },
  scopes: SCOPES,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-graph-'));
  const plans = [plan('wide', 100_000_000), plan('narrow', UNITS)];
  await writeFile(join(folder, 'plans.json'), JSON.stringify({ plans }));
  program = await createTestProgram();
  const pages = Array.from({ length: EDGES / 500 }, (_, page) =>
    Array.from({ length: 500 }, (_, n) => memberOf(page * 500 + n + 1)),
  );
  await sweep(program.log, pages, { owner: '9', hour: 1 });
  await program.project();
  env = {
    DATABASE_URL: program.database.url,
    DATABASE_POOL: '4',
    PLANS_FILE: join(folder, 'plans.json'),
  };
});

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
});

afterAll(async () => {
  await program.close();
  await rm(folder, { recursive: true });
});

const start = async (): Promise<ApiProcess> => {
  const started = await startApiProcess(env);
  running.push(started);
  return started;
};

const unitsOf = async (holder: string): Promise<number> => {
  const { rows } = await program.database.db.query<{ units: number }>(
    'select budget_units::int as units from metering.accounts where holder = $1',
    [holder],
  );
  return rows[0]?.units ?? 0;
};

/** Numbers of the members of a stream's rows, and its last line. */
const parsed = (text: string) => {
  const lines = text.split('\n').slice(0, -1);
  const rows = lines.filter((line) => line.startsWith('{"source":'));
  return {
    members: rows.map((line) => Number(/^\{"source":"fan(\d+)"/.exec(line)?.[1])),
    trailer: JSON.parse(lines.at(-1) ?? '{}'),
  };
};

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

it(`a stream of a holder with ${UNITS} units left has ${UNITS * 100} edges, then a trailer whose cursor continues without gap or duplicate`, async () => {
  const narrow = await program.issueKey(SCOPES, { holder: 'narrow', plan: 'narrow' });
  const wide = await program.issueKey(SCOPES, { holder: 'wide', plan: 'wide' });
  const { url } = await start();
  const first = parsed((await readStream(`${url}${PATH}`, narrow, 'application/x-ndjson')).text);
  expect(first.members).toEqual(numbers(1, UNITS * 100));
  expect(first.trailer).toMatchObject({
    error: { code: 'budget_exhausted' },
    meta: { rows: UNITS * 100, cost: UNITS },
  });
  const cursor = first.trailer.meta.next_cursor;
  const rest = parsed(
    (await readStream(`${url}${PATH}&cursor=${cursor}`, wide, 'application/x-ndjson')).text,
  );
  expect(rest.members).toEqual(numbers(UNITS * 100 + 1, EDGES));
  expect(rest.trailer.error).toBeUndefined();
  expect(rest.trailer.meta).toMatchObject({ cost: EDGES / 100 - UNITS, next_cursor: null });
  expect([await unitsOf('narrow'), await unitsOf('wide')]).toEqual([UNITS, EDGES / 100 - UNITS]);
});

it(`${KILLS} kills: at most a chunk of each broken stream is unpaid or not received`, {
  tags: 'faults',
}, async () => {
  const random = seededRandom(31);
  const key = await program.issueKey(SCOPES, { holder: 'killed', plan: 'wide' });
  const seen = { rows: 0, broken: 0 };
  let process = await start();
  let stopped = false;
  /** Streams whose first rows have come, and the most that came of one since the last kill. */
  let open = 0;
  let longest = 0;
  const streamer = async (): Promise<void> => {
    while (!stopped) {
      let isOpen = false;
      const streamed = await readStream(`${process.url}${PATH}`, key, 'application/x-ndjson', (text) => {
        if (!isOpen) open += 1;
        isOpen = true;
        longest = Math.max(longest, text.length);
        return false;
      }).catch(() => null);
      if (isOpen) open -= 1;
      if (streamed === null || streamed.status !== 200) {
        await sleep(5);
        continue;
      }
      const lines = streamed.text.split('\n').slice(0, -1);
      const rows = lines.filter((line) => line.startsWith('{"source":')).length;
      expect(rows === 0 || lines[rows - 1]?.startsWith(`{"source":"fan${rows}"`)).toBe(true);
      seen.rows += rows;
      if (!streamed.complete) seen.broken += 1;
    }
  };
  const streamers = [streamer(), streamer()];
  for (let kill = 0; kill < KILLS; kill++) {
    longest = 0;
    const enough = random.int(EDGES * 20);
    await until('a stream is in its middle', () => open > 0 && longest > enough);
    process.child.kill('SIGKILL');
    await process.ended;
    process = await start();
  }
  stopped = true;
  await Promise.all(streamers);
  await releaseExpired(program.database.db, new Date(Date.now() + 3_600_000).toISOString());
  expect(seen.broken).toBeGreaterThan(KILLS / 4);
  const units = await unitsOf('killed');
  expect(units * 100).toBeLessThanOrEqual(seen.rows + seen.broken * CHUNK_ROWS);
  expect(units * 100).toBeGreaterThanOrEqual(seen.rows - seen.broken * CHUNK_ROWS);
});
