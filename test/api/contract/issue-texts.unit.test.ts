import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRequestParser, issueText } from '../../../src/api/contract/parse-request.ts';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { ServiceError } from '../../../src/kernel/errors.ts';

const endpoints = await loadEndpoints();

/** How the validation library begins its own texts. */
const LIBRARY = /^(?:Invalid|Too (?:small|big)|Unrecognized|Expected|Required)/;

const WRONG: readonly unknown[] = [
  undefined,
  null,
  '',
  '-1',
  'x'.repeat(5_000),
  -1,
  1.5,
  1e12,
  true,
  [],
  {},
  ['x'],
  [{}],
];

describe('a fault of a request', () => {
  it('is described in this API’s own words, for every endpoint and value', () => {
    const cursors = { decode: () => null } as never;
    const texts = new Set<string>();
    for (const endpoint of endpoints) {
      const parse = createRequestParser(endpoint, cursors);
      const fieldsOf = (schema: z.ZodType | undefined) =>
        schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
      const { params = {}, query = {}, body } = endpoint.example;
      for (const wrong of WRONG) {
        const requests = [
          ...fieldsOf(endpoint.params).map((field) => ({
            params: { ...params, [field]: wrong },
            query: {},
            body,
          })),
          ...[...fieldsOf(endpoint.query), 'limit', 'cursor', 'after', 'zz'].map((field) => ({
            params,
            query: { ...query, [field]: wrong },
            body,
          })),
          ...fieldsOf(endpoint.body).map((field) => ({
            params,
            query: {},
            body: { ...(body as object), [field]: wrong },
          })),
          { params, query: {}, body: wrong },
        ];
        for (const request of requests) {
          try {
            parse(request);
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            for (const { message } of error.details ?? []) texts.add(message);
          }
        }
      }
    }
    expect(texts.size).toBeGreaterThan(20);
    expect([...texts].filter((text) => LIBRARY.test(text))).toEqual([]);
  });

  it.for<[string, z.ZodType, unknown, string]>([
    ['what is missing', z.object({ a: z.string() }), {}, 'is required'],
    ['another type', z.string(), 5, 'must be a text'],
    ['one of several values', z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    ['a short text', z.string().min(3), 'a', 'must have at least 3 characters'],
    ['a large number', z.number().max(9), 10, 'must be at most 9'],
    ['an open bound', z.number().gt(9), 9, 'must be more than 9'],
    ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    ['an unknown field', z.strictObject({}), { b: 1 }, 'unknown: b'],
    ['a text of its own', z.string('my words'), 5, 'my words'],
  ])('is named: %s', ([, schema, value, text]) => {
    expect(schema.safeParse(value, { error: issueText }).error?.issues[0]?.message).toBe(text);
  });
});
