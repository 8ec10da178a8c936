/** Definitions of event types: repairs, schemas with versions, and the bounded fields that events are made of. */

import { z } from 'zod';
import {
  hasHidden,
  isLookUpKey,
  isStorable,
  isStreamName,
  keyOf,
  storable,
  truncated,
  withoutHidden,
} from '../../kernel/text.ts';

/** How an invalid value of a field is brought within its bounds. */
export interface Repair {
  readonly repair: (value: unknown) => unknown;
  /** The field's schema without bounds. */
  readonly unbounded: z.ZodType;
  /** An out-of-bounds value carries no information. It becomes null if the field is nullable. */
  readonly orNull?: boolean;
}

const repairs = new WeakMap<z.ZodType, Repair>();

/** Attaches a repair to a schema. */
const withRepair = <Schema extends z.ZodType>(schema: Schema, repair: Repair): Schema => {
  repairs.set(schema, repair);
  return schema;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const repairOptional = (inner: z.ZodType, value: unknown): unknown => {
  if (value === null || value === undefined) return value;
  if (repairs.get(inner)?.orNull === true && !inner.safeParse(value).success) return null;
  return repaired(inner, value);
};

/**
 * Brings every field of a value within its bounds: text is sanitized and truncated, meaningless values are dropped. A value of
 * another shape is returned unchanged, and the schema rejects it.
 */
export const repaired = (schema: z.ZodType, value: unknown): unknown => {
  const own = repairs.get(schema);
  if (own !== undefined) return own.repair(value);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return repairOptional(schema.unwrap() as z.ZodType, value);
  }
  if (schema instanceof z.ZodDefault) return repaired(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodObject && isObject(value)) {
    const shape = schema.shape as Record<string, z.ZodType>;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
        return [name, field === undefined ? inner : repaired(field, inner)];
      }),
    );
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((inner) => repaired(schema.element as z.ZodType, inner));
  }
  return value;
};

/**
 * A schema without the bounds of its fields. It is several times faster, for data that was validated on append. Unknown fields come
 * from a newer program and are dropped.
 */
export const unbounded = (schema: z.ZodType): z.ZodType => {
  const own = repairs.get(schema);
  if (own !== undefined) return own.unbounded;
  if (schema instanceof z.ZodNullable) return unbounded(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional) return unbounded(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodDefault)
    return unbounded(schema.unwrap() as z.ZodType).default(schema.def.defaultValue);
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
    return z.object(Object.fromEntries(shape.map(([name, field]) => [name, unbounded(field)])));
  }
  if (schema instanceof z.ZodArray) return z.array(unbounded(schema.element as z.ZodType));
  return schema;
};

/** An event type: its current schema, and upcasts from older versions. */
export interface EventDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Version of the schema; 1 if it never changed. */
  readonly version: number;
  /** The schema without bounds, for stored data, whose bounds were validated on append. */
  readonly stored: z.ZodType;
  /** Upcasts from version n to n + 1, by n. */
  readonly upcasts: Readonly<Record<number, (data: unknown) => unknown>>;
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/**
 * Defines an event type by its schema. The current version is one more than the last version that is upcast.
 * @param upcasts from version n to n + 1, by n: pure functions without a gap; none if the type never changed. An upcast to a
 *   version with new bounds brings data within them (`repaired`).
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

/** Defines an event type by its fields. */
export const event = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  upcasts: EventDefinition['upcasts'] = {},
): EventDefinition<z.ZodObject<Shape, z.core.$strict>> => eventOf(z.strictObject(shape), upcasts);

/** Event data of a category, by type. */
export type EventData<Definitions extends EventDefinitions> = {
  readonly [Type in keyof Definitions]: z.output<Definitions[Type]['schema']>;
};

/** All events of a category as a union of `{ type, data }`. */
export type EventOf<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: { readonly type: Type; readonly data: EventData<Definitions>[Type] };
}[keyof Definitions & string];

/**
 * Schemas of event fields. All are bounded, so that no store and no read model rejects an event. Each can repair values that were
 * written before the bounds.
 */

const onText =
  (repair: (text: string) => string) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? repair(value) : value;

/** What enters the log is cleaned there, whoever forgot to: adapters and commands see the same text as readers. */
const storableText = (max: number, min = 0) =>
  z
    .string()
    .refine(isStorable, { error: 'must be well-formed Unicode without NUL' })
    .overwrite(storable)
    .min(min)
    .max(max);

/** Text of at most `max` UTF-16 code units. */
export const text = (max: number) =>
  withRepair(storableText(max), {
    repair: onText((value) => truncated(storable(value), max)),
    unbounded: z.string(),
  });

/** Non-empty text. */
export const words = (max: number) =>
  withRepair(storableText(max, 1), {
    repair: onText((value) => truncated(storable(value), max) || '?'),
    unbounded: z.string(),
  });

