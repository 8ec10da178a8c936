import { migrationSchemas } from '../../kernel/postgres/migrate.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import type { SavedTable } from './manifest.ts';
import { loadLines, saveLines } from './ndjson.ts';

/** Schemas that a backup leaves out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  log: 'its events are saved through the log’s port',
  projections: 'read models are built from the log',
  relay: 'relay checkpoints: a restored log has a new ID and is published from scratch',
};

interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** Durable tables: those of the migrations' schemas, without what is left out. */
export const tablesToSave = async (
  db: Queryable,
): Promise<readonly (TableName & { readonly columns: readonly string[] })[]> => {
  const schemas = (await migrationSchemas()).filter((schema) => LEFT_OUT[schema] === undefined);
  const { rows } = await db.query<TableName & { columns: string[] }>(sql`
    select n.nspname as schema, c.relname as table,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${schemas}) and c.relkind in ('r', 'p') and not c.relispartition order by 1, 2`);
  return rows;
};

const CHUNK = 2_000;

async function* rowsOf(db: Queryable, { schema, table }: TableName, columns: readonly string[]) {
  const names = columns.map((name) => `"${name}"`).join(', ');
  await db.query(sql`
    declare saved no scroll cursor for
    select row_to_json("whole row")::text as row from (select ${raw(names)}
      from ${ident(schema)}.${ident(table)}) "whole row"`);
  for (;;) {
    const { rows } = await db.query<{ row: string }>(sql`fetch ${raw(CHUNK)} from saved`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await db.query(sql`close saved`);
}

/** Saves all tables as a snapshot shows them. Numbers go from Postgres to the file as they are written, unread. */
export const saveTables = async (db: Queryable, folder: string): Promise<readonly SavedTable[]> => {
  const saved: SavedTable[] = [];
  for (const { schema, table, columns } of await tablesToSave(db)) {
    const rows = rowsOf(db, { schema, table }, columns);
    const file = await saveLines(folder, `${schema}.${table}.ndjson.zst`, rows);
    saved.push({ schema, table, columns: [...columns], file });
  }
  return saved;
};

/** Locks the tables for the transaction. @returns those that are not empty. */
export const claimTables = async (db: Queryable): Promise<readonly string[]> => {
  const filled: string[] = [];
  for (const { schema, table } of await tablesToSave(db)) {
    await db.query(sql`lock table ${ident(schema)}.${ident(table)} in exclusive mode`);
    const { rowCount } = await db.query(sql`select from ${ident(schema)}.${ident(table)} limit 1`);
    if (rowCount !== 0) filled.push(`${schema}.${table}`);
  }
  return filled;
};

/** Fills a table with what was saved of it. */
export const loadTable = async (
  db: Queryable,
  folder: string,
  { schema, table, columns, file }: SavedTable,
): Promise<void> => {
  const names = columns.map((name) => `"${name}"`).join(', ');
  for await (const rows of loadLines(folder, file)) {
    await db.query(sql`
      insert into ${ident(schema)}.${ident(table)} (${raw(names)}) overriding system value
      select ${raw(names)} from json_populate_recordset(null::${ident(schema)}.${ident(table)},
        ${`[${rows.join(',')}]`}::json)`);
  }
};
