import { describe, expect, it } from 'vitest';
import { breakingChanges } from '../../../../infra/checks/contract/breaking-changes.ts';
import { resolveRefs } from '../../../../infra/checks/contract/compare-schemas.ts';
import { isObject, type Json, type JsonObject, objectAt } from '../../../../src/api/contract/json.ts';
import { openApiDocument } from '../../../../src/api/description/document.ts';
import { loadEndpoints } from '../../../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../../../src/write/holders/plans.ts';
import { BODY, base, CAT, changed, GET, POST } from './cats.ts';

describe('a breaking change of a request or of the whole contract', () => {
  it.each<[string, string, Json | undefined, readonly string[]]>([
    ['a removed server', 'servers', [{ url: '/v3' }], ['server /v2: removed']],
    ['a removed path', 'paths|/dogs', undefined, ['GET /dogs: removed']],
    ['a removed method', `${POST}`, undefined, ['POST /cats: removed']],
    [
      'a renamed operation',
      `${GET}|operationId`,
      'cats',
      ['GET /cats: operationId changed from listCats to cats'],
    ],
    [
      'other credentials',
      `${GET}|security`,
      [{ token: [] }],
      ['GET /cats: credentials {"key":[]} no longer accepted'],
    ],
    [
      'another scheme of credentials',
      'components|securitySchemes|key|scheme',
      'basic',
      ['credentials key: scheme changed'],
    ],
    ['a removed parameter', `${GET}|parameters|1`, undefined, ['GET /cats: query parameter colour: removed']],
    [
      'a removed shared parameter',
      `${GET}|parameters|2`,
      undefined,
      ['GET /cats: query parameter cursor: removed'],
    ],
    [
      'a new required parameter',
      `${GET}|parameters|3`,
      { in: 'header', name: 'X-Reason', required: true, schema: { type: 'string' } },
      ['GET /cats: header parameter x-reason: new and required'],
    ],
    [
      'a new required parameter of the whole path',
      'paths|/cats|parameters',
      [{ in: 'query', name: 'why', required: true, schema: { type: 'string' } }],
      [
        'GET /cats: query parameter why: new and required',
        'POST /cats: query parameter why: new and required',
      ],
    ],
    [
      'a parameter that becomes required',
      'components|parameters|cursor|required',
      true,
      ['GET /cats: query parameter cursor: required'],
    ],
    [
      'a parameter of another style',
      `${GET}|parameters|0|style`,
      'pipeDelimited',
      ['GET /cats: query parameter size: style changed'],
    ],
    [
      'a retyped parameter',
      'components|parameters|cursor|schema|type',
      'integer',
      ['GET /cats: query parameter cursor: type string removed'],
    ],
    [
      'a narrower parameter',
      `${GET}|parameters|0|schema|maximum`,
      8,
      ['GET /cats: query parameter size: maximum changed from 9 to 8'],
    ],
    [
      'a parameter with a new bound',
      'components|parameters|cursor|schema|minLength',
      1,
      ['GET /cats: query parameter cursor: minLength changed from none to 1'],
    ],
    [
      'a parameter with a new pattern',
      'components|parameters|cursor|schema|pattern',
      '^a',
      ['GET /cats: query parameter cursor: pattern changed from none to "^a"'],
    ],
    [
      'another default',
      `${GET}|parameters|0|schema|default`,
      6,
      ['GET /cats: query parameter size: default changed from 5 to 6'],
    ],
    [
      'a value that a parameter no longer takes',
      `${GET}|parameters|1|schema|enum`,
      ['red', 'white'],
      ['GET /cats: query parameter colour: value "black" removed'],
    ],
    [
      'a parameter that takes only listed values now',
      'components|parameters|cursor|schema|enum',
      ['a'],
      ['GET /cats: query parameter cursor: only listed values are accepted'],
    ],
    [
      'a body that is no longer taken',
      `${POST}|requestBody`,
      undefined,
      ['POST /cats: request body: removed'],
    ],
    [
      'a body that becomes required',
      `${POST}|requestBody|required`,
      true,
      ['POST /cats: request body: required'],
    ],
    [
      'a new required body',
      `${GET}|requestBody`,
      { required: true, content: {} },
      ['GET /cats: request body: new and required'],
    ],
    [
      'another media type of a body',
      `${POST}|requestBody|content`,
      { 'text/plain': {} },
      ['POST /cats: request body: application/json removed'],
    ],
    [
      'a new required field of a body',
      BODY,
      {
        type: 'object',
        required: ['name', 'age'],
        properties: {
          name: { type: 'string', maxLength: 50 },
          nick: { type: ['string', 'null'] },
          weight: { type: 'number' },
          age: { type: 'integer' },
        },
      },
      ['POST /cats: request body: age: new and required'],
    ],
    [
      'a field of a body that becomes required',
      `${BODY}|required`,
      ['name', 'nick'],
      ['POST /cats: request body: nick: required'],
    ],
    [
      'a removed field of a body',
      `${BODY}|properties|nick`,
      undefined,
      ['POST /cats: request body: nick: removed'],
    ],
    [
      'a retyped field of a body',
      `${BODY}|properties|weight|type`,
      'integer',
      ['POST /cats: request body: weight: type number removed'],
    ],
    [
      'a field of a body that may no longer be null',
      `${BODY}|properties|nick|type`,
      'string',
      ['POST /cats: request body: nick: type null removed'],
    ],
    [
      'a body closed to other fields',
      `${BODY}|additionalProperties`,
      false,
      ['POST /cats: request body: other fields are no longer accepted'],
    ],
  ])('is reported: %s', (_, path, value, expected) => {
    expect(breakingChanges(base(), changed(path, value))).toEqual(expected);
  });

  it.each<[string, string, Json | undefined]>([
    ['a new path', 'paths|/birds', { get: { operationId: 'listBirds', responses: {} } }],
    ['a new status', `${GET}|responses|409`, { description: 'No.' }],
    [
      'a new optional parameter',
      `${GET}|parameters|3`,
      { in: 'query', name: 'age', schema: { type: 'integer' } },
    ],
    ['a wider parameter', `${GET}|parameters|0|schema|maximum`, 10],
    ['a parameter without a bound', `${GET}|parameters|0|schema|minimum`, undefined],
    ['a value that a parameter takes besides', `${GET}|parameters|1|schema|enum`, ['red', 'black', 'white']],
    ['a parameter of any value', `${GET}|parameters|1|schema|enum`, undefined],
    ['a new optional field of a body', `${BODY}|properties|age`, { type: 'integer' }],
    ['a field of a body that becomes optional', `${BODY}|required`, []],
    ['a field of a body that may be null', `${BODY}|properties|name|type`, ['string', 'null']],
    ['a new header', `${GET}|responses|200|headers|x-new`, { schema: { type: 'string' } }],
    ['a header that is promised now', `${GET}|responses|200|headers|x-plan|required`, true],
    ['a new field of an answer', `${CAT}|age`, { type: 'integer' }],
    ['a field that is in every answer now', 'components|schemas|Cat|required', ['name', 'mood', 'kind']],
    ['a field that is never null now', `${CAT}|name|type`, 'string'],
    ['a new value of an enum in an answer', `${CAT}|mood|enum`, ['calm', 'cross', 'asleep']],
    ['a new text', `${GET}|description`, 'All cats.'],
    ['a new example', `${CAT}|mood|example`, 'calm'],
    ['credentials by choice', `${GET}|security`, [{ token: [] }, { key: [] }]],
    ['no credentials', `${GET}|security`, []],
  ])('is not reported: %s', (_, path, value) => {
    expect(breakingChanges(base(), changed(path, value))).toEqual([]);
  });

  it('is not reported for an inline part that becomes a component', () => {
    const document = base();
    const inlined = { ...document, paths: resolveRefs(document, document.paths) };
    expect(breakingChanges(document, inlined)).toEqual([]);
    expect(breakingChanges(inlined, document)).toEqual([]);
  });

  it('is not reported for a nullable type that becomes a choice with null', () => {
    const choice = changed(`${CAT}|name`, { anyOf: [{ type: 'string' }, { type: 'null' }] });
    expect(breakingChanges(base(), choice)).toEqual([]);
    expect(breakingChanges(choice, base())).toEqual([]);
  });

  it('is not reported for fields moved between `allOf` and the schema', () => {
    const { Cat } = (base().components as { schemas: { Cat: JsonObject } }).schemas;
    const { mood, ...others } = Cat.properties as JsonObject;
    const composed = changed('components|schemas|Cat', {
      allOf: [{ type: 'object', properties: others, required: ['name'] }],
      properties: { mood: mood ?? null },
      required: ['mood'],
    });
    expect(breakingChanges(base(), composed)).toEqual([]);
    expect(breakingChanges(composed, base())).toEqual([]);
  });
});

