import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { timestampOf } from '../../kernel/postgres/timestamp.ts';

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

/** A column of a view: its type, and how its values are read in each of the ways in which rows arrive. */
export interface Column<Value> {
  readonly type: PostgresType;
  readonly collation?: 'C';
  readonly isNullable: boolean;
  /** From Postgres's text (`RAW_TYPES`); never called with null. Absent if that is the value. */
  readonly fromText?: (text: string) => Value;
  /** From what pg parses: int8 and numeric as text, times as Date; never called with null. Absent if that is the value. */
  readonly fromDriver?: (value: never) => Value;
  /** Of what slonik returns: int8 as bigint, times as milliseconds. */
  readonly schema: z.ZodType<Value>;
}

const column = <Value>(
  type: PostgresType,
  schema: z.ZodType<Value>,
  rest: Partial<Column<Value>> = {},
): Column<Value> => ({ type, isNullable: false, schema, ...rest });

const anyText = z.string() as unknown as z.ZodType<never>;

/** Text in byte order, as keys, handles and classes are; `schema` narrows it to its values. */
export const name = <Value extends string = string>(schema: z.ZodType<Value> = anyText): Column<Value> =>
  column('text', schema, { collation: 'C' });

/** Text that is shown, not compared. */
export const text = <Value extends string = string>(schema: z.ZodType<Value> = anyText): Column<Value> =>
  column('text', schema);

/** An eight-byte integer that fits a number, as counts and micro-dollars do. */
export const int8 = (): Column<number> =>
  column('bigint', z.bigint().transform(Number), { fromText: Number, fromDriver: Number });

/** An eight-byte integer as decimal text: positions, and amounts beyond the integers of JavaScript. */
export const wideInt8 = (): Column<string> => column('bigint', z.bigint().transform(String));

export const int4 = (): Column<number> => column('integer', z.number(), { fromText: Number });

export const float4 = (): Column<number> => column('real', z.number(), { fromText: Number });

export const float8 = (): Column<number> => column('double precision', z.number(), { fromText: Number });

export const bool = (): Column<boolean> =>
  column('boolean', z.boolean(), { fromText: (value) => value === 't' });

/** An instant, as ISO 8601 in UTC. */
export const instant = (): Column<string> =>
  column('timestamptz', z.number().transform(isoOf), {
    fromText: timestampOf,
    fromDriver: (value: Date) => value.toISOString(),
  });

export const json = <Value>(schema: z.ZodType<Value>): Column<Value> =>
  column('jsonb', schema, { fromText: (value) => JSON.parse(value) as Value });

export const bytes = (): Column<Buffer> =>
  column('bytea', z.instanceof(Buffer) as z.ZodType<Buffer>, {
    fromText: (value) => Buffer.from(value.slice(2), 'hex'),
  });

/** A UUID in sixteen bytes, in the order of its lowercase text. */
export const uuid = (): Column<string> => column('uuid', z.string());

/** An exact sum, which eight bytes might not hold. slonik's number is not exact: readers select it as text. */
export const exactSum = (): Column<bigint> =>
  column('numeric', z.string().transform(BigInt), { fromText: BigInt, fromDriver: BigInt });

export const nullable = <Value>(of: Column<Value>): Column<Value | null> =>
  ({ ...of, isNullable: true, schema: of.schema.nullable() }) as Column<Value | null>;
