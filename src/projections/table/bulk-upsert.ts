import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Column, PostgresType } from './column.ts';
import type { Columns, Table } from './table.ts';

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

export const arraysOf = <Row>(table: Table<Row>, rows: readonly Row[]): string[] => {
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

export const insertSql = <Row>(schema: string, table: Table<Row>, from = 1): string => {
  const names = Object.keys(table.columns).join(', ');
  return `insert into ${schema}.${table.name} (${names}) select ${selection(table)} from unnest(${parameters(table, from)}) as v(${names})`;
};

const upsertSql = <Row>(schema: string, table: Table<Row>, from = 1): string => {
  const rest = Object.keys(table.columns).filter((name) => !(table.key as readonly string[]).includes(name));
  const action =
    rest.length === 0 ? 'nothing' : `update set ${rest.map((c) => `${c} = excluded.${c}`).join(', ')}`;
  return `${insertSql(schema, table, from)} on conflict (${table.key.join(', ')}) do ${action}`;
};

const countSql = <Row>(schema: string, table: Table<Row>, from = 1): string =>
  `${insertSql(schema, table, from)} on conflict (${table.key.join(', ')}) do update set n = ${table.name}.n + excluded.n
   returning ${Object.keys(table.columns).join(', ')}`;

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
    await db.query({
      name: `upsert ${schema}.${table.name}`,
      text: upsertSql(schema, table),
      values: arraysOf(table, rows.slice(from, from + MAX_ROWS)),
    });
  }
};

interface Counter {
  readonly n: number;
}

/** Rows sorted by key: concurrent writers lock rows in the same order and can't deadlock. */
export const sortedByKey = <Row>(table: Table<Row>, rows: readonly Row[]): readonly Row[] =>
  rows
    .map((row) => ({ row, key: table.key.map((name) => String(row[name])).join('\0') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);

/** The counters to add to, sorted by key. */
const inOrder = <Row extends Counter>(table: Table<Row>, rows: readonly Row[]): readonly Row[] =>
  sortedByKey(
    table,
    rows.filter((row) => row.n !== 0),
  );

/** Deletes counters that reached zero. */
const deleteSpent = async <Row extends Counter>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  spent: readonly Row[],
): Promise<void> => {
  if (spent.length === 0) return;
  const keyTable: Table<Row> = { ...table, columns: keyColumns(table) };
  await db.query({
    name: `uncount ${schema}.${table.name}`,
    text: `delete from ${schema}.${table.name} where n = 0 and (${table.key.join(', ')}) in
           (select * from unnest(${parameters(keyTable)}))`,
    values: arraysOf(keyTable, spent),
  });
};

/** Adds to counters in one statement; those that reach zero are deleted. */
export const addCounts = async <Row extends Counter>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  rows: readonly Row[],
): Promise<void> => {
  const moved = inOrder(table, rows);
  if (moved.length === 0) return;
  const { rows: counted } = await db.query<Row>({
    name: `count ${schema}.${table.name}`,
    text: countSql(schema, table),
    values: arraysOf(table, moved),
  });
  await deleteSpent(
    db,
    schema,
    table,
    counted.filter(({ n }) => Number(n) === 0),
  );
};

/** Rows to write to one table. */
export interface Write {
  readonly table: Table<never>;
  readonly rows: readonly never[];
  readonly isCount: boolean;
}

export const upserts = <Row>(table: Table<Row>, rows: readonly Row[]): Write =>
  ({ table, rows, isCount: false }) as unknown as Write;

export const counts = <Row extends Counter>(table: Table<Row>, rows: readonly Row[]): Write =>
  ({ table, rows: inOrder(table, rows), isCount: true }) as unknown as Write;

/**
 * Writes to several tables in one statement: of a small batch, most of the time is spent on the way to the server
 * and back. Large batches take a statement a table.
 */
export const writeAll = async (db: Queryable, schema: string, writes: readonly Write[]): Promise<void> => {
  const wanted = writes.filter(({ rows }) => rows.length > 0);
  const isLarge = wanted.some(({ rows }) => rows.length > MAX_TOGETHER);
  if (wanted.length < 2 || isLarge) {
    for (const { table, rows, isCount } of wanted) {
      await (isCount ? addCounts(db, schema, table as never, rows) : upsert(db, schema, table, rows));
    }
    return;
  }
  const values = wanted.flatMap(({ table, rows }) => arraysOf(table, rows));
  let parameter = 1;
  const parts = wanted.map(({ table, isCount }, i) => {
    const text = isCount ? countSql(schema, table, parameter) : upsertSql(schema, table, parameter);
    parameter += Object.keys(table.columns).length;
    return `w${i} as (${text})`;
  });
  const counted = wanted.flatMap(({ isCount }, i) =>
    isCount ? [`select ${i} as at, to_jsonb(w${i}) as row from w${i} where n = 0`] : [],
  );
  const result =
    counted.length === 0 ? 'select 0 as at, null::jsonb as row limit 0' : counted.join(' union all ');
  const { rows: spent } = await db.query<{ at: number; row: never }>({
    name: `write ${schema} ${writes.map(({ rows }) => (rows.length > 0 ? 1 : 0)).join('')}`,
    text: `with ${parts.join(', ')} ${result}`,
    values,
  });
  for (const [at, rows] of Map.groupBy(spent, (row) => row.at)) {
    const { table } = wanted[at] as Write;
    await deleteSpent(
      db,
      schema,
      table as never,
      rows.map(({ row }) => row),
    );
  }
};

/** The columns of a table's key, in its order. */
const keyColumns = <Row>({ columns, key }: Table<Row>): Columns<Row> =>
  Object.fromEntries(key.map((name) => [name, columns[name]])) as unknown as Columns<Row>;

/** SQL for "these two columns are one of these pairs". */
export const pairCondition = (first: string, second: string, at: number): string =>
  `(${first}, ${second}) in (select * from unnest($${at}::text[], $${at + 1}::text[]))`;
