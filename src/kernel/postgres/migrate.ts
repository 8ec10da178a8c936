import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { OperatorError } from '../errors/operator-error.ts';
import { type Logger, silentLogger } from '../logger.ts';
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

/** Schemas created by the migrations, by their current names: those of all durable tables. */
export const migrationSchemas = async (): Promise<readonly string[]> => {
  const schemas = new Set<string>();
  for (const { sql } of await readMigrations()) {
    for (const [, created, from, to] of sql.matchAll(
      /^create schema (\w+);|^alter schema (\w+) rename to (\w+);/gm,
    )) {
      if (from !== undefined) schemas.delete(from);
      schemas.add((created ?? to) as string);
    }
  }
  return [...schemas];
};

/**
 * A migration named `*_break.sql` is incompatible with older versions; every other migration is backward
 * compatible.
 */
const BREAKING = /_break\.sql$/;

export const isBreaking = (name: string): boolean => BREAKING.test(name);

/**
 * Tolerates migrations of a newer program, unless one is incompatible, so that both can run side by side during an
 * upgrade.
 */
const rejectUnknownMigrations = (unknown: readonly string[], logger: Pick<Logger, 'warn'>): void => {
  const breaking = unknown.find(isBreaking);
  if (breaking !== undefined) {
    throw new OperatorError(
      'database_upgraded',
      `The database was upgraded by a newer Sightline (${breaking}), which is incompatible with this version: upgrade it as well.`,
    );
  }
  if (unknown.length > 0) {
    logger.warn(
      { migrations: unknown },
      'database was migrated by a newer Sightline; upgrade this process soon',
    );
  }
};

/** Statements that apply a migration and note its name. */
const applyingMigration = ({ name, sql }: Migration): string =>
  `${sql}\n;insert into public.sightline_migrations (name) values (${pg.escapeLiteral(name)});`;

/**
 * Migrates the durable tables, forward only, and applies the SQL functions that have changed, in one transaction and one
 * round trip. Safe to run concurrently: one process migrates, the others wait.
 * @returns the names of the migrations that this call applied.
 * @throws {OperatorError} if a newer program applied an incompatible migration.
 */
export const migrate = async (
  db: Db,
  logger: Pick<Logger, 'warn'> = silentLogger,
): Promise<readonly string[]> => {
  const [known, functions, { revision }] = await Promise.all([
    readMigrations(),
    readFunctions(),
    readRevision(),
  ]);
  return inTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.MIGRATE]);
    await client.query(
      `create table if not exists public.sightline_migrations (name text primary key, at timestamptz not null default now());
       ${FUNCTIONS_TABLE}`,
    );
    const done = await client.query<{ name: string }>('select name from public.sightline_migrations');
    const names = new Set(done.rows.map((row) => row.name));
    rejectUnknownMigrations(
      [...names].filter((name) => !known.some((migration) => migration.name === name)).sort(),
      logger,
    );
    const pending = known.filter(({ name }) => !names.has(name));
    const changed = await pendingFunctions(client, functions, revision, pending.length > 0);
    const statements = [
      ...pending.map(applyingMigration),
      // A function may use one that follows it.
      'set local check_function_bodies = off;',
      ...changed.map((each) => applyingFunction(each, revision)),
    ];
    if (pending.length + changed.length > 0) await client.query(statements.join('\n'));
    return pending.map(({ name }) => name);
  });
};
