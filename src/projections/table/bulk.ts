/** Bulk statements of views: insert, upsert, add to sums, update, delete. */

import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import {
  type Column,
  type Columns,
  defineTable,
  type PostgresType,
  type RowOfColumns,
  type Table,
} from './table.ts';

/** A text element of an array literal. */
const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;

/**
 * A column's values as a Postgres array literal. Faster than the driver's own encoding, which inspects each value
 * several times. Only text, JSON and bytes need quotes; jsonb is sent as text, since an array of JSON arrays would be
 * parsed as multi-dimensional.
 */
const literalOf = (type: PostgresType, values: readonly unknown[]): string => {
  const write =
    type === 'jsonb'
      ? (value: unknown) => quoted(JSON.stringify(value))
      : type === 'text'
        ? (value: unknown) => quoted(value as string)
        : type === 'bytea'
          ? (value: unknown) => quoted(`\\x${(value as Buffer).toString('hex')}`)
          : String;
  return `{${values.map((value) => (value === null || value === undefined ? 'NULL' : write(value))).join(',')}}`;
};

const arraysOf = <Row>(table: Table<Row>, rows: readonly Row[]): string[] => {
  const names = Object.keys(table.columns) as (keyof Row & string)[];
  return names.map((name) =>
    literalOf(
      table.columns[name].type,
      rows.map((row) => row[name]),
    ),
  );
};

/** @param from number of the first parameter. */
const parameters = <Row>(table: Table<Row>, from = 1): string =>
  Object.values<Column<unknown>>(table.columns)
    .map(({ type }, i) => `$${from + i}::${type === 'jsonb' ? 'text' : type}[]`)
    .join(', ');

const selection = <Row>(table: Table<Row>): string =>
  Object.entries<Column<unknown>>(table.columns)
    .map(([name, { type }]) => (type === 'jsonb' ? `v.${name}::jsonb` : `v.${name}`))
    .join(', ');

const insertSql = <Row>(schema: string, table: Table<Row>, from = 1): string => {
  const names = Object.keys(table.columns).join(', ');
  return `insert into ${schema}.${table.name} (${names}) select ${selection(table)} from unnest(${parameters(table, from)}) as v(${names})`;
};

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

/** Rows to write to one table, either by upsert or by adding to sums. */
export type Write =
  | { readonly is: 'upsert'; readonly table: Table<never>; readonly rows: readonly never[] }
  | { readonly is: 'sum'; readonly table: SumTable<never>; readonly rows: readonly never[] };

export const upserts = <Row>(table: Table<Row>, rows: readonly Row[]): Write =>
  ({ is: 'upsert', table, rows }) as unknown as Write;

export const sums = <Row>(table: SumTable<Row>, rows: readonly Row[]): Write =>
  ({ is: 'sum', table, rows: addedRows(table, rows) }) as unknown as Write;

/**
 * Writes to several tables in one statement: for a small batch, the round trip takes most of the time. Large batches take one
 * statement per table.
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

/** Rows sorted by key: concurrent writers lock rows in the same order and can't deadlock. */
const sortedByKey = <Row>(table: Table<Row>, rows: readonly Row[]): readonly Row[] =>
  rows
    .map((row) => ({ row, key: table.key.map((name) => String(row[name])).join('\0') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);

/** The rows that add anything, in the order in which they are written. */
const addedRows = <Row>(table: SumTable<Row>, rows: readonly Row[]): readonly Row[] =>
  sortedByKey(
    table,
    rows.filter((row) => table.sums.some((sum) => String(row[sum]) !== '0')),
  );

/** Whether all sums of a row are zero, so that nothing is left of it. */
const spentCondition = <Row>({ sums }: SumTable<Row>): string =>
  sums.map((sum) => `${sum} = 0`).join(' and ');

/** @param from number of the first parameter. */
const addSql = <Row>(schema: string, table: SumTable<Row>, from = 1): string => {
  const { name, key, sums } = table;
  const added = sums.map((sum) => `${sum} = ${name}.${sum} + excluded.${sum}`).join(', ');
  return `${insertSql(schema, table, from)} on conflict (${key.join(', ')}) do update set ${added}
   returning ${[...key, ...sums].join(', ')}`;
};

/** Deletes rows whose sums reached zero. */
const deleteSpent = <Row>(
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

/**
 * Updates some columns of existing rows. It is cheaper than an upsert if most columns stay, such as long texts and JSON. Each row
 * is looked up by its key (`lateral`, and `offset 0` enforces that), whatever the planner estimates.
 */
export const updateRows = async <Row>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  updated: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Promise<void> => {
  const names = [...table.key, ...updated];
  const columns = Object.fromEntries(names.map((name) => [name, table.columns[name]]));
  const part: Table<Row> = { ...table, columns: columns as unknown as Columns<Row> };
  const set = updated
    .map((name) => `${name} = v.${name}${table.columns[name].type === 'jsonb' ? '::jsonb' : ''}`)
    .join(', ');
  const key = table.key.map((name) => `${name} = v.${name}`).join(' and ');
  for (let from = 0; from < rows.length; from += MAX_ROWS)
    await db.query(
      numbered(
        `update ${schema}.${table.name} t set ${set} from unnest(${parameters(part)}) as v(${names.join(', ')})
         cross join lateral (select ctid as at from ${schema}.${table.name} where ${key} offset 0) l where t.ctid = l.at`,
        arraysOf(part, rows.slice(from, from + MAX_ROWS)),
        { name: `update ${schema}.${table.name} ${updated.length}` },
      ),
    );
};

/** Deletes the rows with these keys, if a condition holds for them. */
export const deleteRows = async <Row>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  rows: readonly Partial<Row>[],
  condition = 'true',
): Promise<void> => {
  if (rows.length === 0) return;
  const columns = Object.fromEntries(table.key.map((name) => [name, table.columns[name]]));
  const keys: Table<Row> = { ...table, columns: columns as unknown as Columns<Row> };
  await db.query(
    numbered(
      `delete from ${schema}.${table.name} where ${condition} and (${table.key.join(', ')}) in
         (select * from unnest(${parameters(keys)}))`,
      arraysOf(keys, rows as readonly Row[]),
      { name: `delete ${schema}.${table.name}` },
    ),
  );
};
