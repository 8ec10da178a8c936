import { z } from 'zod';
import { unbounded } from './codec/repair.ts';

/** One event type: its schema now, and how data of older versions becomes data of this one. */
export interface EventDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Version of the schema; 1 where it never changed. */
  readonly version: number;
  /** The schema without bounds, where data of this version was held to them when it was appended. */
  readonly stored?: z.ZodType;
  /** From version n to n + 1, one function a step, by n. */
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
 * An event type whose fields were not bounded in its first version. Data of that version has the same shape; what of it
 * does not fit is repaired when it is read.
 */
export const boundedEvent = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): EventDefinition<z.ZodObject<Shape, z.core.$strict>> => {
  const schema = z.strictObject(shape);
  return { schema, version: 2, stored: unbounded(schema), upcasts: { 1: (data) => data } };
};

/** What a family's events carry, by type. */
export type EventData<Definitions extends EventDefinitions> = {
  readonly [Type in keyof Definitions]: z.output<Definitions[Type]['schema']>;
};

/** The events of a family as a union, `{ type, data }`. */
export type EventOf<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: { readonly type: Type; readonly data: EventData<Definitions>[Type] };
}[keyof Definitions & string];
