import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { OperatorError } from '../errors/operator-error.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import {
  applyingFunction,
  FUNCTIONS_TABLE,
  pendingFunctions,
  readFunctions,
  readRevision,
} from './functions.ts';
import type { Db } from './pool.ts';
import { inTransaction } from './pool.ts';
import { raw, sql } from './statement.ts';

const FOLDER = new URL('../../../infra/migrations/', import.meta.url);

/** A migration of the durable tables. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** All migrations of this program, in order. */
export const readMigrations = async (): Promise<readonly Migration[]> => {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, FOLDER), 'utf8') })),
  );
};

/** Schemas created by the migrations: those of all durable tables. */
export const migrationSchemas = async (): Promise<readonly string[]> =>
  (await readMigrations()).flatMap(({ sql }) =>
    [...sql.matchAll(/^create schema (\w+);/gm)].map(([, name]) => name as string),
  );

/** The table of what was applied. */
export const MIGRATIONS_TABLE = `create table if not exists public.sightline_migrations (
  name text primary key, at timestamptz not null default now())`;

/** Statements that apply a migration and note its name. */
export const applyingMigration = ({ name, sql }: Migration): string =>
  `${sql}\n;insert into public.sightline_migrations (name) values (${pg.escapeLiteral(name)});`;

/**
 * Migrates the durable tables, forward only, and applies the SQL functions that have changed, in one transaction and one
 * round trip. Safe to run concurrently: one process migrates, the others wait.
 * @returns the names of the migrations that this call applied.
 * @throws {OperatorError} if a newer program has migrated the database.
 */
export const migrate = async (db: Db): Promise<readonly string[]> => {
  const [known, functions, { revision }] = await Promise.all([
    readMigrations(),
    readFunctions(),
    readRevision(),
  ]);
  return inTransaction(db, async (client) => {
    await client.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.MIGRATE})`);
    await client.query(sql`${raw(MIGRATIONS_TABLE)}; ${raw(FUNCTIONS_TABLE)}`);
    const done = await client.query<{ name: string }>(sql`select name from public.sightline_migrations`);
    const names = new Set(done.rows.map((row) => row.name));
    const unknown = [...names].filter((name) => !known.some((migration) => migration.name === name)).sort();
    if (unknown.length > 0) {
      throw new OperatorError(
        'database_upgraded',
        `The database was upgraded by a newer Sightline (${unknown.join(', ')}): upgrade this one as well.`,
      );
    }
    const pending = known.filter(({ name }) => !names.has(name));
    const changed = await pendingFunctions(client, functions, revision, pending.length > 0);
    const statements = [
      ...pending.map(applyingMigration),
      // A function may use one that follows it.
      'set local check_function_bodies = off;',
      ...changed.map((each) => applyingFunction(each, revision)),
    ];
    if (pending.length + changed.length > 0) await client.query(raw(statements.join('\n')));
    return pending.map(({ name }) => name);
  });
};
