import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { objectAt } from '../../src/api/contract/json.ts';
import { openApiDocument } from '../../src/api/description/document.ts';
import { plansOf } from '../../src/write/holders/plans.ts';
import { askedItems, frameEndpoints } from '../support/frame-endpoints.ts';
import { testPlan } from '../support/metering.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';

const plans = plansOf('test', [
  testPlan('test', { units: 1_000 }),
  testPlan('large', { units: 1_000_000 }),
  testPlan('small', { units: 137, overage_micro_usd: null }),
  testPlan('by-requests', { units: 1_000, weights: { catalog: 1, live: 10, upstream: 3 } }),
  testPlan('paced', { units: 1_000, live_per_minute: 20, requests_per_minute: 3 }),
]);

let program: TestProgram;
let holders = 0;
let holder: string;
let key: string;

beforeAll(async () => {
  program = await createTestProgram({ plans, endpoints: frameEndpoints });
});
afterAll(() => program.close());

const holderOn = async (plan: string): Promise<void> => {
  holder = `holder-${++holders}`;
  key = await program.issueKey(undefined, { holder, plan });
};

beforeEach(async () => {
  await holderOn('test');
  askedItems.length = 0;
});

const accountOf = async () => {
  const { rows } = await program.database.db.query<{ units: number; live: number; requests: number }>(
    `select budget_units::int as units, live_calls::int as live, requests::int as requests
     from metering.accounts where holder = $1`,
    [holder],
  );
  return rows[0] ?? { units: 0, live: 0, requests: 0 };
};

const reservations = async (): Promise<number> => {
  const { rows } = await program.database.db.query<{ n: number }>(
    'select count(*)::int as n from metering.reservations where holder = $1',
    [holder],
  );
  return rows[0]?.n ?? 0;
};

describe('a request for several items', () => {
  const ask = (items: readonly string[], headers = {}) =>
    program.post('/v2/test/items', { items }, key, headers);

  it('is charged by item, and refunded for items without a result', async () => {
    const { status, headers, body } = await ask(['ok', 'failed', 'ok', 'failed', 'failed']);
    expect(status).toBe(200);
    expect(body.data.items.map((item: { status: string }) => item.status)).toEqual([
      'ok',
      'unknown',
      'ok',
      'unknown',
      'unknown',
    ]);
    expect(headers).toMatchObject({ 'x-request-cost': '20', 'x-quota-used': '20', 'x-live-used': '2' });
    expect(await accountOf()).toEqual({ units: 20, live: 2, requests: 1 });
    expect(await reservations()).toBe(0);
  });

  it('costs nothing if no item has a result', async () => {
    const { status, headers } = await ask(['failed', 'failed']);
    expect([status, headers['x-request-cost']]).toEqual([200, '0']);
    expect(await accountOf()).toEqual({ units: 0, live: 0, requests: 1 });
  });

  it('costs nothing if it fails', async () => {
    const { status, headers, body } = await ask(['ok', 'broken']);
    expect([status, body.error.code, headers['x-request-cost']]).toEqual([502, 'platform_error', '0']);
    expect(await accountOf()).toMatchObject({ units: 0, live: 0 });
    expect(await reservations()).toBe(0);
  });

  it('is charged once if it is repeated with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await ask(['ok', 'failed', 'ok'], headers);
    const second = await ask(['ok', 'failed', 'ok'], headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(first.headers['x-request-cost']).toBe('20');
    expect(askedItems).toHaveLength(3);
    expect(await accountOf()).toMatchObject({ units: 20, live: 2 });
  });

  it('costs the requests to platforms that it may send as well, where the plan prices them', async () => {
    await holderOn('by-requests');
    const { headers } = await ask(['ok', 'failed', 'ok']);
    expect(headers).toMatchObject({ 'x-request-cost': '26', 'x-quota-used': '26', 'x-live-used': '2' });
    expect(await accountOf()).toEqual({ units: 26, live: 2, requests: 1 });
    const { body } = await program.get('/v2/', key);
    const { cost, upstream_reads } = body.data.endpoints.find(
      ({ operation }: { operation: string }) => operation === 'testItems',
    );
    expect([cost, upstream_reads]).toEqual([13, 1]);
  });

  it('does not start if the quota does not cover all items', async () => {
    await holderOn('small');
    expect((await ask(Array.from({ length: 14 }, () => 'ok'))).status).toBe(402);
    expect(askedItems).toEqual([]);
    expect((await ask(Array.from({ length: 13 }, () => 'ok'))).status).toBe(200);
  });

  it('says how many items are allowed if it asks for more than a minute allows', async () => {
    await holderOn('paced');
    const { status, body } = await ask(Array.from({ length: 21 }, () => 'ok'));
    expect([status, body.error.code]).toEqual([429, 'live_rate_limited']);
    expect(body.error.details).toEqual([{ path: 'body', message: 'at most 20 items on this plan' }]);
    expect(askedItems).toEqual([]);
  });

  it('never takes more than the quota, however many arrive at once', async () => {
    await holderOn('small');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => ask(i % 2 === 0 ? ['slow', 'failed', 'ok'] : ['failed', 'slow'])),
    );
    const cost = answers.reduce((sum, { headers }) => sum + Number(headers['x-request-cost']), 0);
    const { units } = await accountOf();
    expect(units).toBe(cost);
    expect(units).toBeLessThanOrEqual(137);
    expect(answers.some(({ status }) => status === 402)).toBe(true);
    expect(await reservations()).toBe(0);
  });
});

