import { z } from 'zod';

/** How an invalid value of a field is brought within its bounds. */
export interface Repair {
  readonly repair: (value: unknown) => unknown;
  /** The field's schema without bounds. */
  readonly unbounded: z.ZodType;
  /** An out-of-bounds value carries no information: it becomes null if the field is nullable. */
  readonly orNull?: boolean;
}

const repairs = new WeakMap<z.ZodType, Repair>();

/** Attaches a repair to a schema. */
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
 * A value with every field brought within its bounds: text is sanitized and truncated, meaningless values are
 * dropped. A value of another shape is returned unchanged, for the schema to reject.
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
 * A schema without its fields' bounds, several times faster: for data that was validated on append. Fields that it does not know
 * are a newer program's, and are left out.
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
