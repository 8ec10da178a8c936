import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, type Finished, type RunningProgram, type TestHome } from '../support/cli.ts';
import { parseCsv } from '../support/csv.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/wait.ts';

/** Enough for an export to be on its way for a while. */
const EVENTS = 200_000;
const ACCOUNTS = 5_000;
const HASH = 'ab'.repeat(32);

let database: TestDatabase;
let home: TestHome;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  // A second apart; the last one is a key's.
  await database.db.query(`
    insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
    select n, 'account-x:a' || n % ${ACCOUNTS}, (n - 1) / ${ACCOUNTS}, gen_random_uuid(), 'AccountUnchanged',
      json_build_object('observed_at', '2026-10-21T08:00:00.000Z', 'source', 'crawler', 'surface', 'page',
        'moved', json_build_object('followers', 1000 + n)),
      '{}', timestamptz '2026-11-01' + n * interval '1 second'
    from generate_series(1, ${EVENTS}) n`);
  await database.db.query(
    `insert into log.events values (${EVENTS + 1}, 'holder-acme', 0, gen_random_uuid(), 'KeyIssued', $1, '{}',
       timestamptz '2026-11-20')`,
    [
      JSON.stringify({
        at: '2026-11-20T00:00:00.000Z',
        key_id: 'key_1',
        key_hash: HASH,
        scopes: [],
        label: null,
      }),
    ],
  );
  await database.db.query('analyze log.events');
  home = await createTestHome({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await home.remove();
  await database.drop();
});

let made = 0;
beforeEach(async () => {
  folder = join(home.home, `out-${made++}`);
  await mkdir(folder);
});

const good = async (...args: string[]): Promise<Finished> => {
  const finished = await home.run(args);
  expect(finished.code, finished.err).toBe(0);
  return finished;
};

const refused = async (says: RegExp, ...args: string[]): Promise<void> => {
  const { code, out, err } = await home.run(args);
  expect([code, out], `${args.join(' ')}\n${err}`).toEqual([2, '']);
  expect(err).toMatch(says);
};

/** Whoever reads this event waits for the lock, while it is held. */
const GATED = 20_001;
const GATE = 4_711;

