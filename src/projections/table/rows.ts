import { z } from 'zod';
import type { Column } from './column.ts';
import type { Table } from './table.ts';

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
