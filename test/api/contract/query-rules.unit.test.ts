import { describe, expect, it } from 'vitest';
import { queryRulesOf } from '../../../src/api/contract/parse-request.ts';
import { checkQueryRules, type QueryRule } from '../../../src/api/contract/query-rules.ts';
import { openApiDocument } from '../../../src/api/description/document.ts';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../../src/write/holders/plans.ts';

const ordered: QueryRule = { kind: 'ordered', least: 'min_age', most: 'max_age' };
const either: QueryRule = { kind: 'exactly_one', fields: ['handle', 'id'] };

/** The places that the refusal of a query names; none if it is not refused. */
const refusedAt = (rule: QueryRule, query: Readonly<Record<string, unknown>>): readonly string[] => {
  try {
    checkQueryRules([rule], query);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ name: 'ServiceError', code: 'invalid_request' });
    return (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
};

describe('rules between query parameters', () => {
  it('refuse and name a lower bound above the upper bound', () => {
    expect(refusedAt(ordered, { min_age: 2, max_age: 1 })).toEqual(['query.min_age']);
  });

  it.each([{}, { min_age: 2 }, { max_age: 1 }, { min_age: 1, max_age: 1 }, { min_age: 0, max_age: 1 }])(
    'accept the bounds %j',
    (query) => expect(refusedAt(ordered, query)).toEqual([]),
  );

  it('refuse a time range that ends before it begins, whatever its offset', () => {
    const times: QueryRule = { kind: 'ordered', least: 'from', most: 'to' };
    const noon = '2026-11-01T12:00:00Z';
    expect(refusedAt(times, { from: '2026-11-01T12:00:01Z', to: noon })).toEqual(['query.from']);
    expect(refusedAt(times, { from: '2026-11-01T12:00:00.5Z', to: noon })).toEqual(['query.from']);
    expect(refusedAt(times, { from: noon, to: noon })).toEqual([]);
    expect(refusedAt(times, { from: noon })).toEqual([]);
  });

  it.each([{}, { handle: 'nasa', id: '1' }])('refuse %j where exactly one of two is expected', (query) =>
    expect(refusedAt(either, query)).toEqual(['query']),
  );

  it.each([{ handle: 'nasa' }, { id: '1' }])('accept %j where exactly one of two is expected', (query) =>
    expect(refusedAt(either, query)).toEqual([]),
  );

  it('are in the OpenAPI document, where the fuzz reads them', async () => {
    const endpoints = await loadEndpoints();
    // biome-ignore lint/suspicious/noExplicitAny: the test says itself what the document holds
    const { paths } = openApiDocument(endpoints, publishedPlans('A')) as any;
    expect(paths['/marketplace/listings'].get['x-query-rules']).toContainEqual({
      kind: 'ordered',
      least: 'min_price_usd',
      most: 'max_price_usd',
    });
    for (const endpoint of endpoints) {
      const rules = paths[endpoint.path][endpoint.method.toLowerCase()]['x-query-rules'];
      expect(rules ?? []).toEqual(queryRulesOf(endpoint));
    }
  });
});