/** Starts a command that then waits in the middle of the log. @returns what lets it read on. */
const halfDone = async (...args: string[]) => {
  const gate = await database.db.connect();
  await gate.query('select pg_advisory_lock($1)', [GATE]);
  const program = home.start(args);
  await until('it waits in the middle', async () => {
    const { rows } = await gate.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted
       and database = (select oid from pg_database where datname = current_database())`,
      [GATE],
    );
    return rows.length > 0;
  });
  // The lock ends with its connection.
  return { program, open: () => gate.release(true) };
};

/** Stops a command in the middle of the log. */
const stopped = async (...args: string[]): Promise<RunningProgram> => {
  await database.db.query(`
    create function public.gate() returns boolean language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${GATE}); return true; end $$;
    alter table log.events rename to all_events;
    create view log.events as select * from log.all_events where position <> ${GATED} or public.gate()`);
  try {
    const { program, open } = await halfDone(...args);
    program.child.kill('SIGINT');
    open();
    expect(await program.ended, program.err()).toBe(130);
    return program;
  } finally {
    await database.db.query(`
      drop view log.events; drop function public.gate; alter table log.all_events rename to events`);
  }
};

describe('events export', () => {
  it('writes data to standard output and its report to standard error', async () => {
    const stretch = ['--since', '2026-11-01T00:00:05Z', '--until', '2026-11-01T00:00:08Z'];
    const ndjson = await good('events', 'export', '--format', 'ndjson', ...stretch);
    const positions = ndjson.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).position);
    expect(positions).toEqual(['5', '6', '7']);
    expect(ndjson.err).toMatch(/^Exported 3 events to standard output; it took \d+\.\d s\.\n$/);
    const csv = await good(
      'events',
      'export',
      '--format',
      'csv',
      '--stream',
      'account-x:a77',
      '--to',
      '6000',
    );
    expect(parseCsv(csv.out).map((record) => record[0])).toEqual([
      'position',
      ...[77, 770, 771, 772, 773, 774, 775, 776, 777, 778, 779, 5077, 5770, 5771, 5772, 5773, 5774, 5775].map(
        String,
      ),
      ...[5776, 5777, 5778, 5779].map(String),
    ]);
  });

  it('writes everything to a Parquet file', async () => {
    const file = join(folder, 'all.parquet');
    // What follows notes the exports of the test before.
    const all = ['--to', String(EVENTS + 1)];
    const { out, err } = await good('events', 'export', '--format', 'parquet', '--out', file, ...all);
    expect([out, err]).toEqual(['', expect.stringContaining(`Exported 200,001 events to ${file}`)]);
    expect(await readdir(folder)).toEqual(['all.parquet']);
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
    expect(rows).toHaveLength(EVENTS + 1);
    expect(rows.every((row, i) => row.position === BigInt(i + 1))).toBe(true);
    expect(JSON.parse(rows.at(-1)?.data as string).key_hash).toBe('[redacted]');
  });

  it.each(['ndjson', 'csv', 'parquet'])('leaves no file if Ctrl-C ends it: %s', async (format) => {
    await writeFile(join(folder, 'kept'), 'as it was');
    const out = join(folder, 'kept');
    const program = await stopped('events', 'export', '--format', format, '--out', out);
    expect(program.err()).toContain(`Stopped. ${join(folder, 'kept')} is as it was.`);
    expect(await readdir(folder)).toEqual(['kept']);
    expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('as it was');
  });

  it('stops at Ctrl-C while it writes to standard output', async () => {
    const program = await stopped('events', 'export', '--format', 'ndjson');
    expect(program.err()).toContain('Stopped.');
    const lines = program.out().split('\n').length;
    expect(lines).toBeGreaterThan(1);
    expect(lines).toBeLessThan(EVENTS / 2);
  });

  it('says what it cannot do', async () => {
    await refused(
      /Parquet can only be written to a file: name it with --out/,
      'events',
      'export',
      '--format',
      'parquet',
    );
    await refused(/ndjson, csv, parquet/, 'events', 'export', '--format', 'xlsx');
    await refused(/--format/, 'events', 'export');
    await refused(/"soon" is no time/, 'events', 'export', '--format', 'csv', '--since', 'soon');
    await refused(/is no regular file/, 'events', 'export', '--format', 'csv', '--out', folder);
    await refused(
      /its folder does not exist/,
      'events',
      'export',
      '--format',
      'csv',
      '--out',
      join(folder, 'a/b'),
    );
  });
});

describe('events read', () => {
  it('accepts the same options, and prints no hash of a key', async () => {
    const since = await good('events', 'read', '--since', '2026-11-01T00:00:05Z', '--limit', '2', '--json');
    expect(
      since.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).position),
    ).toEqual(['5', '6']);
    const key = await good('events', 'read', '--stream', 'holder-');
    expect(key.out).toContain('"key_hash":"[redacted]"');
  });
});

describe('replay', () => {
  const handler = async (code: string): Promise<string> => {
    const file = join(folder, 'fold.ts');
    await writeFile(file, code);
    return file;
  };

  it('prints a handler’s result for the log or a part of it', async () => {
    const fold = await handler(`
      export default {
        initial: { count: 0, first: null as bigint | null, last: null as bigint | null },
        apply: (state: any, event: any) =>
          ({ count: state.count + 1, first: state.first ?? event.position, last: event.position }),
      };`);
    // The exports of the tests before are noted in the log.
    const { out: notes } = await good('events', 'read', '--json', '--type', 'ExportMade');
    const noted = notes
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).position);
    const all = await good('replay', '--handler', fold);
    const count = EVENTS + 1 + noted.length;
    expect(JSON.parse(all.out)).toEqual({ count, first: '1', last: noted.at(-1) });
    expect(all.err).toContain(`Replayed ${count.toLocaleString('en-US')} events; it took`);
    const positions = await good('replay', '--handler', fold, '--from', '10', '--until', '20');
    expect(JSON.parse(positions.out)).toEqual({ count: 10, first: '10', last: '19' });
    const times = await good(
      ...['replay', '--handler', fold, '--from', '2026-11-01T00:00:10Z', '--until', '2026-11-01T00:00:20Z'],
    );
    expect(JSON.parse(times.out)).toEqual({ count: 10, first: '10', last: '19' });
    const narrowed = await good('replay', '--handler', fold, '--stream', 'holder-', '--type', 'KeyIssued');
    expect(JSON.parse(narrowed.out).count).toBe(1);
    const file = join(folder, 'result.json');
    const stored = await good('replay', '--handler', fold, '--until', '4', '--out', file);
    expect(stored.out).toBe('');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ count: 3, first: '1', last: '3' });
    expect(await readdir(folder)).toEqual(['fold.ts', 'result.json']);
  });

  it('runs the example of the documentation', async () => {
    const { out } = await good('replay', '--handler', 'docs/examples/follower-jumps.ts');
    const jumps = JSON.parse(out);
    expect(jumps).toHaveLength(5);
    // The step is the same each time: the biggest part of the least.
    expect(jumps[0]).toEqual({
      account: 'x:a1',
      at: '2026-10-21T08:00:00.000Z',
      before: 1_001,
      after: 6_001,
      percent: 499.5,
    });
  });

  it('names the event at which a handler failed, and the line', async () => {
    const fold = await handler(`export default (state = 0, event: { position: bigint }) => {
      if (event.position === 1234n) throw new TypeError('of no use');
      return state + 1;
    };`);
    await refused(
      /handler failed at position 1234 \(AccountUnchanged of account-x:a1234\): TypeError: of no use\n +at .*fold\.ts:2:/,
      ...['replay', '--handler', fold, '--out', join(folder, 'result.json')],
    );
    expect(await readdir(folder)).toEqual(['fold.ts']);
  });

  it('says what is wrong with a handler', async () => {
    await refused(/nowhere\.ts is not there/, 'replay', '--handler', join(folder, 'nowhere.ts'));
    const slip = await handler('export default { initial: 0, aply: () => 0 };');
    await refused(/fold\.ts is no handler: it has no apply\.\nA handler is: /, 'replay', '--handler', slip);
    const broken = join(folder, 'broken.ts');
    await writeFile(broken, 'export default {');
    await refused(/broken\.ts can't be loaded: /, 'replay', '--handler', broken);
    const throwing = join(folder, 'throwing.ts');
    await writeFile(throwing, `throw new Error('not today');`);
    await refused(/throwing\.ts can't be loaded: not today/, 'replay', '--handler', throwing);
  });

  it('stops at Ctrl-C without output', async () => {
    const fold = await handler('export default { initial: 0, apply: (n: number) => n + 1 };');
    const out = join(folder, 'result.json');
    await stopped('replay', '--handler', fold, '--out', out);
    expect(await readdir(folder)).toEqual(['fold.ts']);
  });
});
