import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Queryable } from './pool.ts';
import { sql } from './statement.ts';

/** SQL functions, and views that use them: a file each, below a folder per schema. */
const FOLDER = new URL('../../../infra/functions/', import.meta.url);
/** Written by `npm run schema:dump`. */
export const REVISION_FILE = new URL('revision.json', FOLDER);

/** A file of `create or replace` statements. */
export interface SqlFunction {
  /** As `metering/refund.sql`. */
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

/** Orders the functions of different programs: the greater is the newer. */
export interface FunctionsRevision {
  readonly revision: number;
  /** Hash of all functions: if it differs, the revision has to be raised. */
  readonly hash: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** All functions of this program, by name. */
export const readFunctions = async (): Promise<readonly SqlFunction[]> => {
  const names = (await readdir(FOLDER, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^\w+\/\w+\.sql$/.test(name))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, sql, hash: hashOf(sql) };
    }),
  );
};

export const hashOfFunctions = (functions: readonly SqlFunction[]): string =>
  hashOf(functions.map(({ name, hash }) => `${name} ${hash}`).join('\n'));

export const readRevision = async (): Promise<FunctionsRevision> =>
  JSON.parse(await readFile(REVISION_FILE, 'utf8')) as FunctionsRevision;

/** The table of what was applied. */
export const FUNCTIONS_TABLE = `create table if not exists public.sightline_functions (
  name text primary key, hash text not null, revision integer not null, at timestamptz not null default now())`;

/**
 * The functions that have to be applied: new and changed ones, and all of them after a migration, which may have dropped
 * some. Those that a newer program applied stay: its functions are compatible with this one, but not the reverse.
 */
export const pendingFunctions = async (
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

/** Statements that apply a function and note its hash. */
export const applyingFunction = ({ name, sql, hash }: SqlFunction, revision: number): string =>
  `${sql}
;insert into public.sightline_functions (name, hash, revision)
values (${pg.escapeLiteral(name)}, ${pg.escapeLiteral(hash)}, ${revision})
on conflict (name) do update set hash = excluded.hash, revision = excluded.revision, at = now();`;
