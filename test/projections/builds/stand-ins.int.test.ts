import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { ident, sql } from '../../../src/kernel/postgres/statement.ts';
import { readinessOf } from '../../../src/operations/health/health.ts';
import { createBuild, listBuilds } from '../../../src/projections/builds/builds.ts';
import { dropBuildByName, pruneBuilds } from '../../../src/projections/builds/point-in-time.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { lendOlderBuilds } from '../../../src/projections/builds/stand-ins.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { watchBuilds } from '../../../src/read/active-builds.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';

/** A database that a program left which has older versions of some read models. */
const upgraded = async (changed: readonly Projection[]) => {
  const program = await createTestProgram();
  await program.append('x', 'nasa', sighted('nasa', '2026-11-01T00:00:00.000Z'));
  const key = await program.issueKey();
  await program.project();
  const { db } = program.database;
  const names = changed.map(({ name }) => name);
  await db.query(sql`update projections.builds set version = version - 1 where projection = any(${names})`);
  return { program, key, db };
};

const answers = async (program: TestProgram, key: string) =>
  Object.fromEntries(
    await Promise.all(
      [
        '/v2/accounts/x/nasa',
        '/v2/directory/x/nasa',
        '/v2/directory',
        '/v2/engines',
        '/v2/marketplace/stats',
      ].map(async (path) => [path, (await program.get(path, key)).status] as const),
    ),
  );

describe('after an upgrade that changes every read model but the holders', () => {
  const changed = projections.filter(({ name }) => name !== 'holders');
  let program: TestProgram;
  let key: string;
  beforeAll(async () => {
    ({ program, key } = await upgraded(changed));
  });
  afterAll(() => program.close());

  it('old builds answer until those of this version are made, which then answer', async () => {
    const { db } = program.database;
    await program.builds.refresh();
    const without = await answers(program, key);
    expect(new Set(Object.values(without))).toEqual(new Set([503]));
    expect((await readinessOf(program.services.health, silentLogger)).ready).toBe(false);

    await lendOlderBuilds(db, silentLogger, projections);
    await program.builds.refresh();
    const lent = await answers(program, key);
    expect(lent).toEqual(Object.fromEntries(Object.keys(without).map((path) => [path, 200])));
    // Decisions rest on rows that this version made.
    for (const { name } of changed) {
      expect(program.builds.progress(name)).toBeNull();
      expect(program.builds.withStandIns.progress(name)).not.toBeNull();
    }
    await createBuild(db, accounts, 'building');
    const { ready, checks } = await readinessOf(program.services.health, silentLogger);
    expect(ready).toBe(true);
    const older = program.builds.withStandIns.schema('accounts');
    expect(checks.find(({ name }) => name === 'projection accounts')?.detail).toBe(
      `not built yet: 0 %, ${older} answers meanwhile`,
    );
    await expect(dropBuildByName(db, older, projections)).rejects.toThrow(
      `it answers until version ${accounts.version} is built`,
    );

    const options = {
      db,
      log: program.log,
      logger: silentLogger,
      signal: new AbortController().signal,
      graceMs: 0,
    };
    for (const projection of changed) await rebuild(projection, options);
    await program.builds.refresh();
    for (const { name, version } of changed) {
      expect(program.builds.withStandIns.schema(name)).toMatch(new RegExp(`^${name}_v${version}_`));
    }
    expect(await answers(program, key)).toEqual(lent);
  });

  it('a prune then drops the old builds, and nothing that is served, copied or newer', async () => {
    const { db } = program.database;
    await createBuild(db, { ...accounts, version: accounts.version + 1 }, 'active');
    await createBuild(db, directory, 'building', 'kept_copy');
    await db.query(sql`update projections.builds set status = 'copy' where schema_name = 'kept_copy'`);
    const left = (await createBuild(db, directory, 'building')).schema;
    const before = await listBuilds(db);
    const old = before.filter(({ projection, version }) =>
      changed.some((own) => own.name === projection && own.version > version),
    );
    const recent = old[0]?.schema as string;
    await db.query(
      sql`update projections.checkpoints set updated_at = now() - interval '2 minutes' where schema_name <> ${recent}`,
    );
    const { dropped, kept } = await pruneBuilds(db, projections);
    expect(kept).toEqual([
      { schema: recent, reason: expect.stringContaining('it was written to within the last minute') },
    ]);
    const gone = new Set(dropped.map(({ schema }) => schema));
    expect(gone).toEqual(new Set([left, ...old.slice(1).map(({ schema }) => schema)]));
    expect(await listBuilds(db)).toEqual(
      before
        .filter(({ schema }) => !gone.has(schema))
        .map((build) => expect.objectContaining({ schema: build.schema })),
    );
  });
});

