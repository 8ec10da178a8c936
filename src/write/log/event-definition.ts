import { z } from 'zod';
import { unbounded } from './codec/repair.ts';

/** An event type: its current schema, and upcasts from older versions. */
export interface EventDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Version of the schema; 1 if it never changed. */
  readonly version: number;
  /** The schema without bounds, for stored data: bounds were validated on append. */
  readonly stored: z.ZodType;
  /** Upcasts from version n to n + 1, by n. */
  readonly upcasts: Readonly<Record<number, (data: unknown) => unknown>>;
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/**
 * An event type by its schema. The version is one more than the last that is upcast.
 * @param upcasts from version n to n + 1, by n: pure, and without a gap; none if the type never changed. One that adds bounds
 * brings data within them (`codec/repair.ts`).
 */
export const eventOf = <Schema extends z.ZodType>(
  schema: Schema,
  upcasts: EventDefinition['upcasts'] = {},
): EventDefinition<Schema> => ({
  schema,
  version: Object.keys(upcasts).length + 1,
  stored: unbounded(schema),
  upcasts,
});

/** An event type by its fields. */
export const event = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  upcasts: EventDefinition['upcasts'] = {},
): EventDefinition<z.ZodObject<Shape, z.core.$strict>> => eventOf(z.strictObject(shape), upcasts);

/** Event data of a category, by type. */
export type EventData<Definitions extends EventDefinitions> = {
  readonly [Type in keyof Definitions]: z.output<Definitions[Type]['schema']>;
};

/** The events of a category as a union, `{ type, data }`. */
export type EventOf<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: { readonly type: Type; readonly data: EventData<Definitions>[Type] };
}[keyof Definitions & string];
