import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject, objectAt } from '../../../src/api/contract/json.ts';

/** Direction of a schema, which decides what is breaking: callers write requests and read responses. */
export type Direction = 'request' | 'answer';

export interface Comparison {
  readonly before: Json;
  readonly after: Json;
  readonly direction: Direction;
  /** Reports a breaking change of a field, as `data[].handle`; empty for the whole value. */
  readonly report: (field: string, what: string) => void;
}

/** Keywords that are lower bounds, and upper bounds. */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords without an order: any other value is breaking. */
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType'];

const shown = (value: Json | undefined): string => (value === undefined ? 'none' : JSON.stringify(value));

const valuesOf = (schema: JsonObject): readonly Json[] | null => {
  if ('const' in schema) return [schema.const as Json];
  return Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : null;
};

const compareValues = (c: Comparison, a: JsonObject, b: JsonObject, at: string): void => {
  const [before, after] = [valuesOf(a), valuesOf(b)];
  if (before === null || after === null) {
    const opened = c.direction === 'answer' ? before !== null : after !== null;
    if (before !== after && opened) {
      c.report(at, before === null ? 'only listed values are accepted' : 'any value is possible');
    }
    return;
  }
  // Values added to an enum of a response are additive: callers must expect new ones.
  for (const value of before) {
    if (!after.some((each) => isDeepStrictEqual(each, value))) c.report(at, `value ${shown(value)} removed`);
  }
};

/** The value of a keyword; the pattern of a time is a part of its format. */
const exactly = (schema: JsonObject, keyword: string): Json | undefined =>
  keyword === 'pattern' && schema.format === 'date-time' ? undefined : schema[keyword];

const compareBounds = (c: Comparison, a: JsonObject, b: JsonObject, at: string): void => {
  for (const [keywords, sign] of [
    [LOWER_BOUNDS, 1],
    [UPPER_BOUNDS, -1],
  ] as const) {
    for (const keyword of keywords) {
      const [before, after] = [a, b].map((schema) => {
        const value = schema[keyword];
        const isBound = typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER;
        return isBound ? value * sign : Number.NEGATIVE_INFINITY;
      }) as [number, number];
      // A request must not become narrower, a response not wider.
      if (c.direction === 'request' ? after > before : after < before) {
        c.report(at, `${keyword} changed from ${shown(a[keyword])} to ${shown(b[keyword])}`);
      }
    }
  }
  for (const keyword of EXACT) {
    const [before, after] = [exactly(a, keyword), exactly(b, keyword)];
    const dropped = c.direction === 'request' ? after === undefined : before === undefined;
    if (!dropped && !isDeepStrictEqual(before, after)) {
      c.report(at, `${keyword} changed from ${shown(before)} to ${shown(after)}`);
    }
  }
  if (c.direction === 'request' && !isDeepStrictEqual(a.default, b.default)) {
    c.report(at, `default changed from ${shown(a.default)} to ${shown(b.default)}`);
  }
};

const requiredOf = (schema: JsonObject): ReadonlySet<string> =>
  new Set(Array.isArray(schema.required) ? (schema.required as readonly string[]) : []);

type Walk = (before: Json | undefined, after: Json | undefined, at: string) => void;

const compareOtherFields = (c: Comparison, a: JsonObject, b: JsonObject, at: string, walk: Walk): void => {
  const [before, after] = [a.additionalProperties, b.additionalProperties];
  const field = at === '' ? '*' : `${at}.*`;
  if (isObject(before) && isObject(after)) {
    walk(before, after, field);
    return;
  }
  // Fields that a response does not list are additive, whatever it declares about others.
  const closed = after === false && before !== false;
  const narrowed = isObject(after) && before !== false;
  if (c.direction === 'request' && (closed || narrowed)) c.report(at, 'other fields are no longer accepted');
  if (c.direction === 'answer' && isObject(before)) c.report(field, 'removed or without a type');
};

const compareObjects = (c: Comparison, a: JsonObject, b: JsonObject, at: string, walk: Walk): void => {
  const [before, after] = [objectAt(a, 'properties'), objectAt(b, 'properties')];
  const [requiredBefore, requiredAfter] = [requiredOf(a), requiredOf(b)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const field = at === '' ? name : `${at}.${name}`;
    if (!(name in after)) c.report(field, 'removed');
    else if (name in before) walk(before[name], after[name], field);
  }
  for (const name of requiredAfter) {
    if (c.direction === 'request' && !requiredBefore.has(name)) {
      c.report(at === '' ? name : `${at}.${name}`, name in before ? 'required' : 'new and required');
    }
  }
  for (const name of requiredBefore) {
    if (c.direction === 'answer' && name in after && !requiredAfter.has(name)) {
      c.report(at === '' ? name : `${at}.${name}`, 'no longer in every answer');
    }
  }
  compareOtherFields(c, a, b, at, walk);
  if (isObject(a.propertyNames) || isObject(b.propertyNames)) {
    walk(a.propertyNames ?? {}, b.propertyNames ?? {}, `${at}{names}`);
  }
};

