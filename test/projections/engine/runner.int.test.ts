import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { activeBuild } from '../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointOf } from '../../../src/projections/engine/checkpoint-store.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import { listStalls, recordStall } from '../../../src/projections/stalls/stalls.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { differences } from '../../support/compare.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
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

const LEADER = `select l.pid from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted and a.application_name like 'sightline lease directory%'
    and a.datname = current_database()`;

const leader = async (): Promise<number | undefined> => {
  const { rows } = await program.database.db.query<{ pid: number }>(LEADER);
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.pid;
};

it('one of two leads; the other takes over when its connection is cut, and no event counts twice', async () => {
  const first = await until('somebody leads', leader);
  for (let i = 0; i < 3; i++) {
    const before = await until('somebody leads', leader);
    await program.database.db.query('select pg_terminate_backend($1)', [before]);
    await until('somebody else leads', async () => {
      const now = await leader();
      return now !== undefined && now !== before;
    });
    await follow();
  }
  expect(await leader()).not.toBe(first);
});

it('resumes after every connection of the database was cut', async () => {
  await program.database.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await follow();
});

it('follows into the build that replaced its own', async () => {
  const before = await active();
  const options = { db: program.database.db, log: program.log, logger: silentLogger, signal: stop.signal };
  await rebuild(directory, { ...options, graceMs: 0 });
  expect(await active()).not.toBe(before);
  await follow();
});

it('has, after all that, the rows of a rebuild', async () => {
  const before = await active();
  const done = new AbortController();
  const options = { db: program.database.db, log: program.log, logger: silentLogger, signal: done.signal };
  const rebuilding = rebuild(directory, { ...options, graceMs: 60_000 });
  await until('the new build is served', async () => (await active()) !== before);
  expect(await differences(program.database.db, before, await active())).toEqual([]);
  done.abort();
  await rebuilding;
});

it('forgets all stops that it is past, those of partitions too that workers left, and no others', async () => {
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
