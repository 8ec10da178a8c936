import { isObject, type Json, type JsonObject } from '../../../src/api/contract/json.ts';
import { resolvePointer } from './resolve-refs.ts';

/** One kind of value that a schema accepts. `any`: the schema declares no type. */
export interface Alternative {
  readonly type: string;
  /** Its keywords, without `type`. */
  readonly schema: JsonObject;
}

/** Resolves a reference at the top of a schema; keywords beside `$ref` are merged into its target. */
export const dereference = (document: Json, schema: Json | undefined): JsonObject => {
  let { $ref: ref, ...keywords } = isObject(schema) ? schema : {};
  const seen = new Set<string>();
  while (typeof ref === 'string' && !seen.has(ref)) {
    seen.add(ref);
    const target = resolvePointer(document, ref);
    const { $ref: next, ...others } = isObject(target) ? target : {};
    keywords = { ...others, ...keywords };
    ref = next;
  }
  return keywords;
};

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const mergeProperties = (a: Json | undefined, b: Json | undefined): JsonObject => ({
  ...(isObject(a) ? a : {}),
  ...(isObject(b) ? b : {}),
});

/** Merges `allOf` into its schema: the union of fields, required if any part requires them. */
const withAllOf = (document: Json, schema: JsonObject): JsonObject => {
  const { allOf, ...own } = schema;
  let merged: JsonObject = own;
  for (const part of listOf(allOf)) {
    const flat = withAllOf(document, dereference(document, part));
    const properties = mergeProperties(flat.properties, merged.properties);
    const required = [...new Set([...listOf(flat.required), ...listOf(merged.required)])];
    merged = {
      ...flat,
      ...merged,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    };
  }
  return merged;
};

const inferredType = (schema: JsonObject): string => {
  const values = 'const' in schema ? [schema.const] : listOf(schema.enum);
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const [only] = types;
  if (types.size === 1 && only !== undefined) return only;
  return 'properties' in schema ? 'object' : 'items' in schema ? 'array' : 'any';
};

/**
 * Alternatives of a schema by type: `{type: ['string', 'null']}`, an `anyOf` of both and references to either are
 * the same two alternatives.
 */
export const alternatives = (document: Json, schema: Json | undefined): readonly Alternative[] => {
  const flat = withAllOf(document, dereference(document, schema));
  const { anyOf, oneOf, ...own } = flat;
  const choices = [...listOf(anyOf), ...listOf(oneOf)];
  if (choices.length > 0) {
    return choices.flatMap((choice) => alternatives(document, { ...own, ...dereference(document, choice) }));
  }
  const { type, ...keywords } = own;
  if (!Array.isArray(type)) {
    return [{ type: typeof type === 'string' ? type : inferredType(own), schema: keywords }];
  }
  return (type as readonly string[]).map((each) => ({
    type: each,
    schema: each === 'null' ? {} : withoutNull(keywords),
  }));
};

const withoutNull = (schema: JsonObject): JsonObject =>
  Array.isArray(schema.enum) ? { ...schema, enum: listOf(schema.enum).filter((v) => v !== null) } : schema;
