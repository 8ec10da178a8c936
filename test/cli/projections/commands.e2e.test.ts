import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { activeBuild, listBuilds } from '../../../src/projections/builds/builds.ts';
import { projections } from '../../../src/projections/registry.ts';
import { recordStall } from '../../../src/projections/stalls.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { createTestHome, type TestHome } from '../../support/cli.ts';
import { live } from '../../support/generated-histories.ts';
import { decodeEvent } from '../../support/memory-log.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
let home: TestHome;

beforeAll(async () => {
  program = await createTestProgram();
  home = await createTestHome({ DATABASE_URL: program.database.url, LOG_LEVEL: 'error' });
  await live(program.log, 8, 800);
  await program.issueKey();
  await program.project();
});
afterAll(async () => {
  await home.remove();
  await program.close();
});

const run = (...args: string[]) => home.run(['projections', ...args]);

const good = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await run(...args);
  expect([code, err]).toEqual([0, expect.any(String)]);
  return out;
};

const served = async (): Promise<string> =>
  (await activeBuild(program.database.db, directory.name, directory.version))?.schema ?? '';

const schemas = async (): Promise<readonly string[]> => {
  const { rows } = await program.database.db.query<{ nspname: string }>(
    'select nspname from pg_namespace order by 1',
  );
  return rows.map(({ nspname }) => nspname);
};