/** The paths of all fields that a part describes. */
const fieldsOf = (part: Json, path: readonly string[] = []): readonly (readonly string[])[] =>
  !isObject(part) && !Array.isArray(part)
    ? []
    : Object.entries(part as JsonObject).flatMap(([name, value]) =>
        // Examples of answers with a schema in them describe nothing.
        name === 'example'
          ? []
          : [...(path.at(-1) === 'properties' ? [[...path, name]] : []), ...fieldsOf(value, [...path, name])],
      );

/** The part with another value at a path, undefined for none. */
const replaced = (part: Json, [name = '', ...rest]: readonly string[], value: Json | undefined): Json => {
  if (Array.isArray(part)) {
    return part.map((each: Json, i) => (String(i) === name ? replaced(each, rest, value) : each));
  }
  const { [name]: old = null, ...others } = part as JsonObject;
  if (rest.length === 0 && value === undefined) return others;
  return { ...others, [name]: rest.length === 0 ? (value ?? null) : replaced(old, rest, value) };
};

describe('this service’s contract', () => {
  it('has no field in an answer whose removal or new type goes unnoticed', { tags: 'long' }, async () => {
    const served = openApiDocument(await loadEndpoints(), publishedPlans('A'));
    let fields = 0;
    for (const [route, methods] of Object.entries(resolveRefs(served, served.paths) as JsonObject)) {
      for (const [method, operation] of Object.entries(methods as JsonObject)) {
        const answer = objectAt(objectAt(operation, 'responses'), '200').content ?? {};
        const documentOf = (content: Json) => ({
          paths: { [route]: { [method]: { responses: { '200': { content } } } } },
        });
        for (const path of fieldsOf(answer)) {
          fields += 1;
          const field = path.at(-1) ?? '';
          for (const value of [undefined, { type: 'array', items: { type: 'null' } }]) {
            const after = documentOf(replaced(answer, path, value));
            const changes = breakingChanges(documentOf(answer), after);
            expect(changes.length, path.join('/')).toBeGreaterThan(0);
            for (const change of changes) {
              expect(change).toMatch(/^\w+ \/\S*: status 200(?: \([\w/-]+\))?: /);
              expect(change).toContain(`${method.toUpperCase()} ${route}: `);
              expect(change).toContain(field);
            }
          }
        }
      }
    }
    expect(fields).toBeGreaterThan(200);
  });
});