it('a changed read model of keys is not read from an old build: a key could have been revoked since', async () => {
  const { program, key, db } = await upgraded([holders]);
  onTestFinished(() => program.close());
  await lendOlderBuilds(db, silentLogger, projections);
  await program.builds.refresh();
  expect((await program.get('/v2/accounts/x/nasa', key)).status).toBe(503);
  expect((await readinessOf(program.services.health, silentLogger)).ready).toBe(false);
});

describe('an old build', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  let version = 1_000;
  const firstTableOf = (ddl: string) => /create table \w+\.(\w+)/.exec(ddl)?.[1] as string;

  /** Makes a build, and lends it to a version whose tables have been changed. */
  const lend = async (projection: Projection, change: (schema: string, table: string) => string) => {
    const { db } = database;
    version += 2;
    const { schema } = await createBuild(db, { ...projection, version }, 'active');
    const next: Projection = {
      ...projection,
      version: version + 1,
      tables: (of) => `${projection.tables(of)};${change(of, firstTableOf(projection.tables(of)))}`,
    };
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => lines.push(line) });
    await lendOlderBuilds(db, logger, [next]);
    const builds = await watchBuilds(db, silentLogger, { known: [next] });
    builds.close();
    const isLent = builds.withStandIns.progress(projection.name) !== null;
    return {
      schema,
      found: isLent ? builds.withStandIns.schema(projection.name) : null,
      log: lines.join(''),
    };
  };
  const every = projections.map((projection) => [projection.name, projection] as const);

  it.for(every)('of %s stands in for a version with the same tables', async ([, projection]) => {
    const { schema, found } = await lend(projection, () => '');
    expect(found).toBe(schema);
  });

  it.for(every)(
    'of %s stands in for a version with a column that may be unknown, and it is',
    async ([, projection]) => {
      const { schema, found } = await lend(
        projection,
        (of, table) => `alter table ${of}.${table} add shoe_size text collate "C"`,
      );
      expect(found).toBe(schema);
      const table = firstTableOf(projection.tables(schema));
      await database.db.query(sql`select shoe_size from ${ident(schema)}.${ident(table)}`);
    },
  );

  it.for(every)(
    'of %s has no answers for a version with a column that needs a value',
    async ([, projection]) => {
      const { found, log } = await lend(
        projection,
        (of, table) => `alter table ${of}.${table} add visits bigint not null`,
      );
      expect(found).toBeNull();
      expect(log).toContain('visits');
    },
  );

  it.for(every)('of %s has no answers for a version with one more table', async ([, projection]) => {
    const { found, log } = await lend(projection, (of) => `create table ${of}.visits (n bigint)`);
    expect(found).toBeNull();
    expect(log).toContain('visits.n');
  });
});

it('an old build stands in for a version with one more platform, of which it has no accounts', async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { schema } = await createBuild(db, directory, 'active');
  const next: Projection = {
    ...directory,
    version: directory.version + 1,
    tables: (of) =>
      `${directory.tables(of)}; create table ${of}.entries_orkut partition of ${of}.entries for values in ('orkut')`,
  };
  await lendOlderBuilds(db, silentLogger, [next]);
  const builds = await watchBuilds(db, silentLogger, { known: [next] });
  builds.close();
  expect(builds.withStandIns.schema('directory')).toBe(schema);
  expect((await db.query(sql`select from ${ident(schema)}.entries_orkut`)).rowCount).toBe(0);
});