/** A URL that is never used as a look-up key. */
export const address = (max: number) =>
  withRepair(storableText(max), {
    repair: onText((value) => truncated(storable(value), max)),
    unbounded: z.string(),
    orNull: true,
  });

/** The name of a stream, which may be older than the rules of keys. */
export const streamName = (max: number) => z.string().max(max).refine(isStreamName);

/** A look-up key: in Unicode normal form C, without control characters. */
export const key = (max: number) =>
  withRepair(
    z
      .string()
      .max(max)
      .refine(isLookUpKey, { error: 'must be in normal form (NFC), without control characters' }),
    { repair: onText((value) => keyOf(value, max)), unbounded: z.string() },
  );

const MAX_LINK = 2_048;
/** Percent-encoding at most triples the length. */
const SHORT_LINK = /^https?:\/\/[\x21-\x7e]{1,600}$/i;
const LINK = /^https?:\/\/[^\s\p{Cc}\u202a-\u202e\u2066-\u2069]+$/iu;

const isLink = (value: string): boolean =>
  SHORT_LINK.test(value) ||
  (value.length <= MAX_LINK &&
    value.isWellFormed() &&
    LINK.test(value) &&
    URL.canParse(value) &&
    new URL(value).href.length <= MAX_LINK);

/** The same address without characters that nobody sees: percent-encoded, as browsers send it. */
const plainLink = (value: string): string =>
  hasHidden(value) && URL.canParse(value) ? withoutHidden(new URL(value).href) : value;

/** An absolute http(s) URL used as a look-up key: at most 2,048 characters percent-encoded. */
export const link = withRepair(
  z.string().overwrite(plainLink).refine(isLink, { error: 'must be a short http(s) address' }),
  { repair: onText(plainLink), unbounded: z.string(), orNull: true },
);

const FIRST_INSTANT = '1970-01-01T00:00:00.000Z';
const LAST_INSTANT = '2199-12-31T23:59:59.999Z';

/** ISO 8601 UTC with milliseconds, from 1970 until 2200. */
export const instant = withRepair(
  z.iso.datetime({ precision: 3 }).refine((value) => value >= FIRST_INSTANT && value <= LAST_INSTANT, {
    error: 'must be from 1970 until 2200',
  }),
  {
    repair: onText((value) =>
      value < FIRST_INSTANT ? FIRST_INSTANT : value > LAST_INSTANT ? LAST_INSTANT : value,
    ),
    unbounded: z.iso.datetime({ precision: 3 }),
    orNull: true,
  },
);

const MAX_COUNT = 1e15;

/** A count from 0 to 10^15, so that differences still fit into the ranking columns. */
export const count = withRepair(z.int().nonnegative().max(MAX_COUNT), {
  repair: (value) => (typeof value === 'number' && value > MAX_COUNT ? MAX_COUNT : value),
  unbounded: z.int().nonnegative(),
  orNull: true,
});

/** Bounds of a list: number of elements, and total characters. */
export interface ListBounds<Element> {
  readonly max: number;
  readonly maxChars: number;
  readonly charsOf: (element: Element) => number;
}

/** The number of leading elements that fit the bounds. */
export const fitting = <Element>(
  elements: readonly Element[],
  { max, maxChars, charsOf }: ListBounds<Element>,
): number => {
  let chars = 0;
  for (const [n, element] of elements.entries()) {
    chars += charsOf(element);
    if (n === max || chars > maxChars) return n;
  }
  return elements.length;
};

/** A bounded list. Repair drops elements that exceed the bounds or can't be repaired. */
export const list = <Schema extends z.ZodType>(
  element: Schema,
  bounds: ListBounds<z.output<Schema>>,
  min = 0,
) =>
  withRepair(
    z
      .array(element)
      .min(min)
      .refine((elements) => fitting(elements, bounds) === elements.length, {
        error: `must hold at most ${bounds.max} elements, of at most ${bounds.maxChars} characters together`,
      }),
    {
      repair: (value) => {
        if (!Array.isArray(value)) return value;
        const elements = value
          .map((one) => repaired(element, one))
          .filter((one): one is z.output<Schema> => element.safeParse(one).success);
        return elements.slice(0, fitting(elements, bounds));
      },
      unbounded: z.array(unbounded(element)),
    },
  );

/** Counts by name. Repair adds up the counts of names that become equal. */
export const counts = (maxName: number, max: number) => {
  const name = text(maxName);
  return withRepair(
    z
      .record(name, z.int().positive())
      .refine((found) => Object.keys(found).length <= max, { error: `must have at most ${max} names` }),
    {
      repair: (value) =>
        typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .slice(0, max)
                .map(([found, n]) => [repaired(name, found), n]),
            )
          : value,
      unbounded: z.record(z.string(), z.int().positive()),
    },
  );
};
