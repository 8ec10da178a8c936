import { beforeAll, describe, expect, it } from 'vitest';
import { resolveRefs } from '../../../infra/checks/contract/compare-schemas.ts';
import { type JsonObject, objectAt } from '../../../src/api/contract/json.ts';
import { openApiDocument } from '../../../src/api/description/document.ts';
import { shareComponents } from '../../../src/api/description/share-components.ts';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../../src/write/holders/plans.ts';

let document: JsonObject;
let inlined: JsonObject;

beforeAll(async () => {
  document = openApiDocument(await loadEndpoints(), publishedPlans('A'));
  inlined = { paths: resolveRefs(document, document.paths) };
});

const header = (description: string, required = true) => ({
  required,
  description,
  schema: { type: 'string' },
});

const documentOf = (...responses: JsonObject[]): JsonObject => ({
  openapi: '3.1.0',
  paths: Object.fromEntries(responses.map((each, i) => [`/${i}`, { get: { responses: { '200': each } } }])),
});

describe('shared components', () => {
  it('describe the same as the inlined document, in a quarter of its size', () => {
    const shared = shareComponents(inlined);
    expect(resolveRefs(shared, shared.paths)).toEqual(inlined.paths);
    expect(JSON.stringify(shared).length).toBeLessThan(JSON.stringify(inlined).length / 4);
  });

  it('have the names of the served document', () => {
    const { schemas: _, securitySchemes: _s, ...kinds } = objectAt(document, 'components');
    expect(Object.keys(kinds).sort()).toEqual(['examples', 'headers', 'parameters', 'responses']);
    expect(Object.keys(objectAt(document.components, 'responses'))).toContain(
      'InvalidRequestOrCursorInvalid',
    );
    expect(Object.keys(objectAt(document.components, 'headers'))).toContain('x-plan.optional');
    expect(Object.keys(objectAt(document.components, 'parameters'))).toContain('query.cursor');
  });

  it('leave parts inline that are used once', () => {
    const once = documentOf({ headers: { etag: header('A tag.') } });
    expect(shareComponents(once)).toEqual({ ...once, components: {} });
  });

  it('keep parts of the same name apart: the one used more often becomes the component', () => {
    const responses = ['rare', 'rare', 'usual', 'usual', 'usual'].map((text) => ({
      headers: { etag: header(text) },
    }));
    const shared = shareComponents(documentOf(...responses));
    expect(objectAt(shared.components, 'headers')).toEqual({ etag: header('usual') });
    expect(resolveRefs(shared, shared.paths)).toEqual(documentOf(...responses).paths);
  });

  it('do not depend on the order of the endpoints', async () => {
    const reversed = openApiDocument([...(await loadEndpoints())].reverse(), publishedPlans('A'));
    for (const kind of ['headers', 'examples', 'parameters', 'responses']) {
      expect(objectAt(reversed.components, kind)).toEqual(objectAt(document.components, kind));
    }
  });
});