describe('a derived figure', () => {
  it('states what it rests on, its method, and its limits', async () => {
    const { body } = await program.get('/v2/test/figure?sampled=20', key);
    expect(body.meta).toMatchObject({
      cache_age_s: 60,
      coverage: { sampled: 20, total: 100, capped: false },
      method_version: '3',
      warnings: ['small_sample'],
    });
  });

  it('is refused for too small a sample with what it has and needs, free of charge', async () => {
    const { status, headers, body } = await program.get('/v2/test/figure?sampled=3', key);
    expect([status, headers['x-request-cost']]).toEqual([422, '0']);
    expect(body.error).toMatchObject({
      code: 'insufficient_data',
      details: [{ path: 'posts', message: 'has 3, needs 8' }],
    });
    expect(await accountOf()).toMatchObject({ units: 0 });
  });
});

describe('a cursor', () => {
  const page = (cursor?: string) =>
    program.get(`/v2/test/upstream${cursor === undefined ? '' : `?cursor=${cursor}`}`, key);

  it('resumes the list and hides what it carries', async () => {
    const first = (await page()).body.meta.next_cursor as string;
    const second = await page(first);
    expect(second.body.data).toEqual([{ page: 2 }]);
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('platform');
  });

  it('is refused if it was changed or belongs to another list', async () => {
    const own = (await page()).body.meta.next_cursor as string;
    const foreign = (await program.get('/v2/test/rows?rows=100&limit=1', key)).body.meta
      .next_cursor as string;
    const changed = `${own.slice(0, -6)}${own.slice(-6) === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA'}`;
    for (const cursor of [changed, foreign, own.slice(0, 20), 'AAAA']) {
      const { status, body } = await page(cursor);
      expect([status, body.error.code], cursor).toEqual([400, 'cursor_invalid']);
    }
    const { body } = await program.get(`/v2/test/rows?rows=100&cursor=${own}`, key);
    expect(body.error.code).toBe('cursor_invalid');
  });
});

