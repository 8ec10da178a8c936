import { z } from 'zod';
import { unbounded } from './codec/repair.ts';

/** An event type: its current schema, and upcasts from older versions. */
export interface EventDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Version of the schema; 1 if it never changed. */
  readonly version: number;
  /** Unbounded schema for stored data, which was validated on append since `boundedSince`. */
  readonly stored?: z.ZodType;
  /** The first version whose data is within the bounds of the schema once it is upcast; by default this one. */
  readonly boundedSince?: number;
  /** Upcasts from version n to n + 1, by n. */
  readonly upcasts: Readonly<Record<number, (data: unknown) => unknown>>;
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/** An event type that never changed. */
export const event = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): EventDefinition<z.ZodObject<Shape, z.core.$strict>> => ({
  schema: z.strictObject(shape),
  version: 1,
  upcasts: {},
});

/**
 * An event type whose fields were unbounded in version 1. Data of that version has the same shape and is repaired
 * when it is read.
 */
export const boundedEvent = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): EventDefinition<z.ZodObject<Shape, z.core.$strict>> => {
  const schema = z.strictObject(shape);
  return { schema, version: 2, stored: unbounded(schema), upcasts: { 1: (data) => data } };
};

/**
 * An event type whose shape changed. The version is one more than the last that is upcast.
 * @param upcasts from version n to n + 1, by n: pure, and without a gap.
 */
export const revisedEvent = <Schema extends z.ZodType>(
  schema: Schema,
  upcasts: EventDefinition['upcasts'],
  { boundedSince = 1 }: { readonly boundedSince?: number } = {},
): EventDefinition<Schema> => ({
  schema,
  version: Object.keys(upcasts).length + 1,
  stored: unbounded(schema),
  boundedSince,
  upcasts,
});

/** Event data of a category, by type. */
export type EventData<Definitions extends EventDefinitions> = {
  readonly [Type in keyof Definitions]: z.output<Definitions[Type]['schema']>;
};

/** The events of a category as a union, `{ type, data }`. */
export type EventOf<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: { readonly type: Type; readonly data: EventData<Definitions>[Type] };
}[keyof Definitions & string];
