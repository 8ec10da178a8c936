/** Fields of events as typed columns. */

import type { SchemaElement } from 'hyparquet-writer';
import { z } from 'zod';
import { eventTypes } from '../../write/event-types.ts';

/** A column of Parquet, and the value that it has for the data of an event. */
export interface TypedColumn {
  readonly element: SchemaElement;
  readonly valueOf: (data: unknown) => Date | bigint | number | boolean | string | null;
}

/**
 * Columns for the data of a type of event: times as timestamps, whole numbers as integers, other numbers as doubles. Fields of
 * objects have columns of their own; lists and records are JSON text. What does not fit, as of a newer program, is null.
 */
export const typedColumns = (type: string): readonly TypedColumn[] => {
  const definition = (eventTypes as Readonly<Record<string, { readonly schema: z.ZodType }>>)[type];
  return definition === undefined ? [] : columnsOf(definition.schema, []);
};

const columnsOf = (schema: z.ZodType, path: readonly string[]): readonly TypedColumn[] => {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
      columnsOf(field, [...path, name]),
    );
  if (path.length === 0) return [];
  const { type, of } = KINDS.find(({ fits }) => fits(inner)) ?? TEXT;
  return [
    {
      element: { name: ['data', ...path].join('_'), repetition_type: 'OPTIONAL', ...type },
      valueOf: (data) => {
        const value = path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), data);
        return value === null || value === undefined ? null : of(value);
      },
    },
  ];
};

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

interface Kind {
  readonly fits: (schema: z.ZodType) => boolean;
  readonly type: Pick<SchemaElement, 'type' | 'converted_type'>;
  readonly of: (value: unknown) => ReturnType<TypedColumn['valueOf']>;
}

const TEXT: Kind = {
  fits: () => true,
  type: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  of: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
};

const KINDS: readonly Kind[] = [
  {
    fits: (schema) => schema instanceof z.ZodISODateTime,
    type: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
    of: (value) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value) : null),
  },
  {
    fits: (schema) => schema instanceof z.ZodNumberFormat,
    type: { type: 'INT64' },
    of: (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : null),
  },
  {
    fits: (schema) => schema instanceof z.ZodNumber,
    type: { type: 'DOUBLE' },
    of: (value) => (typeof value === 'number' ? value : null),
  },
  {
    fits: (schema) => schema instanceof z.ZodBoolean,
    type: { type: 'BOOLEAN' },
    of: (value) => (typeof value === 'boolean' ? value : null),
  },
];
