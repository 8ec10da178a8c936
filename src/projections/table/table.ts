/** Tables of views: columns, DDL, and readers of rows. */

import { z } from 'zod';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, join, type Statement, sql } from '../../kernel/postgres/statement.ts';

/** Types of Postgres that columns of views have. */
export type PostgresType =
  | 'text'
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'boolean'
  | 'timestamptz'
  | 'jsonb'
  | 'real'
  | 'double precision'
  | 'bytea'
  | 'numeric'
  | 'uuid';

/** A column of a view: its type, and how its values are read from what both drivers return (`kernel/postgres/pool.ts`). */
export interface Column<Value> {
  readonly type: PostgresType;
  readonly collation?: 'C';
  readonly isNullable: boolean;
  /** Never called with null. Absent if what the driver returns is the value. */
  readonly read?: (text: string) => Value;
  /** Validates what the driver returns, and reads it. */
  readonly schema: z.ZodType<Value>;
}

const column = <Value>(
  type: PostgresType,
  schema: z.ZodType<Value>,
  rest: Partial<Column<Value>> = {},
): Column<Value> => ({ type, isNullable: false, schema, ...rest });

/** A column whose values the driver returns as text. */
const converted = <Value>(type: PostgresType, read: (text: string) => Value): Column<Value> =>
  column(type, z.string().transform(read), { read });

const anyText = z.string() as unknown as z.ZodType<never>;

/** Text in byte order, as keys, handles and classes are; `schema` narrows it to its values. */
export const name = <Value extends string = string>(schema: z.ZodType<Value> = anyText): Column<Value> =>
  column('text', schema, { collation: 'C' });

/** Text that is shown, not compared. */
export const text = <Value extends string = string>(schema: z.ZodType<Value> = anyText): Column<Value> =>
  column('text', schema);

/** An eight-byte integer that fits a number, as counts and micro-dollars do. */
export const int8 = (): Column<number> => converted('bigint', Number);

/** An eight-byte integer as decimal text: positions, and amounts beyond the integers of JavaScript. */
export const wideInt8 = (): Column<string> => column('bigint', z.string());

export const int4 = (): Column<number> => column('integer', z.number());

export const float4 = (): Column<number> => column('real', z.number());

export const float8 = (): Column<number> => column('double precision', z.number());

export const bool = (): Column<boolean> => column('boolean', z.boolean());

/** An instant, as ISO 8601 in UTC. */
export const instant = (): Column<string> => column('timestamptz', z.string());

export const json = <Value>(schema: z.ZodType<Value>): Column<Value> => column('jsonb', schema);

export const bytes = (): Column<Buffer> => column('bytea', z.instanceof(Buffer) as z.ZodType<Buffer>);

/** A UUID in sixteen bytes, in the order of its lowercase text. */
export const uuid = (): Column<string> => column('uuid', z.string());

/** An exact sum, which eight bytes might not hold. */
export const exactSum = (): Column<bigint> => converted('numeric', BigInt);

export const nullable = <Value>(of: Column<Value>): Column<Value | null> =>
  ({ ...of, isNullable: true, schema: of.schema.nullable() }) as Column<Value | null>;

/** Columns of rows by name. */
export type Columns<Row> = { readonly [Name in keyof Row & string]: Column<Row[Name]> };

/** A table of a view, defined once: tables, statements, row types, validation and readers of rows follow from it. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: Columns<Row>;
  readonly key: readonly (keyof Row & string)[];
  /** Fill factor in percent: the rest of a page is for new versions of its rows, which then need no index update. */
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

/** A row as the driver returns it. */
export type DriverRow<Row> = { readonly [Name in keyof Row]: unknown };

/** A reader of rows as the driver returns them, whole or in part, with or without what a statement adds. */
export const driverReader = <Row>({ columns }: Table<Row>) => {
  const converted = Object.entries<Column<unknown>>(columns).flatMap(([name, { read }]) =>
    read === undefined ? [] : [[name, read as (value: unknown) => unknown] as const],
  );
  return <Read extends Partial<Row> = Row>(row: DriverRow<Read>): Read => {
    const values = { ...row } as Record<string, unknown>;
    for (const [name, convert] of converted) {
      const value = values[name];
      if (value != null) values[name] = convert(value);
    }
    return values as Read;
  };
};

/** Validation of some columns of a table's rows as the driver returns them. */
export const rowSchemaOf = <Row, Name extends keyof Row & string>(
  { columns }: Table<Row>,
  names: readonly Name[],
): z.ZodObject<{ [Each in Name]: z.ZodType<Row[Each]> }> =>
  z.object(Object.fromEntries(names.map((name) => [name, columns[name].schema]))) as never;

/** A selection of rows: those with these values of a column, each on the platform at the same index. */
export interface WantedRows {
  readonly column: string;
  readonly platforms: readonly string[];
  readonly values: readonly string[];
}

/**
 * Loads rows of a table that has one partition per platform. A row that two selections match is returned twice.
 *
 * Each partition has an arm of its own: a join would be planned as if every row were looked up in every partition, so that all
 * partitions are read whole. The statement is planned each time, since a partition grows from nothing before Postgres has
 * statistics of it.
 */
export const loadRows = async <Row>(
  db: Queryable,
  schema: string,
  { name, platforms: partitions = [] }: Table<Row>,
  wanted: readonly WantedRows[],
): Promise<readonly DriverRow<Row>[]> => {
  const arms: Statement[] = [];
  for (const { column, platforms, values: all } of wanted) {
    const byPlatform = Map.groupBy(all.keys(), (i) => platforms[i] as string);
    for (const [platform, indexes] of byPlatform) {
      if (!partitions.includes(platform)) continue;
      const found = indexes.map((i) => all[i]);
      arms.push(sql`
        select * from ${ident(schema)}.${ident(`${name}_${platform}`)} where ${ident(column)} = any(${found}::text[])`);
    }
  }
  if (arms.length === 0) return [];
  return (await db.query<DriverRow<Row>>(join(arms, ' union all '))).rows;
};
