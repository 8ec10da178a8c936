import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import {
  activeBuild,
  createBuild,
  dropAbandoned,
  dropBuild,
  leaseOf,
  listBuilds,
} from '../../../src/projections/builds/builds.ts';
import { createPointInTimeCopy, dropBuildByName } from '../../../src/projections/builds/point-in-time.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointOf } from '../../../src/projections/checkpoints.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { positionAtTime } from '../../../src/write/position-at-time.ts';
import { skipEvent } from '../../../src/write/projection-control.ts';
import { differences } from '../../support/compare.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
  await live(program.log, 7, 900);
  await program.project();
});
afterAll(() => program.close());

const options = (signal = new AbortController().signal) => ({
  db: program.database.db,
  log: program.log,
  logger: silentLogger,
  signal,
});

const schemas = async (): Promise<readonly string[]> => {
  const { rows } = await program.database.db.query<{ nspname: string }>(
    'select nspname from pg_namespace order by 1',
  );
  return rows.map(({ nspname }) => nspname);
};

const buildOf = async (schema: string) =>
  (await listBuilds(program.database.db)).find((build) => build.schema === schema);

/** A projection folded event by event up to a position. */
const folded = async (projection: Projection, to: bigint): Promise<string> => {
  const { db } = program.database;
  const { schema } = await createBuild(db, projection, 'building');
  const writer = await openWriter(db, projection, schema);
  const wanted = { types: projection.types, to, pageSize: 50 };
  for await (const page of program.log.readAll(0n, wanted)) await writer.write(page);
  return schema;
};

describe('a copy', () => {
  it.each([1n, 413n, 900n])('as of position %s has the rows of that time', async (to) => {
    const { db } = program.database;
    const schema = `directory_at_${to}`;
    const build = await createPointInTimeCopy(directory, to, schema, options());
    expect(build).toMatchObject({ schema, status: 'copy' });
    expect(await checkpointOf(db, schema)).toBe(to);
    expect(await differences(db, schema, await folded(directory, to))).toEqual([]);
  });

  it('as of an instant has exactly what the log had before it', async () => {
    const { db } = program.database;
    const events: RecordedEvent[] = [];
    for await (const page of program.log.readAll(0n)) events.push(...page.events);
    const first = Date.parse(events[0]?.recorded_at ?? '');
    const last = Date.parse(events.at(-1)?.recorded_at ?? '');
    const middle = Math.floor((first + last) / 2);
    const to = await positionAtTime(program.log, middle);
    const { schema } = await createPointInTimeCopy(accounts, to, 'in_between', options());
    const before = events.filter((event) => Date.parse(event.recorded_at) < middle);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(events.length);
    expect(await differences(db, schema, await folded(accounts, before.at(-1)?.position ?? 0n))).toEqual([]);
  });

  it('stays as it is, whatever is served, followed, rebuilt or cleared', async () => {
    const { db, url } = program.database;
    const { schema } = await createPointInTimeCopy(directory, 500n, 'frozen', options());
    const served = (await activeBuild(db, directory.name, directory.version))?.schema;
    expect(served).not.toBe(schema);
    const stop = new AbortController();
    const running = runProjection(directory, { ...options(stop.signal), connectionString: url });
    await live(program.log, 7, 100, 900);
    await rebuild(directory, { ...options(), graceMs: 0 });
    const head = await program.log.head();
    await until('the new build is followed', async () => {
      const active = await activeBuild(db, directory.name, directory.version);
      return active !== null && (await checkpointOf(db, active.schema)) >= head;
    });
    await dropAbandoned(db, directory);
    stop.abort();
    await running;
    expect(await buildOf('frozen')).toMatchObject({ status: 'copy', position: 500n });
    expect(await differences(db, 'frozen', await folded(directory, 500n))).toEqual([]);
  });

  it('leaves out events that are skipped today', async () => {
    const { db } = program.database;
    const skipping: Projection = { ...accounts, name: 'skipping' };
    let first: RecordedEvent | undefined;
    for await (const page of program.log.readAll(0n, { types: ['AccountSighted'] })) first ??= page.events[0];
    if (first === undefined) throw new Error('no event');
    await skipEvent(program.log, skipping, first, 'a test', Date.now());
    const { schema } = await createPointInTimeCopy(skipping, first.position, 'without', options());
    const { rows } = await db.query(`select from ${schema}.accounts`);
    const { rows: others } = await db.query(`select from ${await folded(accounts, first.position)}.accounts`);
    expect([rows.length, others.length]).toEqual([0, 1]);
  });

  it.each([
    ['frozen', 'There is a copy in frozen already'],
    ['metering', 'There is a schema metering already'],
    ['Upper', "can't be the copy's name: use lower-case letters"],
    ['a b', "can't be the copy's name: use lower-case letters"],
    ['x; drop schema log', "can't be the copy's name: use lower-case letters"],
    ['a'.repeat(64), "can't be the copy's name: use lower-case letters"],
    ['', "can't be the copy's name: use lower-case letters"],
    ['pg_mine', 'such names are reserved'],
    ['directory_v9_b1', 'such names are reserved'],
    ['select', 'it is a reserved word of SQL'],
    ['table', 'it is a reserved word of SQL'],
    ['user', 'it is a reserved word of SQL'],
    ['between', 'it is a reserved word of SQL'],
    ['tablesample', 'it is a reserved word of SQL'],
  ])('is refused under the name "%s"', async (name, why) => {
    const others = async () => (await schemas()).filter((schema) => !/^accounts_v\d+_b\d+$/.test(schema));
    const before = await others();
    await expect(createPointInTimeCopy(accounts, 5n, name, options())).rejects.toThrow(why);
    expect(await others()).toEqual(before);
  });

  it('is refused beyond the log’s head', async () => {
    await expect(createPointInTimeCopy(accounts, 10_000_000n, 'later', options())).rejects.toThrow(
      /The log ends at position \d+; position 10000000 does not exist yet/,
    );
  });

  it('leaves nothing behind if stopped, and is cleared away if killed', async () => {
    const before = await schemas();
    const stop = new AbortController();
    const making = createPointInTimeCopy(directory, 400n, 'half', {
      ...options(stop.signal),
      onProgress: () => stop.abort(),
    });
    await expect(making).rejects.toThrow('aborted');
    expect((await schemas()).filter((schema) => !before.includes(schema))).toEqual([]);
    await createBuild(program.database.db, directory, 'building', 'half');
    await dropAbandoned(program.database.db, directory);
    expect(await schemas()).not.toContain('half');
    expect(await buildOf('half')).toBeUndefined();
    // Another version's is that version's business.
    const other = await createBuild(program.database.db, { ...directory, version: 99 }, 'building');
    await dropAbandoned(program.database.db, directory);
    expect(await schemas()).toContain(other.schema);
    await dropBuild(program.database.db, other.schema);
  });

  it('is refused under a former build’s name, which others may still write to', async () => {
    const { db } = program.database;
    const first = await createBuild(db, directory, 'building');
    await dropBuild(db, first.schema);
    expect((await createBuild(db, directory, 'building')).schema).not.toBe(first.schema);
    await dropAbandoned(db, directory);
  });
});

