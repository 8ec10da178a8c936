import { readdir, readFile } from 'node:fs/promises';
import { OperatorError } from '../errors/operator-error.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Db } from './pool.ts';
import { inTransaction } from './pool.ts';

const FOLDER = new URL('../../../infra/migrations/', import.meta.url);

/** One step of the tables that can't be rebuilt. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** All steps that this program knows, in their order. */
export const readMigrations = async (): Promise<readonly Migration[]> => {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, FOLDER), 'utf8') })),
  );
};

/** The schemas that the migrations make, by their present names: those of all durable tables. */
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

/** A step whose name ends so is one that programs which don't know it can't live with. All others leave them working. */
const BREAKING = /_break\.sql$/;

export const isBreaking = (name: string): boolean => BREAKING.test(name);

/** What a newer program did to the tables: it is lived with while both run side by side, where that is possible. */
const rejectUnknownMigrations = (unknown: readonly string[], logger: Pick<Logger, 'warn'>): void => {
  const breaking = unknown.find(isBreaking);
  if (breaking !== undefined) {
    throw new OperatorError(
      'database_upgraded',
      `The database was upgraded by a newer Sightline (${breaking}), which this version can't work with: upgrade it too.`,
    );
  }
  if (unknown.length > 0) {
    logger.warn(
      { migrations: unknown },
      'the database was upgraded by a newer Sightline: upgrade this one soon',
    );
  }
};

/**
 * Brings the tables that can't be rebuilt to their newest form. Forward only; safe under many starting processes,
 * of which one works and the others wait and find it done.
 * @returns the names of the migrations that this call applied.
 * @throws {OperatorError} where a newer program made the tables into what this one can't work with.
 */
export const migrate = async (
  db: Db,
  logger: Pick<Logger, 'warn'> = silentLogger,
): Promise<readonly string[]> => {
  const known = await readMigrations();
  return inTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.MIGRATE]);
    await client.query(
      'create table if not exists public.sightline_migrations (name text primary key, at timestamptz not null default now())',
    );
    const done = await client.query<{ name: string }>('select name from public.sightline_migrations');
    const names = new Set(done.rows.map((row) => row.name));
    rejectUnknownMigrations(
      [...names].filter((name) => !known.some((migration) => migration.name === name)).sort(),
      logger,
    );
    const applied: string[] = [];
    for (const { name, sql } of known) {
      if (names.has(name)) continue;
      await client.query(sql);
      await client.query('insert into public.sightline_migrations (name) values ($1)', [name]);
      applied.push(name);
    }
    return applied;
  });
};
