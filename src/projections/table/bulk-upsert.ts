import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { addedRows, addSql, addSums, deleteSpent, type SumTable, spentCondition } from './bulk-add.ts';
import { arraysOf, insertSql } from './bulk-insert.ts';
import type { Table } from './table.ts';

const upsertSql = <Row>(schema: string, table: Table<Row>, from = 1): string => {
  const rest = Object.keys(table.columns).filter((name) => !(table.key as readonly string[]).includes(name));
  const action =
    rest.length === 0 ? 'nothing' : `update set ${rest.map((c) => `${c} = excluded.${c}`).join(', ')}`;
  return `${insertSql(schema, table, from)} on conflict (${table.key.join(', ')}) do ${action}`;
};

/** Maximum rows of a statement: its arrays are in memory several times. */
const MAX_ROWS = 5_000;
/** Maximum rows of each table that are written together. */
const MAX_TOGETHER = 500;

/** Upserts rows by key, in chunks of `MAX_ROWS`. */
export const upsert = async <Row>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  rows: readonly Row[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    await db.query(
      numbered(upsertSql(schema, table), arraysOf(table, rows.slice(from, from + MAX_ROWS)), {
        name: `upsert ${schema}.${table.name}`,
      }),
    );
  }
};

/** Rows to write to one table: to upsert, or to add to the sums of. */
export type Write =
  | { readonly is: 'upsert'; readonly table: Table<never>; readonly rows: readonly never[] }
  | { readonly is: 'sum'; readonly table: SumTable<never>; readonly rows: readonly never[] };

export const upserts = <Row>(table: Table<Row>, rows: readonly Row[]): Write =>
  ({ is: 'upsert', table, rows }) as unknown as Write;

export const sums = <Row>(table: SumTable<Row>, rows: readonly Row[]): Write =>
  ({ is: 'sum', table, rows: addedRows(table, rows) }) as unknown as Write;

/**
 * Writes to several tables in one statement: of a small batch, most of the time is spent on the way to the server
 * and back. Large batches take a statement a table.
 */
export const writeAll = async (db: Queryable, schema: string, writes: readonly Write[]): Promise<void> => {
  const wanted = writes.filter(({ rows }) => rows.length > 0);
  const isLarge = wanted.some(({ rows }) => rows.length > MAX_TOGETHER);
  if (wanted.length < 2 || isLarge) {
    for (const each of wanted) {
      await (each.is === 'sum'
        ? addSums(db, schema, each.table, each.rows)
        : upsert(db, schema, each.table, each.rows));
    }
    return;
  }
  let parameter = 1;
  const parts = wanted.map((each, i) => {
    const text =
      each.is === 'sum' ? addSql(schema, each.table, parameter) : upsertSql(schema, each.table, parameter);
    parameter += Object.keys(each.table.columns).length;
    return `w${i} as (${text})`;
  });
  const summed = wanted.flatMap((each, i) =>
    each.is === 'sum'
      ? [`select ${i} as at, to_jsonb(w${i}) as row from w${i} where ${spentCondition(each.table)}`]
      : [],
  );
  const result =
    summed.length === 0 ? 'select 0 as at, null::jsonb as row limit 0' : summed.join(' union all ');
  const { rows: spent } = await db.query<{ at: number; row: never }>(
    numbered(
      `with ${parts.join(', ')} ${result}`,
      wanted.flatMap(({ table, rows }) => arraysOf(table, rows)),
      { name: `write ${schema} ${writes.map(({ rows }) => (rows.length > 0 ? 1 : 0)).join('')}` },
    ),
  );
  for (const [at, rows] of Map.groupBy(spent, (row) => row.at)) {
    const table = wanted[at]?.table as SumTable<never>;
    await deleteSpent(
      db,
      schema,
      table,
      rows.map(({ row }) => row),
    );
  }
};
