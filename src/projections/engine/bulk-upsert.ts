import type { Queryable } from '../../kernel/postgres/pool.ts';

type Column = 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'jsonb' | 'real' | 'bytea';

/** A table's columns with the types that bulk statements bind, and its upsert key. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: { readonly [Name in keyof Row & string]: Column };
  readonly key: readonly (keyof Row & string)[];
}

/** A text element of an array literal. */
const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;

/**
 * A column's values as a Postgres array literal. Faster than the driver's own encoding, which inspects each value
 * several times. Only text, JSON and bytes need quotes; jsonb is sent as text, since an array of JSON arrays would be
 * parsed as multi-dimensional.
 */
const literalOf = (type: Column, values: readonly unknown[]): string => {
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
      table.columns[name],
      rows.map((row) => row[name]),
    ),
  );
};

const parameters = <Row>(table: Table<Row>): string =>
  Object.values<Column>(table.columns)
    .map((type, i) => `$${i + 1}::${type === 'jsonb' ? 'text' : type}[]`)
    .join(', ');

const selection = <Row>(table: Table<Row>): string =>
  Object.entries<Column>(table.columns)
    .map(([name, type]) => (type === 'jsonb' ? `v.${name}::jsonb` : `v.${name}`))
    .join(', ');

const insertSql = <Row>(schema: string, table: Table<Row>): string => {
  const names = Object.keys(table.columns).join(', ');
  return `insert into ${schema}.${table.name} (${names}) select ${selection(table)} from unnest(${parameters(table)}) as v(${names})`;
};

/** Maximum rows of a statement: its arrays are in memory several times. */
const MAX_ROWS = 5_000;

/** Upserts rows by key, in chunks of `MAX_ROWS`. */
export const upsert = async <Row>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  rows: readonly Row[],
): Promise<void> => {
  const rest = Object.keys(table.columns).filter((name) => !(table.key as readonly string[]).includes(name));
  const action =
    rest.length === 0 ? 'nothing' : `update set ${rest.map((c) => `${c} = excluded.${c}`).join(', ')}`;
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    await db.query({
      name: `upsert ${schema}.${table.name}`,
      text: `${insertSql(schema, table)} on conflict (${table.key.join(', ')}) do ${action}`,
      values: arraysOf(table, rows.slice(from, from + MAX_ROWS)),
    });
  }
};

/** Adds to counters in one statement; those that reach zero are deleted. */
export const addCounts = async <Row extends { readonly n: number }>(
  db: Queryable,
  schema: string,
  table: Table<Row>,
  rows: readonly Row[],
): Promise<void> => {
  // Sorted by key, so that concurrent writers lock rows in the same order and can't deadlock.
  const keyOf = (row: Row) => table.key.map((name) => String(row[name])).join('\0');
  const moved = rows.filter((row) => row.n !== 0).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  if (moved.length === 0) return;
  const { rows: counted } = await db.query<Row>({
    name: `count ${schema}.${table.name}`,
    text: `${insertSql(schema, table)} on conflict (${table.key.join(', ')}) do update set n = ${table.name}.n + excluded.n
           returning ${Object.keys(table.columns).join(', ')}`,
    values: arraysOf(table, moved),
  });
  const spent = counted.filter(({ n }) => Number(n) === 0);
  if (spent.length === 0) return;
  const keyTable: Table<Row> = { ...table, columns: keyColumns(table) };
  await db.query({
    name: `uncount ${schema}.${table.name}`,
    text: `delete from ${schema}.${table.name} where n = 0 and (${table.key.join(', ')}) in
           (select * from unnest(${parameters(keyTable)}))`,
    values: arraysOf(keyTable, spent),
  });
};

/** The columns of a table's key, in its order. */
const keyColumns = <Row>({ columns, key }: Table<Row>): Table<Row>['columns'] =>
  Object.fromEntries(key.map((name) => [name, columns[name]])) as unknown as Table<Row>['columns'];

/** SQL for "these two columns are one of these pairs". */
export const pairCondition = (first: string, second: string, at: number): string =>
  `(${first}, ${second}) in (select * from unnest($${at}::text[], $${at + 1}::text[]))`;