describe('Ctrl-C', () => {
  /** Whoever moves a checkpoint waits for this lock: so it is certain that the work is half done. */
  const GATE = 4_711;
  beforeAll(async () => {
    await program.database.db.query(`
      create function public.gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
      create trigger gate before update on projections.checkpoints for each row execute function public.gate()`);
  });
  afterAll(() => program.database.db.query('drop function public.gate cascade'));

  /** Starts work that then waits in its middle, until the gate is opened. */
  const halfDone = async (args: readonly string[]) => {
    const gate = await program.database.db.connect();
    await gate.query('select pg_advisory_lock($1)', [GATE]);
    const running = home.start(['projections', ...args]);
    await until('the work is half done', async () => {
      const { rows } = await gate.query(
        `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
        [GATE],
      );
      return rows.length > 0;
    });
    // The lock ends with its connection.
    return { running, open: () => gate.release(true) };
  };

  it.each([
    ['rebuild', ['rebuild', 'directory'], 'Stopped. directory is unchanged.'],
    ['verify', ['verify', 'directory'], 'Stopped. directory is unchanged.'],
    [
      'rebuild --as-of',
      ['rebuild', 'directory', '--as-of', '500'],
      'Stopped. There is no directory_as_of_500.',
    ],
  ])('ends %s with exit code 130, and removes what is incomplete', async (_, args, said) => {
    const before = [await schemas(), await served()];
    const { running, open } = await halfDone(args);
    expect((await schemas()).length).toBe((before[0] as string[]).length + 1);
    running.child.kill('SIGINT');
    open();
    expect(await running.ended).toBe(130);
    expect(running.out().trim()).toBe(said);
    expect([await schemas(), await served()]).toEqual(before);
    expect((await listBuilds(program.database.db)).every(({ status }) => status === 'active')).toBe(true);
  });

  it('is not needed: the next command clears up after kill -9', async () => {
    const before = [await schemas(), await served()];
    const { running, open } = await halfDone(['verify', 'directory']);
    await running.end('SIGKILL');
    expect((await schemas()).length).toBe((before[0] as string[]).length + 1);
    open();
    await until('the next one may', async () => (await run('verify', 'directory')).code === 0);
    expect([await schemas(), await served()]).toEqual(before);
  });
});

describe('sightline projections', () => {
  it('verifies: exits with 0 if all rows are equal, else with 1 and the differences', async () => {
    expect(await good('verify', 'directory')).toMatch(
      /^directory matches the event log at position \d+ \([\d,]+ rows, 8 tables\)\.\nIt took [\d.]+ s\.\n$/,
    );
    const { rows } = await program.database.db.query<{ platform: string; entry: string }>(
      `update ${await served()}.entries set bio = 'not what the log says' where entry = (select min(entry) from ${await served()}.entries)
       returning platform, entry`,
    );
    const { code, out } = await run('verify', 'directory', '--show', '3');
    expect(code).toBe(1);
    expect(out).toMatch(/^directory does not match the event log at position \d+: 1 row differs,/);
    expect(out).toContain(`entries platform="${rows[0]?.platform}" entry="${rows[0]?.entry}"`);
    expect(out).toContain('bio: active "not what the log says", rebuilt null');
    expect(await good('rebuild', 'directory')).toMatch(/^directory is now served from directory_v\d+_b\d+/);
    await good('verify', 'directory');
  });

  it('makes copies, lists them and drops them', async () => {
    const out = await good('rebuild', 'accounts', '--as-of', '300');
    expect(out).toContain('accounts as of position 300 is in the schema accounts_as_of_300');
    expect(out).toContain(`psql "$DATABASE_URL" -c 'select * from accounts_as_of_300.accounts limit 10'`);
    await good('rebuild', 'accounts', '--as-of', '2000-01-01', '--into', 'before_all');
    const head = await program.log.head();
    await good('rebuild', 'accounts', '--into', 'as_of_now');
    const builds = JSON.parse(await good('list', '--json')) as {
      schema: string;
      status: string;
      position: string;
    }[];
    const copies = builds
      .filter(({ status }) => status === 'copy')
      .map(({ schema, position }) => [schema, position]);
    expect(copies).toEqual([
      ['accounts_as_of_300', '300'],
      ['before_all', '0'],
      ['as_of_now', String(head)],
    ]);
    expect(await good('list')).toContain('accounts_as_of_300');
    const again = await run('rebuild', 'accounts', '--as-of', '300');
    expect([again.code, again.err]).toEqual([
      2,
      expect.stringContaining('sightline projections drop accounts_as_of_300'),
    ]);
    for (const schema of ['accounts_as_of_300', 'before_all', 'as_of_now']) {
      expect(await good('drop', schema)).toBe(`${schema} is dropped: a copy of accounts.\n`);
    }
    const live = await run('drop', await served());
    expect([live.code, live.err]).toEqual([2, expect.stringContaining("can't be dropped")]);
  });

  it('prints the lag of each, and where one is stalled', async () => {
    await program.project();
    const head = await program.log.head();
    const lag = async () => JSON.parse(await good('lag', '--json')) as Record<string, unknown>[];
    expect(await lag()).toEqual(
      projections.map(({ name, version }) =>
        expect.objectContaining({
          projection: name,
          version,
          position: String(head),
          head: String(head),
          behind: '0',
          oldest_unprocessed_s: null,
          eta_s: null,
          stalls: [],
        }),
      ),
    );
    await program.append('x', 'late', sighted('late', '2026-10-01T00:00:00.000Z'));
    const event = decodeEvent(head + 1n, { stream: 'account-x:late' });
    await recordStall(program.database.db, directory, event, 'it does not fit');
    const rows = await lag();
    const of = (name: string) => rows.find(({ projection }) => projection === name);
    expect(of('directory')).toMatchObject({
      behind: '1',
      oldest_unprocessed_s: expect.any(Number),
      rate_per_s: 0,
      eta_s: null,
      stalls: [{ partition: 'all', position: String(head + 1n), reason: 'it does not fit' }],
    });
    // Not one of its own events.
    expect(of('holders')).toMatchObject({ behind: '1', oldest_unprocessed_s: null });
    const table = await good('lag');
    expect(table).toMatch(/directory .*at \d+/);
    expect(table).toContain(`sightline projections skip ${head + 1n} --projection directory --reason`);
    expect(await good('list')).toMatch(new RegExp(`directory .* ${head + 1n}$`, 'm'));
    const watching = home.start(['projections', 'lag', '--watch']);
    await watching.says(/directory.*directory.*directory/s);
    expect(await watching.end('SIGINT')).toBe(0);
  });

  describe('an unreadable event', () => {
    let position: bigint;
    beforeAll(async () => {
      const raw = createPostgresLog(program.database.db, program.database.url, silentLogger);
      await raw.append(
        'account-x:bad',
        [{ id: crypto.randomUUID(), type: 'AccountSighted', data: 7 }],
        'any',
      );
      await raw.close();
      position = await program.log.head();
    });

    it('is parked by a rebuild, which says so', async () => {
      expect(await good('parked', 'list')).toBe('No stream is parked.\n');
      const rebuilt = await run('rebuild', 'accounts');
      expect([rebuilt.code, rebuilt.out]).toEqual([0, expect.stringMatching(/^accounts is now served from/)]);
      expect(rebuilt.err).toContain('stream parked: ');
      expect(JSON.parse(await good('parked', 'list', '--json'))).toMatchObject([
        { projection: 'accounts', stream: 'account-x:bad', position: String(position), waiting: 1 },
      ]);
    });

    it('is shown with its error and the command that skips it', async () => {
      const shown = await good('parked', 'show', 'account-x:bad');
      expect(shown).toContain(
        `event AccountSighted at position ${position} (stream account-x:bad) does not fit`,
      );
      expect(shown).toContain('sightline projections parked skip account-x:bad');
    });

    it('is retried by name or with --all, and stays parked if it fails again', async () => {
      const stranger = await run('parked', 'retry', 'account-x:nobody');
      expect([stranger.code, stranger.err]).toEqual([2, expect.stringContaining('is not parked')]);
      expect((await run('parked', 'retry')).code).toBe(2);
      expect(await good('parked', 'retry', '--all')).toContain(
        'accounts will retry the parked events of account-x:bad',
      );
      expect(await good('rebuild', 'accounts')).toMatch(/^accounts is now served from/);
      expect(await good('parked', 'list')).toContain('account-x:bad');
    });

    it('is skipped with a reason, in one projection or where it is parked', async () => {
      expect(await good('parked', 'skip', 'account-x:bad', '--reason', 'a test')).toBe(
        `accounts now skips position ${position} and applies the events after it in account-x:bad.\n`,
      );
      expect(await good('parked', 'list')).toBe('No stream is parked.\n');
      const out = await good('skip', String(position), '--reason', 'a test', '--projection', 'directory');
      expect(out).toContain(`directory now skips position ${position}`);
      expect(out).not.toContain('frontier');
      expect(await good('rebuild', 'accounts')).toMatch(/^accounts is now served from/);
    });

    it('has to exist to be skipped, and needs a reason', async () => {
      const nobody = await run('skip', '99999999', '--reason', 'x');
      expect([nobody.code, nobody.err]).toEqual([2, 'sightline: There is no event at position 99999999.\n']);
      expect((await run('skip', String(position))).code).toBe(2);
    });
  });
});
