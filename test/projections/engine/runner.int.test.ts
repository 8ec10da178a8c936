import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { activeBuild } from '../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointOf } from '../../../src/projections/checkpoints.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import { listStalls, recordStall } from '../../../src/projections/stalls.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { differences } from '../../support/compare.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { expectAsRebuilt } from '../../support/rebuilt.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
let appended = 0;
const stop = new AbortController();
const running: Promise<void>[] = [];

beforeAll(async () => {
  program = await createTestProgram();
  for (let i = 0; i < 2; i++) {
    running.push(
      runProjection(directory, {
        db: program.database.db,
        log: program.log,
        logger: silentLogger,
        connectionString: program.database.url,
        signal: stop.signal,
      }),
    );
  }
  await follow();
});
afterAll(async () => {
  stop.abort();
  await Promise.all(running);
  await program.close();
});

const active = async (): Promise<string> =>
  (await activeBuild(program.database.db, directory.name, directory.version))?.schema ?? '';

/** Appends events and waits until they are in the rows. */
const follow = async () => {
  await live(program.log, 3, 150, appended);
  appended += 150;
  const head = await program.log.head();
  await until('the projection has followed', async () => {
    return (await checkpointOf(program.database.db, await active())) >= head;
  });
};

/** Advisory locks of the process with these many platforms of the directory, by its connection. */
const SHARES = `select l.pid, count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted and l.mode = 'ExclusiveLock'
    and a.application_name = 'sightline lease directory ${directory.version}' and a.datname = current_database()
  group by 1 order by 1`;

const shares = async () => {
  const { rows } = await program.database.db.query<{ pid: number; n: number }>(SHARES);
  expect(rows.reduce((sum, { n }) => sum + n, 0)).toBeLessThanOrEqual(PLATFORMS.length);
  return rows;
};

const shared = () =>
  until('both have a share of the platforms', async () => {
    const found = await shares();
    return found
      .map(({ n }) => n)
      .sort()
      .join() === '3,4'
      ? found.map(({ pid }) => pid)
      : null;
  });

it('a projection continues on two processes when one loses its connection, and no event counts twice', {
  tags: 'long',
}, async () => {
  for (let i = 0; i < 3; i++) {
    const before = await shared();
    await program.database.db.query('select pg_terminate_backend($1)', [before[i % 2]]);
    await follow();
    await until('the other is back', async () => (await shared()).join() !== before.join());
    await follow();
  }
  await expectAsRebuilt(program.database.db, program.log, [directory]);
});

it('a projection resumes after every connection of the database was cut', async () => {
  await program.database.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await follow();
  await expectAsRebuilt(program.database.db, program.log, [directory]);
});

it('a projection follows into the build that replaced its own', async () => {
  const before = await active();
  const options = { db: program.database.db, log: program.log, logger: silentLogger, signal: stop.signal };
  await rebuild(directory, { ...options, graceMs: 0 });
  expect(await active()).not.toBe(before);
  await follow();
});

it('a projection still has the rows of a rebuild', async () => {
  const before = await active();
  const done = new AbortController();
  const options = { db: program.database.db, log: program.log, logger: silentLogger, signal: done.signal };
  const rebuilding = rebuild(directory, { ...options, graceMs: 60_000 });
  await until('the new build is served', async () => (await active()) !== before);
  expect(await differences(program.database.db, before, await active())).toEqual([]);
  done.abort();
  await rebuilding;
});

it('a projection forgets exactly the stops that it has passed, including those of partitions', async () => {
  const { db } = program.database;
  const stopAt = (partition: string, position: bigint, version = directory.version) => {
    const event = { position, id: crypto.randomUUID(), stream: 'account-x:bad', type: 'AccountSighted' };
    return recordStall(db, { name: directory.name, version }, event, 'it was bad', partition);
  };
  const partitions = async () =>
    (await listStalls(db)).map(({ partition, version }) => `${partition} v${version}`).sort();
  const head = await program.log.head();
  await stopAt('all', head);
  await stopAt('accounts/17', head);
  await stopAt('accounts/18', head + 1_000_000n);
  await stopAt('accounts/19', head, directory.version + 1);
  const kept = [`accounts/18 v${directory.version}`, `accounts/19 v${directory.version + 1}`];
  await until('it has forgotten them', async () => (await partitions()).length <= kept.length);
  expect(await partitions()).toEqual(kept);
});
