import type { Queryable } from '../../src/kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../src/kernel/postgres/statement.ts';

const SHOWN = 5;

const tablesOf = async (db: Queryable, schema: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  return rows.map(({ name }) => name);
};

/** Rows of one table, as text, that occur more often than in the other. */
const missingIn = async (db: Queryable, table: string, from: string, other: string): Promise<string[]> => {
  const rowsOf = (schema: string) => `select to_jsonb(t)::text as row from ${schema}.${table} t`;
  const { rows } = await db.query<{ row: string }>(
    sql`${raw(rowsOf(from))} except all ${raw(rowsOf(other))} order by 1 limit ${raw(SHOWN)}`,
  );
  return rows.map(({ row }) => row);
};

/**
 * Compares every table of two builds row by row.
 * @returns one line per row that only one build has (the first few of each table); empty if they are equal.
 */
export const differences = async (db: Queryable, a: string, b: string): Promise<readonly string[]> => {
  const [left, right] = [await tablesOf(db, a), await tablesOf(db, b)];
  if (left.length === 0) throw new Error(`there are no tables in ${a}`);
  if (left.join() !== right.join()) return [`${a} has ${left.join()}, ${b} has ${right.join()}`];
  const lines: string[] = [];
  for (const table of left) {
    for (const [from, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const missing = await missingIn(db, table, from, other);
      lines.push(...missing.map((row) => `only in ${from}.${table}: ${row}`));
    }
  }
  return lines;
};

/** How many rows a build holds, by table. */
export const sizes = async (db: Queryable, schema: string): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  for (const table of await tablesOf(db, schema)) {
    const { rows } = await db.query<{ n: number }>(
      sql`select count(*)::int as n from ${ident(schema)}.${ident(table)}`,
    );
    counts[table] = rows[0]?.n ?? 0;
  }
  return counts;
};
