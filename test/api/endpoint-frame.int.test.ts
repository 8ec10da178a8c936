import { connect } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { objectAt } from '../../src/api/contract/json.ts';
import { openApiDocument } from '../../src/api/description/document.ts';
import { plansOf } from '../../src/write/holders/plans.ts';
import { askedItems, frameEndpoints } from '../support/frame-endpoints.ts';
import { tellHolder } from '../support/holders.ts';
import { testPlan } from '../support/metering.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { readStream, type Streamed } from '../support/stream.ts';
import { until } from '../support/wait.ts';

const plans = plansOf('test', [
  testPlan('test', { units: 1_000 }),
  testPlan('large', { units: 1_000_000 }),
  testPlan('small', { units: 137, overage_micro_usd: null }),
  testPlan('paced', { units: 1_000, live_per_minute: 20, requests_per_minute: 3 }),
]);

let program: TestProgram;
let url: string;
let holders = 0;
let holder: string;
let key: string;

beforeAll(async () => {
  program = await createTestProgram({ plans, endpoints: frameEndpoints });
  url = await program.app.listen({ host: '127.0.0.1', port: 0 });
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

describe('a request for items', () => {
  const ask = (items: readonly string[], headers = {}) =>
    program.post('/v2/test/items', { items }, key, headers);

  it('is charged by item, and refunded for the items without a result', async () => {
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

  it('is not begun if the quota does not cover all of its items', async () => {
    await holderOn('small');
    expect((await ask(Array.from({ length: 14 }, () => 'ok'))).status).toBe(402);
    expect(askedItems).toEqual([]);
    expect((await ask(Array.from({ length: 13 }, () => 'ok'))).status).toBe(200);
  });

  it('a request for more items than a minute allows says how many are allowed', async () => {
    await holderOn('paced');
    const { status, body } = await ask(Array.from({ length: 21 }, () => 'ok'));
    expect([status, body.error.code]).toEqual([429, 'live_rate_limited']);
    expect(body.error.details).toEqual([{ path: 'body', message: 'at most 20 items on this plan' }]);
    expect(askedItems).toEqual([]);
  });

  it('many requests for items at once never take more than the quota', async () => {
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
  it('says what it rests on, by which method, and what limits its use', async () => {
    const { body } = await program.get('/v2/test/figure?sampled=20', key);
    expect(body.meta).toMatchObject({
      cache_age_s: 60,
      coverage: { sampled: 20, total: 100, capped: false },
      method_version: '3',
      warnings: ['small_sample'],
    });
  });

  it('a derived figure of too small a sample is an error that says what it has and needs, free of charge', async () => {
    const { status, headers, body } = await program.get('/v2/test/figure?sampled=3', key);
    expect([status, headers['x-request-cost']]).toEqual([422, '0']);
    expect(body.error).toMatchObject({
      code: 'insufficient_data',
      details: [{ path: 'posts', message: 'has 3, needs 8' }],
    });
    expect(await accountOf()).toMatchObject({ units: 0 });
  });
});

describe('a sealed cursor', () => {
  const page = (cursor?: string) =>
    program.get(`/v2/test/upstream${cursor === undefined ? '' : `?cursor=${cursor}`}`, key);

  it('resumes the list and does not show what it carries', async () => {
    const first = (await page()).body.meta.next_cursor as string;
    const second = await page(first);
    expect(second.body.data).toEqual([{ page: 2 }]);
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('platform');
    // The same position is sealed differently each time.
    expect((await page()).body.meta.next_cursor).not.toBe(first);
  });

  it('is refused if it was changed, signed only, or made for another list', async () => {
    const sealed = (await page()).body.meta.next_cursor as string;
    const signed = (await program.get('/v2/test/rows?rows=100&limit=1', key)).body.meta.next_cursor as string;
    const changed = `${sealed.slice(0, -6)}${sealed.slice(-6) === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA'}`;
    for (const cursor of [changed, signed, sealed.slice(0, 20), 'AAAA']) {
      const { status, body } = await page(cursor);
      expect([status, body.error.code], cursor).toEqual([400, 'cursor_invalid']);
    }
    const { body } = await program.get(`/v2/test/rows?rows=100&cursor=${sealed}`, key);
    expect(body.error.code).toBe('cursor_invalid');
  });
});

describe('a streamed list', () => {
  const NDJSON = 'application/x-ndjson';
  const read = (query: string, accept = NDJSON, stop?: (text: string) => boolean) =>
    readStream(`${url}/v2/test/rows?${query}`, key, accept, stop);
  const linesOf = ({ text }: Streamed) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const trailerOf = (streamed: Streamed) => linesOf(streamed).at(-1);
  const numbersOf = (streamed: Streamed): number[] =>
    linesOf(streamed)
      .slice(0, -1)
      .map(({ n }) => n);
  const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  it('has every row once, costs a unit per hundred, and says so at its end', async () => {
    const streamed = await read('rows=2350');
    expect(streamed.status).toBe(200);
    expect(streamed.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      trailer: 'X-Request-Cost',
      'x-request-cost': '1',
      'x-quota-used': '1',
      'x-plan': 'test',
    });
    expect(streamed.headers['x-request-id']).toMatch(/^req_/);
    expect(numbersOf(streamed)).toEqual(count(1, 2_350));
    expect(trailerOf(streamed)).toEqual({
      meta: {
        request_id: streamed.headers['x-request-id'],
        generated_at: expect.any(String),
        source: 'catalog',
        cache_age_s: 5,
        rows: 2_350,
        cost: 24,
        next_cursor: null,
      },
    });
    expect(streamed.trailers).toEqual({ 'x-request-cost': '24' });
    expect(await accountOf()).toEqual({ units: 24, live: 0, requests: 1 });
    expect(await reservations()).toBe(0);
  });

  it('a streamed list of few rows costs what they cost, and an empty one nothing', async () => {
    const few = await read('rows=101');
    expect([few.headers['x-request-cost'], few.trailers['x-request-cost']]).toEqual(['1', '2']);
    const none = await read('rows=0');
    expect([none.headers['x-request-cost'], none.headers['x-quota-used']]).toEqual(['0', '2']);
    expect(trailerOf(none).meta).toMatchObject({ rows: 0, cost: 0 });
    expect(await accountOf()).toEqual({ units: 2, live: 0, requests: 2 });
  });

  it('is CSV that no spreadsheet executes', async () => {
    const { text, headers } = await read('rows=7', 'text/csv');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = text.split('\r\n');
    expect(lines.slice(0, 8)).toEqual([
      'n,name',
      '1,row 1',
      '2,row 2',
      '3,row 3',
      '4,row 4',
      `5,"'=SUM(5,""a"")"`,
      '6,row 6',
      '7,',
    ]);
    expect(JSON.parse((lines[8] as string).slice(2)).meta).toMatchObject({ rows: 7, cost: 1 });
  });

  it('is asked for by name: other clients get a page of JSON', async () => {
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

  it('ends where the quota ends, and is resumed without a gap or a double', async () => {
    await holderOn('small');
    const first = await read('rows=20000');
    expect(numbersOf(first)).toEqual(count(1, 13_700));
    const { error, meta } = trailerOf(first);
    expect(error).toMatchObject({ code: 'budget_exhausted', request_id: meta.request_id });
    expect(meta).toMatchObject({ rows: 13_700, cost: 137 });
    expect(await accountOf()).toMatchObject({ units: 137 });

    const refused = await read(`rows=20000&cursor=${meta.next_cursor}`);
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([402, 'budget_exhausted']);
    const at = new Date().toISOString();
    await tellHolder(program, holder, { type: 'PlanChosen', data: { at, plan: 'large' } });
    const rest = await read(`rows=20000&cursor=${meta.next_cursor}`);
    expect(numbersOf(rest)).toEqual(count(13_701, 20_000));
    expect(trailerOf(rest).meta).toMatchObject({ cost: 63, next_cursor: null });
  });

  it('a streamed list that breaks says so in its last line, without a word of the cause, and charges what was sent', async () => {
    const streamed = await read('rows=5000&breaks_after=2100');
    expect(numbersOf(streamed)).toEqual(count(1, 2_100));
    expect(trailerOf(streamed).error).toMatchObject({ code: 'internal', message: 'Internal error.' });
    expect(streamed.text).not.toContain('secret');
    expect(streamed.trailers['x-request-cost']).toBe('21');
    expect(await accountOf()).toMatchObject({ units: 21 });
    expect(await reservations()).toBe(0);
    const rest = await read(`rows=5000&breaks_after=2100&cursor=${trailerOf(streamed).meta.next_cursor}`);
    expect([rest.status, JSON.parse(rest.text).error.code]).toEqual([500, 'internal']);
    expect(await accountOf()).toMatchObject({ units: 21 });
  });

  it('costs a unit for each chunk that is not the last, whatever it found: scanning is not free', async () => {
    const streamed = await read('rows=3100&sparse=true');
    expect(trailerOf(streamed).meta).toMatchObject({ rows: 0, cost: 3, next_cursor: null });
  });

  it('is served to HTTP/1.0, which has no trailers, and as a page to HEAD', async () => {
    const ask = (head: string) =>
      new Promise<string>((resolve, reject) => {
        const { port, hostname } = new URL(url);
        const socket = connect({ port: Number(port), host: hostname }, () => socket.write(head));
        let text = '';
        socket.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        socket.on('close', () => resolve(text)).on('error', reject);
      });
    const headers = `host: x\r\nauthorization: Bearer ${key}\r\naccept: ${NDJSON}\r\nconnection: close\r\n\r\n`;
    const old = await ask(`GET /v2/test/rows?rows=250 HTTP/1.0\r\n${headers}`);
    expect(old).toContain('{"n":250,');
    expect(old.toLowerCase()).not.toContain('\r\ntrailer:');
    expect(JSON.parse(old.trimEnd().split('\n').at(-1) as string).meta).toMatchObject({ cost: 3 });
    const head = await ask(`HEAD /v2/test/rows?rows=250 HTTP/1.1\r\n${headers}`);
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(head).toContain('application/json');
    expect(await reservations()).toBe(0);
  });

  it('is no burst of requests: its chunks count as one', async () => {
    await holderOn('paced');
    expect(trailerOf(await read('rows=50000')).meta).toMatchObject({ cost: 500, rows: 50_000 });
    expect(await accountOf()).toMatchObject({ requests: 1 });
  });

  it('a streamed list whose reader has left charges no more than a chunk beyond what was received', async () => {
    await holderOn('large');
    const streamed = await read('rows=5000000', NDJSON, (text) => text.length > 200_000);
    expect(streamed.complete).toBe(false);
    const received = Number(/"n":(\d+),[^\n]*\n[^\n]*$/.exec(streamed.text)?.[1]);
    await until('nothing is reserved any more', async () => (await reservations()) === 0);
    const { units } = await accountOf();
    expect(units * 100).toBeGreaterThan(received - 1_000);
    // What the sockets of both sides hold was sent, and is not received.
    expect(units * 100).toBeLessThan(received + 300_000);
  });
});

it('the frame of endpoints is described: media types, meta and errors of each', async () => {
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
