export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of that name if it is an object, else an empty object. */
export const objectAt = (value: Json | undefined, name: string): JsonObject => {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
};

/** Maps every member of an object. */
export const mapValues = (object: JsonObject, map: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
