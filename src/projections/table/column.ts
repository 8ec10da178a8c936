import { z } from 'zod';

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