describe('dropping', () => {
  const drop = (schema: string, known: readonly Projection[] = projections) =>
    dropBuildByName(program.database.db, schema, known);

  it('removes a copy with its rows', async () => {
    expect(await drop('without')).toMatchObject({ status: 'copy', projection: 'skipping' });
    expect(await schemas()).not.toContain('without');
    await expect(drop('without')).rejects.toThrow('There is no build of a read model in a schema without');
    await expect(drop('metering')).rejects.toThrow('There is no build of a read model in a schema metering');
    expect(await schemas()).toContain('metering');
  });

  it('refuses what is served, and what a newer version owns', async () => {
    const { db } = program.database;
    const active = (await activeBuild(db, accounts.name, accounts.version))?.schema ?? '';
    await expect(drop(active)).rejects.toThrow(`${active} is the active build of accounts`);
    const newer = await createBuild(db, { ...accounts, version: accounts.version + 1 }, 'active');
    await expect(drop(newer.schema)).rejects.toThrow('belongs to a newer version of the program');
    expect(await schemas()).toContain(newer.schema);
  });

  it('removes an old version’s build once nobody writes to it', async () => {
    const { db, url } = program.database;
    const old = (await activeBuild(db, directory.name, directory.version))?.schema ?? '';
    const known = [{ ...directory, version: directory.version + 1 }];
    await db.query(`update projections.checkpoints set updated_at = now() - interval '1 hour'`);
    const stop = new AbortController();
    const running = runProjection(directory, { ...options(stop.signal), connectionString: url });
    await until('it is followed', async () => {
      const { rowCount } = await db.query(
        `select from pg_locks where locktype = 'advisory' and classid = $1 and granted
         and database = (select oid from pg_database where datname = current_database())`,
        [leaseOf(directory).kind],
      );
      return (rowCount ?? 0) > 0;
    });
    await expect(drop(old, known)).rejects.toThrow('a running program writes to it');
    stop.abort();
    await running;
    await db.query('update projections.checkpoints set updated_at = now() where schema_name = $1', [old]);
    // The lease ends when the server has heard that its connection has.
    await until('nobody follows it', () =>
      drop(old, known).then(
        () => {
          throw new Error('it was dropped');
        },
        (error: Error) => error.message.includes('it was written to within the last minute'),
      ),
    );
    await db.query(`update projections.checkpoints set updated_at = now() - interval '2 minutes'`);
    expect(await drop(old, known)).toMatchObject({ schema: old });
    expect(await schemas()).not.toContain(old);
  });
});
