import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isObject, type Json, type JsonObject, objectAt } from '../../../src/api/contract/json.ts';
import { openApiDocument } from '../../../src/api/description/document.ts';
import { FIELD_TEXTS } from '../../../src/api/description/field-texts.ts';
import { metaOf } from '../../../src/api/description/meta-schemas.ts';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../../src/write/holders/plans.ts';

const document = openApiDocument(await loadEndpoints(), publishedPlans('A'));
const schemas = objectAt(objectAt(document, 'components'), 'schemas');

/** Visits every schema of answers, with the way to it. */
const visit = (value: Json, way: string, see: (schema: JsonObject, way: string) => void): void => {
  if (Array.isArray(value)) for (const [i, one] of value.entries()) visit(one, `${way}/${i}`, see);
  if (!isObject(value)) return;
  see(value, way);
  for (const [key, one] of Object.entries(value))
    if (!/^examples?$/.test(key)) visit(one, `${way}/${key}`, see);
};

const answers: [way: string, schema: Json][] = Object.entries(objectAt(document, 'paths')).flatMap(
  ([path, methods]) =>
    Object.entries(methods as JsonObject).flatMap(([method, operation]) => {
      const content = objectAt(objectAt(objectAt(operation, 'responses'), '200'), 'content');
      return [[`${method} ${path}`, objectAt(content, 'application/json').schema as Json] as [string, Json]];
    }),
);

const wrong = (find: (schema: JsonObject) => boolean): string[] => {
  const found: string[] = [];
  const see = (schema: JsonObject, way: string) => find(schema) && found.push(way);
  for (const [way, schema] of [...answers, ...Object.entries(schemas)]) visit(schema, way, see);
  return found;
};

describe('the schemas of answers', () => {
  it('are open, so that a generated client survives a new field', () => {
    expect(wrong(({ additionalProperties }) => additionalProperties === false)).toEqual([]);
  });

  it('state the limits of lists', async () => {
    for (const endpoint of await loadEndpoints()) {
      const { limit } = metaOf(endpoint).shape as { readonly limit?: z.ZodType };
      const { operation, maxLimit = 100 } = endpoint;
      if (endpoint.list) expect(limit?.safeParse(maxLimit).success, operation).toBe(true);
    }
  });

  it('declare nullable values in one way', () => {
    expect(wrong(({ type }) => Array.isArray(type))).toEqual([]);
    expect(wrong(({ enum: values }) => Array.isArray(values) && values.includes(null))).toEqual([]);
  });

  it('name every answer, its data, and its alternatives', () => {
    expect(answers).toHaveLength(75);
    for (const [way, schema] of answers) {
      expect(schema, way).toEqual({ $ref: expect.any(String) });
      const name = String((schema as JsonObject).$ref)
        .split('/')
        .at(-1) as string;
      const data = objectAt(objectAt(schemas, name), 'properties').data as JsonObject;
      expect(data.type === 'array' || data.$ref !== undefined, way).toBe(true);
      if (data.type === 'array') expect(isObject(data.items) && data.items.$ref, way).toBeTruthy();
    }
    const isInline = (member: Json) =>
      isObject(member) &&
      (member.type === 'object' || (Array.isArray(member.enum) && member.enum.length > 1));
    expect(wrong(({ anyOf }) => Array.isArray(anyOf) && anyOf.some(isInline))).toEqual([]);
  });

  it('describe every field, and nothing else', () => {
    const fields = Object.entries(schemas).flatMap(([name, schema]) =>
      Object.entries(objectAt(schema, 'properties')).map(
        ([key, field]) => [name, key, field as JsonObject] as const,
      ),
    );
    expect(fields.length).toBeGreaterThan(1_000);
    expect(fields.filter(([, , { description }]) => description === undefined)).toEqual([]);
    const used = new Set(fields.flatMap(([name, key]) => [key, `${name}.${key}`]));
    expect(Object.keys(FIELD_TEXTS).filter((text) => !used.has(text))).toEqual([]);
  });
});
