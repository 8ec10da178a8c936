import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { dumpSchema, SCHEMA_FILE } from '../../../infra/migrations/dump-schema.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { migrate, readMigrations } from '../../../src/kernel/postgres/migrate.ts';
import { createPool } from '../../../src/kernel/postgres/pool.ts';
import { createTestHome } from '../../support/cli.ts';
import { createEmptyDatabase, createTestDatabase } from '../../support/database.ts';

const names = async () => (await readMigrations()).map(({ name }) => name);

describe('the migrations', () => {
  it('create the schema in schema.txt (npm run schema:dump)', async () => {
    const database = await createTestDatabase();
    expect(await dumpSchema(database.db)).toBe(await readFile(SCHEMA_FILE, 'utf8'));
    await database.drop();
  });

  it('are applied once, however many processes start at once', async () => {
    const database = await createEmptyDatabase();
    // As many processes: each has connections of its own.
    const pools = Array.from({ length: 6 }, (_, i) =>
      createPool(database.url, { max: 2, logger: silentLogger, name: `start ${i}` }),
    );
    const applied = await Promise.all(pools.map((pool) => migrate(pool)));
    expect(applied.filter((done) => done.length > 0)).toEqual([await names()]);
    expect(await dumpSchema(database.db)).toBe(await readFile(SCHEMA_FILE, 'utf8'));
    for (const pool of pools) await pool.end();
    await database.drop();
  });

  it('are applied once by real processes that start together on an empty database', {
    tags: 'long',
  }, async () => {
    const database = await createEmptyDatabase();
    const home = await createTestHome({ DATABASE_URL: database.url });
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => home.run(['projections', 'list', '--json'])),
    );
    expect(runs.map(({ code, out }) => [code, out])).toEqual(runs.map(() => [0, '[]\n']));
    const { rows } = await database.db.query<{ name: string }>(
      'select name from public.sightline_migrations order by at, name',
    );
    expect(rows.map(({ name }) => name)).toEqual(await names());
    await home.remove();
    await database.drop();
  });

  it('leave nothing if they fail in the middle, and are applied by the next start', async () => {
    const database = await createEmptyDatabase();
    const blocked = new pg.Client({ connectionString: database.url });
    await blocked.connect();
    // The last schema is in the way.
    await blocked.query('create schema metering');
    await expect(migrate(database.db)).rejects.toThrow('schema "metering" already exists');
    const { rows } = await blocked.query(`select from pg_namespace where nspname in ('log', 'projections')`);
    expect(rows).toEqual([]);
    await blocked.query('drop schema metering');
    await blocked.end();
    expect(await migrate(database.db)).toEqual(await names());
    await database.drop();
  });

  it('are refused by an older program, which leaves the database as it is', async () => {
    const database = await createTestDatabase();
    await database.db.query(
      `insert into public.sightline_migrations (name) values ('9001_later.sql');
       delete from public.sightline_functions`,
    );
    await expect(migrate(database.db)).rejects.toThrow(
      'The database was upgraded by a newer Sightline (9001_later.sql): upgrade this one as well.',
    );
    expect((await database.db.query('select from public.sightline_functions')).rowCount).toBe(0);
    const home = await createTestHome({ DATABASE_URL: database.url });
    const refused = await home.run(['projections', 'list']);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringMatching(/^sightline: The database was upgraded/),
    ]);
    await home.remove();
    await database.drop();
  });
});
