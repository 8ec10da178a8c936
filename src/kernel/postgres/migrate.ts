import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { OperatorError } from '../errors.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { type Db, inTransaction, type Queryable } from './pool.ts';
import { raw, sql } from './statement.ts';

const MIGRATIONS_FOLDER = new URL('../../../infra/migrations/', import.meta.url);

/** A migration of the durable tables. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** All migrations of this program, in order. */
export const readMigrations = async (): Promise<readonly Migration[]> => {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8') })),
  );
};

/** Schemas of all durable tables: the migrations create them. */
export const migrationSchemas = async (): Promise<readonly string[]> =>
  (await readMigrations()).flatMap(({ sql }) =>
    [...sql.matchAll(/^create schema (\w+);/gm)].map(([, name]) => name as string),
  );

/** The table of applied migrations. */
export const MIGRATIONS_TABLE = `create table if not exists public.sightline_migrations (
  name text primary key, at timestamptz not null default now())`;

/** Statements that apply a migration and record its name. */
export const applyingMigration = ({ name, sql }: Migration): string =>
  `${sql}\n;insert into public.sightline_migrations (name) values (${pg.escapeLiteral(name)});`;

/**
 * Migrates the durable tables, forward only, and applies the SQL functions that have changed, in one transaction and one round
 * trip. It is safe to run concurrently: one process migrates, the others wait.
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
      // A function may use one that is created after it.
      'set local check_function_bodies = off;',
      ...changed.map((each) => applyingFunction(each, revision)),
    ];
    if (pending.length + changed.length > 0) await client.query(raw(statements.join('\n')));
    return pending.map(({ name }) => name);
  });
};

/** SQL functions and the views that use them: one file each, in a folder per schema. */
const FUNCTIONS_FOLDER = new URL('../../../infra/functions/', import.meta.url);
/** Written by `npm run schema:dump`. */
export const REVISION_FILE = new URL('revision.json', FUNCTIONS_FOLDER);

/** A file of `create or replace` statements. */
export interface SqlFunction {
  /** For example `metering/refund.sql`. */
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

/** Orders the functions of different versions of the program: the greater revision is the newer. */
export interface FunctionsRevision {
  readonly revision: number;
  /** Hash of all functions. When it changes, the revision has to be raised. */
  readonly hash: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** All functions of this program, by name. */
export const readFunctions = async (): Promise<readonly SqlFunction[]> => {
  const names = (await readdir(FUNCTIONS_FOLDER, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^\w+\/\w+\.sql$/.test(name))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FUNCTIONS_FOLDER), 'utf8');
      return { name, sql, hash: hashOf(sql) };
    }),
  );
};

export const hashOfFunctions = (functions: readonly SqlFunction[]): string =>
  hashOf(functions.map(({ name, hash }) => `${name} ${hash}`).join('\n'));

export const readRevision = async (): Promise<FunctionsRevision> =>
  JSON.parse(await readFile(REVISION_FILE, 'utf8')) as FunctionsRevision;

/** The table of applied functions. */
export const FUNCTIONS_TABLE = `create table if not exists public.sightline_functions (
  name text primary key, hash text not null, revision integer not null, at timestamptz not null default now())`;

/**
 * The functions to apply: new and changed ones, or all of them after a migration, which may have dropped some. Functions that a
 * newer program applied stay: they are compatible with this program, but not the reverse.
 */
const pendingFunctions = async (
  db: Queryable,
  functions: readonly SqlFunction[],
  revision: number,
  isMigrated: boolean,
): Promise<readonly SqlFunction[]> => {
  const { rows } = await db.query<{ name: string; hash: string; revision: number }>(
    sql`select name, hash, revision from public.sightline_functions`,
  );
  const applied = new Map(rows.map((row) => [row.name, row]));
  return functions.filter(({ name, hash }) => {
    const present = applied.get(name);
    if (present === undefined) return true;
    return present.revision <= revision && (isMigrated || present.hash !== hash);
  });
};

/** Statements that apply a function and record its hash. */
export const applyingFunction = ({ name, sql, hash }: SqlFunction, revision: number): string =>
  `${sql}
;insert into public.sightline_functions (name, hash, revision)
values (${pg.escapeLiteral(name)}, ${pg.escapeLiteral(hash)}, ${revision})
on conflict (name) do update set hash = excluded.hash, revision = excluded.revision, at = now();`;
