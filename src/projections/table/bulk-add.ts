import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { deleteRows } from './bulk-delete.ts';
import { arraysOf, insertSql } from './bulk-insert.ts';
import type { Column } from './column.ts';
import { defineTable, type RowOfColumns, type Table } from './table.ts';

/** A table of sums: a key, and numbers that writers add to in any order. */
export interface SumTable<Row> extends Table<Row> {
  readonly sums: readonly (keyof Row & string)[];
}

/** Defines a table of sums. @param sums columns that are added to; all others are the key. */
export const defineSums = <Defined extends Readonly<Record<string, Column<unknown>>>>(
  name: string,
  columns: Defined,
  {
    key,
    sums,
  }: {
    readonly key: readonly (keyof Defined & string)[];
    readonly sums: readonly (keyof Defined & string)[];
  },
): SumTable<RowOfColumns<Defined>> => ({ ...defineTable(name, columns, { key }), sums });

/** Maximum rows of a statement: its arrays are in memory several times. */
const MAX_ROWS = 5_000;

/** Rows sorted by key: concurrent writers lock rows in the same order and can't deadlock. */
const sortedByKey = <Row>(table: Table<Row>, rows: readonly Row[]): readonly Row[] =>
  rows
    .map((row) => ({ row, key: table.key.map((name) => String(row[name])).join('\0') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);

/** The rows that add anything, in the order in which they are written. */
export const addedRows = <Row>(table: SumTable<Row>, rows: readonly Row[]): readonly Row[] =>
  sortedByKey(
    table,
    rows.filter((row) => table.sums.some((sum) => String(row[sum]) !== '0')),
  );

/** Whether all sums of a row are zero: nothing is left of it. */
export const spentCondition = <Row>({ sums }: SumTable<Row>): string =>
  sums.map((sum) => `${sum} = 0`).join(' and ');

/** @param from number of the first parameter. */
export const addSql = <Row>(schema: string, table: SumTable<Row>, from = 1): string => {
  const { name, key, sums } = table;
  const added = sums.map((sum) => `${sum} = ${name}.${sum} + excluded.${sum}`).join(', ');
  return `${insertSql(schema, table, from)} on conflict (${key.join(', ')}) do update set ${added}
   returning ${[...key, ...sums].join(', ')}`;
};

/** Deletes rows whose sums reached zero. */
export const deleteSpent = <Row>(
  db: Queryable,
  schema: string,
  table: SumTable<Row>,
  spent: readonly Row[],
): Promise<void> => deleteRows(db, schema, table, spent, spentCondition(table));

/** Adds to the sums of rows, in a statement per chunk; rows whose sums are all zero are deleted. */
export const addSums = async <Row>(
  db: Queryable,
  schema: string,
  table: SumTable<Row>,
  rows: readonly Row[],
): Promise<void> => {
  const added = addedRows(table, rows);
  for (let from = 0; from < added.length; from += MAX_ROWS) {
    const { rows: spent } = await db.query(
      numbered(
        `with added as (${addSql(schema, table)}) select * from added where ${spentCondition(table)}`,
        arraysOf(table, added.slice(from, from + MAX_ROWS)),
        { name: `sum ${schema}.${table.name}` },
      ),
    );
    await deleteSpent(db, schema, table, spent as Row[]);
  }
};