describe('a page in another format', () => {
  const NDJSON = 'application/x-ndjson';
  const read = async (query: string, accept = NDJSON, more: Record<string, string> = {}) => {
    const { statusCode, headers, body } = await program.app.inject({
      url: `/v2/test/rows?${query}`,
      headers: { authorization: `Bearer ${key}`, accept, ...more },
    });
    return { status: statusCode, headers, text: body };
  };
  const rowsOf = ({ text }: { readonly text: string }) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  it('has the same rows and cursor as JSON, and the rest of meta in headers', async () => {
    const json = (await program.get('/v2/test/rows?rows=2350&limit=1200', key)).body;
    const page = await read('rows=2350&limit=1200');
    expect(rowsOf(page)).toEqual(json.data);
    expect(page.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'x-cache-age': '5',
      'x-next-cursor': json.meta.next_cursor,
      link: `</v2/test/rows?rows=2350&limit=1200&cursor=${json.meta.next_cursor}>; rel="next"`,
      'x-request-cost': '12',
      'x-plan': 'test',
    });
    expect(page.headers.vary).toContain('Accept');
    const last = await read(`rows=2350&limit=1200&cursor=${json.meta.next_cursor}`);
    expect(rowsOf(last)).toHaveLength(1_150);
    expect([last.headers.link, last.headers['x-next-cursor']]).toEqual([undefined, undefined]);
  });

  it('costs a unit per hundred rows begun, as in JSON', async () => {
    for (const [query, units] of [
      ['rows=0&limit=5000', '1'],
      ['rows=100&limit=5000', '1'],
      ['rows=101&limit=5000', '2'],
      ['rows=9000&limit=25', '1'],
    ] as const) {
      const costs = [await read(query), await read(query, 'text/csv'), await read(query, '*/*')];
      expect(
        costs.map(({ headers }) => headers['x-request-cost']),
        query,
      ).toEqual([units, units, units]);
    }
    expect((await read('rows=1&limit=5001')).status).toBe(400);
    expect(await reservations()).toBe(0);
  });

  it('is CSV that no spreadsheet executes, with a header line on each page', async () => {
    const { text, headers } = await read('rows=7', 'text/csv');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text.split('\r\n')).toEqual([
      'n,name',
      '1,row 1',
      '2,row 2',
      '3,row 3',
      '4,row 4',
      `5,"'=SUM(5,""a"")"`,
      '6,row 6',
      '7,',
      '',
    ]);
  });

  it('must be requested by name: other clients get JSON', async () => {
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      ['application/json, text/csv;q=0.5', 'application/json'],
      ['text/html, application/xml', 'application/json'],
      ['application/json;q=0.2, text/csv;q=0.5', 'text/csv'],
      ['text/csv;q=0.5, application/x-ndjson;q=0.9', 'application/x-ndjson'],
      ['Application/X-NDJSON', 'application/x-ndjson'],
      ['text/csv;q=0', 'application/json'],
      ['text/csv;q=nonsense', 'application/json'],
    ] as const) {
      const { headers } = await read('rows=3', accept);
      expect(headers['content-type'], accept).toContain(type);
    }
  });

  it('is refused before it is read if the quota does not suffice, and fails as free JSON', async () => {
    await holderOn('small');
    const refused = await read('rows=20000&limit=5000');
    expect(refused.status).toBe(200);
    expect((await read('rows=20000&limit=5000')).status).toBe(200);
    const spent = await read('rows=20000&limit=5000');
    expect([spent.status, JSON.parse(spent.text).error.code]).toEqual([402, 'budget_exhausted']);
    expect(await accountOf()).toMatchObject({ units: 100 });
    const broken = await read('rows=5000&breaks_after=0');
    expect([broken.status, JSON.parse(broken.text).error.code]).toEqual([500, 'internal']);
    expect(broken.headers['content-type']).toContain('application/json');
    expect(await accountOf()).toMatchObject({ units: 100 });
    expect(await reservations()).toBe(0);
  });

  it('has an ETag of its own, free while unchanged', async () => {
    const first = await read('rows=150&limit=200');
    const csv = await read('rows=150&limit=200', 'text/csv');
    expect(first.headers.etag).not.toBe(csv.headers.etag);
    const again = await read('rows=150&limit=200', NDJSON, { 'if-none-match': String(first.headers.etag) });
    expect([again.status, again.headers['x-request-cost']]).toEqual([304, '0']);
    const other = await read('rows=150&limit=200', 'text/csv', {
      'if-none-match': String(first.headers.etag),
    });
    expect([other.status, other.headers['x-request-cost']]).toEqual([200, '2']);
  });
});

it('the frame of endpoints is described: media types, meta and errors', async () => {
  const document = openApiDocument(frameEndpoints, plans);
  expect((await new Validator().validate(structuredClone(document))).errors ?? []).toEqual([]);
  const text = (path: string, method: string) =>
    JSON.stringify((document.paths as Record<string, Record<string, unknown>>)[path]?.[method]);
  expect(text('/test/rows', 'get')).toContain('application/x-ndjson');
  expect(text('/test/rows', 'get')).toContain('text/csv');
  expect(text('/test/figure', 'get')).toContain('#/components/schemas/TestFigureAnswer');
  expect(JSON.stringify(objectAt(objectAt(document, 'components'), 'schemas').TestFigureAnswer)).toContain(
    'DerivedMeta',
  );
  expect(text('/test/figure', 'get')).toContain('insufficient_data');
  expect(text('/test/items', 'post')).toContain('by item');
});
