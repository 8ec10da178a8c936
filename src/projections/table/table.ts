import type { Column } from './column.ts';

/** Columns of rows by name. */
export type Columns<Row> = { readonly [Name in keyof Row & string]: Column<Row[Name]> };

/** A table of a view, defined once: tables, statements, row types, validation and readers of rows follow from it. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: Columns<Row>;
  readonly key: readonly (keyof Row & string)[];
  /** Share of a page that inserts fill, in percent: what is left is for new versions of its rows, which then need no index. */
  readonly fillfactor?: number;
  /** Values of `platform` that have a partition each; absent if the table is not partitioned. */
  readonly platforms?: readonly string[];
}

export type RowOf<Defined> =
  Defined extends Table<infer Row> ? { readonly [Name in keyof Row]: Row[Name] } : never;

type ValueOf<Defined> = Defined extends Column<infer Value> ? Value : never;

export type RowOfColumns<Defined> = { readonly [Name in keyof Defined]: ValueOf<Defined[Name]> };

/**
 * Defines a table.
 * @param columns in the order of `create table`.
 * @param key columns of the primary key, in its order.
 */
export const defineTable = <Defined extends Readonly<Record<string, Column<unknown>>>>(
  name: string,
  columns: Defined,
  {
    key,
    fillfactor,
    platforms,
  }: {
    readonly key: readonly (keyof Defined & string)[];
    readonly fillfactor?: number;
    readonly platforms?: readonly string[];
  },
): Table<RowOfColumns<Defined>> =>
  ({
    name,
    columns,
    key,
    ...(fillfactor === undefined ? {} : { fillfactor }),
    ...(platforms === undefined ? {} : { platforms }),
  }) as never;

/** Names of a table's columns, in their order, without some. */
export const columnsExcept = <Row, Left extends keyof Row & string>(
  { columns }: Table<Row>,
  left: readonly Left[],
): readonly Exclude<keyof Row & string, Left>[] =>
  Object.keys(columns).filter((name) => !(left as readonly string[]).includes(name)) as never;

const columnDdl = ([name, { type, collation, isNullable }]: readonly [string, Column<unknown>]): string =>
  `${name} ${type}${collation === undefined ? '' : ` collate "${collation}"`}${isNullable ? '' : ' not null'}`;

/** A table, whatever its rows. */
export interface AnyTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column<unknown>>>;
  readonly key: readonly string[];
  readonly fillfactor?: number;
  readonly platforms?: readonly string[];
}

/** DDL of a table, with one partition per platform if it is partitioned. */
const createTable = (schema: string, { name, columns, key, fillfactor, platforms }: AnyTable): string => {
  const lines = [...Object.entries(columns).map(columnDdl), `primary key (${key.join(', ')})`];
  const table = `create table ${schema}.${name} (\n  ${lines.join(',\n  ')}\n)`;
  if (platforms === undefined)
    return fillfactor === undefined ? `${table};` : `${table} with (fillfactor = ${fillfactor});`;
  return [
    `${table} partition by list (platform);`,
    ...platforms.map(
      (platform) =>
        `create table ${schema}.${name}_${platform} partition of ${schema}.${name} for values in ('${platform}');`,
    ),
  ].join('\n');
};

export const createTables = (schema: string, tables: readonly AnyTable[]): string =>
  tables.map((table) => createTable(schema, table)).join('\n');
