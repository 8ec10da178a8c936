import pg from 'pg';
import { inject } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { migrationSchemas } from '../../src/kernel/postgres/migrate.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { TEMPLATES } from './templates.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: pg.Pool;
  drop(): Promise<void>;
}

let made = 0;

/** A pristine database. */
export const createEmptyDatabase = async (): Promise<TestDatabase> => {
  const database = await createTestDatabase();
  await database.db.query(
    `drop schema ${(await migrationSchemas()).join(', ')} cascade;
     drop table public.sightline_migrations, public.sightline_functions`,
  );
  return database;
};

/** A database of its own, cloned from a template. */
export const createTestDatabase = async (
  max = 10,
  template: keyof typeof TEMPLATES = 'migrated',
): Promise<TestDatabase> => {
  const server = new URL(inject('databaseServer'));
  const name = `test_${process.pid}_${Date.now().toString(36)}_${made++}`;
  const admin = async (sql: string) => {
    const url = new URL(server);
    url.pathname = '/postgres';
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  // Takes a third of the CPU time of Postgres's default strategy, which writes the copy into the WAL.
  await admin(`create database ${name} template ${TEMPLATES[template]} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const db = createPool(url.href, { max, logger: silentLogger, name: 'test' });
  return {
    url: url.href,
    db,
    drop: async () => {
      await db.end();
      await admin(`drop database ${name} with (force)`);
    },
  };
};
