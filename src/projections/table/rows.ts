import { z } from 'zod';
import type { Column } from './column.ts';
import type { Table } from './table.ts';

/** A row as the driver returns it. */
export type DriverRow<Row> = { readonly [Name in keyof Row]: unknown };

/** A reader of rows as the driver returns them, whole or in part, with or without what a statement adds. */
export const driverReader = <Row>({ columns }: Table<Row>) => {
  const converted = Object.entries<Column<unknown>>(columns).flatMap(([name, { fromDriver }]) =>
    fromDriver === undefined ? [] : [[name, fromDriver as (value: unknown) => unknown] as const],
  );
  return <Read extends Partial<Row> = Row>(row: DriverRow<Read>): Read => {
    const read = { ...row } as Record<string, unknown>;
    for (const [name, convert] of converted) {
      const value = read[name];
      if (value != null) read[name] = convert(value);
    }
    return read as Read;
  };
};

/** Some columns of a table, selected by position and read from Postgres's text. */
export interface TextReader<Row, Name extends keyof Row> {
  /** For `select`, in the order that `read` expects. */
  readonly columns: string;
  readonly read: (row: readonly (string | null)[]) => Pick<Row, Name>;
  /** Where a column is in a row. */
  readonly at: (name: Name) => number;
}

/**
 * A reader for hot statements, whose rows are arrays of text: cheaper than the driver's parsers and objects. It is
 * compiled into one literal, since an object that a loop fills takes five times as long; the names are those of columns,
 * which the program defines.
 */
export const textReader = <Row, Name extends keyof Row & string>(
  { columns }: Table<Row>,
  names: readonly Name[],
): TextReader<Row, Name> => {
  const fields = names.map((name, i) =>
    columns[name].fromText === undefined
      ? `${name}: row[${i}]`
      : `${name}: row[${i}] === null ? null : of[${i}](row[${i}])`,
  );
  const compiled = new Function('of', `return (row) => ({ ${fields.join(', ')} });`);
  return {
    columns: names.join(', '),
    at: (name) => names.indexOf(name),
    read: compiled(names.map((name) => columns[name].fromText)) as TextReader<Row, Name>['read'],
  };
};

/** Validation of some columns of a table's rows as slonik returns them. */
export const rowSchemaOf = <Row, Name extends keyof Row & string>(
  { columns }: Table<Row>,
  names: readonly Name[],
): z.ZodObject<{ [Each in Name]: z.ZodType<Row[Each]> }> =>
  z.object(Object.fromEntries(names.map((name) => [name, columns[name].schema]))) as never;
