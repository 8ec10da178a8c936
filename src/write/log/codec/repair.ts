import { z } from 'zod';

/** How a value that a field does not take is brought within its bounds. */
export interface Repair {
  readonly repair: (value: unknown) => unknown;
  /** The field without its bounds. */
  readonly unbounded: z.ZodType;
  /** What is out of bounds says nothing: where the field may be null it becomes null. */
  readonly orNull?: boolean;
}

const repairs = new WeakMap<z.ZodType, Repair>();

/** Gives a schema its way of repairing values. */
export const withRepair = <Schema extends z.ZodType>(schema: Schema, repair: Repair): Schema => {
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
 * A value with everything that its schema's fields bound brought within the bounds: text cleaned and cut, what says
 * nothing left out. What is of another shape stays as it is, for the schema to refuse.
 */
export const repaired = (schema: z.ZodType, value: unknown): unknown => {
  const own = repairs.get(schema);
  if (own !== undefined) return own.repair(value);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return repairOptional(schema.unwrap() as z.ZodType, value);
  }
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
 * A schema without the bounds of its fields, several times as fast: for what was held to them when it was appended.
 */
export const unbounded = (schema: z.ZodType): z.ZodType => {
  const own = repairs.get(schema);
  if (own !== undefined) return own.unbounded;
  if (schema instanceof z.ZodNullable) return unbounded(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional) return unbounded(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
    return z.strictObject(Object.fromEntries(shape.map(([name, field]) => [name, unbounded(field)])));
  }
  if (schema instanceof z.ZodArray) return z.array(unbounded(schema.element as z.ZodType));
  return schema;
};
