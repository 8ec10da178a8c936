import type { Column, PostgresType } from './column.ts';
import type { Table } from './table.ts';

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
export const parameters = <Row>(table: Table<Row>, from = 1): string =>
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
