import type { Queryable } from '../../kernel/postgres/pool.ts';
import { arraysOf, insertSql, sortedByKey } from './bulk-upsert.ts';
import type { Table } from './table.ts';

/** A table of sums: a key, and numbers that writers add to in any order. */
export interface SumTable<Row> extends Table<Row> {
  readonly sums: readonly (keyof Row & string)[];
}

/** Maximum rows of a statement. */
const MAX_ROWS = 5_000;

const sumSql = <Row>(schema: string, table: SumTable<Row>): string => {
  const { name, key, sums } = table;
  const added = sums.map((sum) => `${sum} = ${name}.${sum} + excluded.${sum}`).join(', ');
  const isSpent = sums.map((sum) => `${sum} = 0`).join(' and ');
  return `with added as (
    ${insertSql(schema, table)} on conflict (${key.join(', ')}) do update set ${added} returning *)
  select ${key.join(', ')} from added where ${isSpent}`;
};

/**
 * Adds to the sums of rows, in a statement per chunk; rows whose sums are all zero are deleted. Sorted by key, so that
 * concurrent writers lock rows in the same order.
 */
export const addSums = async <Row>(
  db: Queryable,
  schema: string,
  table: SumTable<Row>,
  rows: readonly Row[],
): Promise<void> => {
  const { name, key, sums } = table;
  const moved = sortedByKey(
    table,
    rows.filter((row) => sums.some((sum) => String(row[sum]) !== '0')),
  );
  for (let from = 0; from < moved.length; from += MAX_ROWS) {
    const { rows: spent } = await db.query<Record<string, string>>({
      name: `sum ${schema}.${name}`,
      text: sumSql(schema, table),
      values: arraysOf(table, moved.slice(from, from + MAX_ROWS)),
    });
    if (spent.length === 0) continue;
    const columns = key.map((column, i) => `$${i + 1}::${table.columns[column].type}[]`).join(', ');
    await db.query({
      name: `unsum ${schema}.${name}`,
      text: `delete from ${schema}.${name} where (${key.join(', ')}) in (select * from unnest(${columns}))
             and ${sums.map((sum) => `${sum} = 0`).join(' and ')}`,
      values: key.map((column) => spent.map((row) => row[column])),
    });
  }
};
