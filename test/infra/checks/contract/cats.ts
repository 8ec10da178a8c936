import type { Json, JsonObject } from '../../../../src/api/contract/json.ts';

/** A small OpenAPI document with a part of each kind that the comparison knows. */
export const base = (): JsonObject => ({
  openapi: '3.1.0',
  servers: [{ url: '/v2' }],
  security: [{ key: [] }],
  paths: {
    '/cats': {
      get: {
        operationId: 'listCats',
        parameters: [
          {
            in: 'query',
            name: 'size',
            schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
            style: 'form',
          },
          { in: 'query', name: 'colour', schema: { type: 'string', enum: ['red', 'black'] } },
          { $ref: '#/components/parameters/cursor' },
        ],
        responses: {
          '200': {
            description: 'The answer.',
            headers: {
              ETag: { required: true, schema: { type: 'string', pattern: '^W/' } },
              'x-plan': { schema: { type: 'string' } },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['cats', 'total'],
                  properties: {
                    cats: { type: 'array', items: { $ref: '#/components/schemas/Cat' } },
                    total: { type: 'integer', minimum: 0 },
                    owner: {
                      anyOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'string' } } }],
                    },
                    tags: { type: 'object', additionalProperties: { type: 'string' } },
                  },
                },
              },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          '404': { $ref: '#/components/responses/NotFound' },
        },
      },
      post: {
        operationId: 'addCat',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string', maxLength: 50 },
                  nick: { type: ['string', 'null'] },
                  weight: { type: 'number' },
                },
              },
            },
          },
        },
        responses: { '201': { description: 'Made.' } },
      },
    },
    '/dogs': { get: { operationId: 'listDogs', responses: { '200': { description: 'Dogs.' } } } },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    parameters: { cursor: { in: 'query', name: 'cursor', schema: { type: 'string' } } },
    schemas: {
      Cat: {
        type: 'object',
        required: ['name', 'mood'],
        properties: {
          name: { type: ['string', 'null'] },
          mood: { type: 'string', enum: ['calm', 'cross'] },
          born_at: { type: 'string', format: 'date-time' },
          kind: { type: 'string', const: 'cat' },
          kittens: { type: 'array', items: { $ref: '#/components/schemas/Cat' } },
        },
      },
    },
    responses: {
      NotFound: {
        description: 'No such cat.',
        content: {
          'application/json': { schema: { type: 'object', properties: { code: { type: 'string' } } } },
        },
      },
    },
  },
});

/** The document with the part at a path replaced; removed where the value is undefined. */
export const changed = (path: string, value: Json | undefined): JsonObject => {
  const document = structuredClone(base()) as Record<string, unknown>;
  const names = path.split('|');
  const last = names.pop() ?? '';
  let part = document;
  for (const name of names) part = part[name] as Record<string, unknown>;
  if (value !== undefined) part[last] = value;
  else if (Array.isArray(part)) part.splice(Number(last), 1);
  else delete part[last];
  return document as JsonObject;
};

export const GET = 'paths|/cats|get';
export const POST = 'paths|/cats|post';
export const ANSWER = `${GET}|responses|200|content|application/json|schema`;
export const BODY = `${POST}|requestBody|content|application/json|schema`;
export const CAT = 'components|schemas|Cat|properties';