const compareArrays = (a: JsonObject, b: JsonObject, at: string, walk: Walk): void => {
  const [before, after] = [a, b].map((schema) =>
    Array.isArray(schema.prefixItems) ? (schema.prefixItems as readonly Json[]) : [],
  ) as [readonly Json[], readonly Json[]];
  for (let i = 0; i < Math.max(before.length, after.length); i += 1) {
    walk(before[i] ?? a.items, after[i] ?? b.items, `${at}[${i}]`);
  }
  walk(a.items, b.items, `${at}[]`);
};

const covers = (wide: string, narrow: string): boolean =>
  wide === narrow || wide === 'any' || (wide === 'number' && narrow === 'integer');

/** Pairs alternatives of the same type: equal ones first, then in order. */
const pairUp = (before: readonly Alternative[], after: readonly Alternative[], direction: Direction) => {
  const left = [...before];
  const right = [...after];
  const pairs: [Alternative, Alternative][] = [];
  const take = (matches: (a: Alternative, b: Alternative) => boolean): void => {
    for (const a of [...left]) {
      const b = right.find((each) => matches(a, each));
      if (b === undefined) continue;
      left.splice(left.indexOf(a), 1);
      right.splice(right.indexOf(b), 1);
      pairs.push([a, b]);
    }
  };
  take(isDeepStrictEqual);
  take((a, b) => a.type === b.type);
  take((a, b) => (direction === 'request' ? covers(b.type, a.type) : covers(a.type, b.type)));
  return { pairs, removed: left, added: right };
};

/**
 * Reports breaking changes of a schema: values that a request no longer accepts, and promises that a response no
 * longer keeps. References are resolved, so an inlined schema equals its component.
 */
export const compareSchemas = (c: Comparison, before: Json | undefined, after: Json | undefined): void => {
  const within = new Set<string>();
  const walk: Walk = (a, b, at) => {
    // A recursive schema is compared once per path.
    const refs = isObject(a) && isObject(b) ? `${String(a.$ref)} ${String(b.$ref)}` : '';
    const recursive = refs.includes('#/');
    if (recursive && within.has(refs)) return;
    if (recursive) within.add(refs);
    const [left, right] = [alternatives(c.before, a), alternatives(c.after, b)];
    const { pairs, removed, added } = pairUp(left, right, c.direction);
    for (const { type } of removed) {
      // A response that is no longer nullable is compatible.
      if (c.direction === 'request' || type !== 'null') c.report(at, `type ${type} removed`);
    }
    for (const { type } of added) if (c.direction === 'answer') c.report(at, `type ${type} added`);
    for (const [x, y] of pairs) {
      compareValues(c, x.schema, y.schema, at);
      compareBounds(c, x.schema, y.schema, at);
      if (x.type === 'object' || y.type === 'object') compareObjects(c, x.schema, y.schema, at, walk);
      if (x.type === 'array' || y.type === 'array') compareArrays(x.schema, y.schema, at, walk);
    }
    if (recursive) within.delete(refs);
  };
  walk(before, after, '');
};

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
const alternatives = (document: Json, schema: Json | undefined): readonly Alternative[] => {
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

/** Target of a local reference (`#/a/b`). @throws if it does not exist. */
const resolvePointer = (document: Json, ref: string): Json => {
  let part: Json | undefined = document;
  for (const token of ref.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    part = isObject(part) || Array.isArray(part) ? (part as JsonObject)[name] : undefined;
  }
  if (part === undefined || !ref.startsWith('#/')) throw new Error(`the document has no ${ref}`);
  return part;
};

/** Resolves every local reference in a part of a document. A recursive reference is kept at its second occurrence. */
export const resolveRefs = (document: Json, part: Json = document, within: readonly string[] = []): Json => {
  if (Array.isArray(part)) return part.map((each: Json) => resolveRefs(document, each, within));
  if (!isObject(part)) return part;
  const { $ref: ref, ...siblings } = part;
  if (typeof ref === 'string') {
    if (within.includes(ref)) return part;
    const target = resolveRefs(document, resolvePointer(document, ref), [...within, ref]);
    // Keywords beside `$ref` add to its target (JSON Schema 2020-12, 8.2.3.1).
    return isObject(target)
      ? { ...target, ...(resolveRefs(document, siblings, within) as JsonObject) }
      : target;
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, resolveRefs(document, value, within)]),
  );
};
