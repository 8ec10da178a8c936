import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/api/server/app.ts';
import { plansOf, publishedPlans } from '../../src/write/holders/plans.ts';
import {
  issued,
  keyIdOf,
  quotaOf,
  registerHolder,
  tellHolder,
  testEndpoint,
  usageOf,
} from '../support/holders.ts';
import { testPlan } from '../support/metering.ts';
import { createTestProgram, sighted, type TestProgram, type TestResponse } from '../support/program.ts';

const START = '2026-11-01T00:00:00.000Z';
const NOW = '2026-11-10T10:00:00.000Z';
const RESET = '2026-12-01T00:00:00Z';

const profile = (handle: string) =>
  `https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=${encodeURIComponent(handle)}`;

let program: TestProgram;
let time = NOW;

const open = async (plans = publishedPlans('A')) => {
  time = NOW;
  program = await createTestProgram({ plans, meteringTime: () => time });
  await program.append('x', 'nasa', sighted('nasa', new Date().toISOString()));
  await program.project();
  const { outside } = program;
  outside.set(profile('here.test'), {
    body: JSON.stringify({ did: 'did:plc:h', handle: 'here.test', followersCount: 1 }),
  });
  outside.set(profile('void.test'), {
    status: 400,
    body: JSON.stringify({ error: 'InvalidRequest', message: 'Profile not found' }),
  });
  outside.set(profile('limited.test'), { status: 429, headers: { 'retry-after': '30' } });
  outside.set(profile('broken.test'), { status: 200, body: '<html>' });
  outside.set(profile('down.test'), { status: 502, body: 'Bad gateway' });
};

const live = (handle: string, key: string, query = '') =>
  program.get(`/v2/accounts/bluesky/${handle}/live${query}`, key);

const catalog = (key: string) => program.get('/v2/directory/x/nasa', key);

const codeOf = ({ status, body }: TestResponse) => [status, body.error?.code];

describe('every response to a valid key', () => {
  beforeAll(() => open());
  afterAll(() => program.close());

  it('states the holder’s usage, to the unit, whatever it answers', async () => {
    const key = await registerHolder(program, 'acme', 'growth', START);
    const [narrow, narrowed] = issued(START, ['accounts:read']);
    await tellHolder(program, 'acme', narrowed);
    const injected = async (method: 'DELETE' | 'HEAD' | 'OPTIONS', url: string): Promise<TestResponse> => {
      const { statusCode, headers, body } = await program.app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${key}` },
      });
      return { status: statusCode, headers, body: body === '' ? null : JSON.parse(body) };
    };
    const { etag } = (await catalog(key)).headers as { etag: string };
    const { find } = program.services.entries;
    const broken = async () => {
      program.services.entries.find = () => Promise.reject(new Error('a secret of the inside'));
      const response = await catalog(key);
      program.services.entries.find = find;
      return response;
    };

    const get = (path: string, headers?: Record<string, string>) => program.get(path, key, headers);
    const post = (body: string, headers?: Record<string, string>, path = '/v2/accounts/check') =>
      program.post(path, body, key, headers);
    const ok = JSON.stringify({ accounts: [{ platform: 'x', handle: 'nasa' }] });
    type Case = readonly [
      what: string,
      send: () => Promise<TestResponse>,
      status: number,
      code: string | undefined,
      cost?: number,
      minuteLive?: number,
    ];
    const cases: readonly Case[] = [
      ['a free read', () => get('/v2/accounts/x/nasa'), 200, undefined],
      ['the root', () => get('/v2/'), 200, undefined],
      ['the root without a slash', () => get('/v2'), 200, undefined],
      ['a batch', () => post(ok), 200, undefined],
      ['a catalog read', () => get('/v2/directory/x/nasa'), 200, undefined, 1],
      ['a catalog list', () => get('/v2/directory'), 200, undefined, 1],
      [
        'what the caller has',
        () => get('/v2/directory/x/nasa', { 'if-none-match': etag }),
        304,
        undefined,
        0,
      ],
      ['only the headers', () => injected('HEAD', '/v2/directory/x/nasa'), 200, undefined, 1],
      ['a bad parameter', () => get('/v2/directory?limit=0'), 400, 'invalid_request'],
      ['a bad cursor', () => get('/v2/directory?cursor=x'), 400, 'cursor_invalid'],
      ['a bad handle of a live read', () => get('/v2/accounts/x/a%20b/live'), 400, 'invalid_request'],
      ['a bad JSON body', () => post('{'), 400, 'invalid_request'],
      ['an empty body', () => post(''), 400, 'invalid_request'],
      ['a poisoned body', () => post('{"__proto__": 1}'), 400, 'invalid_request'],
      ['a bad URL encoding', () => get('/v2/directory/x/%E0%A4%A'), 400, 'invalid_request'],
      [
        'a parameter of 1,025 characters',
        () => get(`/v2/accounts/x/${'a'.repeat(1_025)}`),
        400,
        'invalid_request',
      ],
      ['a missing scope', () => program.get('/v2/directory', narrow), 403, 'scope_missing'],
      ['a miss in the catalog', () => get('/v2/directory/x/nobody'), 404, 'not_found'],
      ['an unknown route', () => get('/v2/nothing'), 404, 'route_not_found'],
      ['a body to an unknown route', () => post('{}', {}, '/v2/nothing'), 404, 'route_not_found'],
      ['a bad body to an unknown route', () => post('{', {}, '/v2/nothing'), 404, 'route_not_found'],
      [
        'a form to an unknown route',
        () => post('a=b', { 'content-type': 'text/plain' }, '/v2/nothing'),
        404,
        'route_not_found',
      ],
      ['a wrong method', () => injected('DELETE', '/v2/directory'), 405, 'method_not_allowed'],
      ['a question for options', () => injected('OPTIONS', '/v2/directory'), 405, 'method_not_allowed'],
      ['the headers of a POST', () => injected('HEAD', '/v2/accounts/check'), 405, undefined],
      ['a body too large', () => post(JSON.stringify('x'.repeat(300_000))), 413, 'body_too_large'],
      [
        'a wrong media type',
        () => post('a', { 'content-type': 'text/plain' }),
        415,
        'media_type_unsupported',
      ],
      ['a fault of our own', broken, 500, 'internal'],
      ['a live read', () => live('here.test', key), 200, undefined, 5, 1],
      ['a live read that proves absence', () => live('void.test', key), 200, undefined, 5, 1],
      ['a live read that times out', () => live('slow.test', key), 504, 'platform_timeout', 0, 1],
      ['a live read that is limited', () => live('limited.test', key), 503, 'platform_rate_limited', 0, 1],
      ['a live read of nonsense', () => live('broken.test', key), 502, 'platform_layout_changed', 0, 1],
      ['a live read of an error', () => live('down.test', key), 502, 'platform_error', 0, 1],
      [
        'a live read that the catalog answers',
        () => program.get('/v2/accounts/x/nasa/live?max_age_s=3600', key),
        200,
        undefined,
      ],
    ];
    let requests = 1;
    let used = 1;
    let calls = 0;
    let minute = 0;
    for (const [what, send, status, code, cost = 0, minuteLive = 0] of cases) {
      const response = await send();
      expect([what, ...codeOf({ ...response, body: response.body ?? {} })]).toEqual([what, status, code]);
      requests += 1;
      used += cost;
      calls += cost === 5 ? 1 : 0;
      minute += minuteLive;
      expect([what, quotaOf(response)]).toEqual([
        what,
        {
          'ratelimit-policy': '"burst";q=600;w=60, "live";q=60;w=60',
          ratelimit: `"burst";r=${600 - requests};t=60, "live";r=${60 - minute};t=60`,
          'x-plan': 'growth',
          'x-request-cost': String(cost),
          'x-quota-limit': '150000',
          'x-quota-used': String(used),
          'x-quota-remaining': String(150_000 - used),
          'x-quota-reset': RESET,
          'x-live-used': String(calls),
          'x-overage': 'off',
          'x-overage-used': '0',
        },
      ]);
      expect(response.headers['x-request-id'], what).toMatch(/^req_[0-9a-f]{32}$/);
      expect(response.headers['cache-control'], what).toBe('private, no-cache');
      expect(response.headers['retry-after'], what).toBe(status === 503 ? '30' : undefined);
    }
    expect(await usageOf(program, 'acme')).toEqual({
      requests,
      refused: 0,
      budget_units: used,
      overage_units: 0,
      overage_micro_usd: 0,
      live_calls: calls,
    });
    const { rows } = await program.database.db.query(
      `select operation, sum(budget_units)::int as units, sum(live_calls)::int as live from metering.ledger
       where holder = 'acme' group by 1 having sum(budget_units) > 0 order by 1`,
    );
    expect(rows).toEqual([
      { operation: 'checkAccountLive', units: 10, live: 2 },
      { operation: 'getDirectoryEntry', units: 3, live: 0 },
      { operation: 'listDirectory', units: 1, live: 0 },
    ]);
    expect((await program.database.db.query('select from metering.reservations')).rowCount).toBe(0);
  });

  it('costs the plan’s weight, and counts down to the next minute', async () => {
    const key = await registerHolder(program, 'beta', 'starter', START);
    const first = await live('here.test', key);
    expect(quotaOf(first)).toMatchObject({
      'ratelimit-policy': '"burst";q=120;w=60, "live";q=20;w=60',
      'x-request-cost': '10',
      'x-quota-used': '10',
      'x-live-used': '1',
    });
    time = '2026-11-10T10:00:19.000Z';
    const later = await catalog(key);
    expect(quotaOf(later)).toMatchObject({
      ratelimit: '"burst";r=118;t=41, "live";r=19;t=41',
      'x-request-cost': '1',
      'x-quota-used': '11',
    });
    time = NOW;
  });

  it('costs nothing if the answer cannot be written', async () => {
    const key = await registerHolder(program, 'eta', 'growth', START);
    const handler = async () => ({ data: { n: 1n }, source: 'catalog', readAtMs: null }) as const;
    const app = await createApp(program.services, [
      testEndpoint({ operation: 'testRead', path: '/tools/read', meter: 'catalog', handler }),
      testEndpoint({ operation: 'testLive', path: '/tools/live', meter: 'live', upstreamReads: 1, handler }),
    ]);
    for (const url of ['/v2/tools/read', '/v2/tools/live']) {
      const response = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
      expect([response.statusCode, response.json().error.code]).toEqual([500, 'internal']);
      expect(quotaOf(response)).toMatchObject({
        'x-request-cost': '0',
        'x-quota-used': '0',
        'x-live-used': '0',
      });
    }
    expect(await usageOf(program, 'eta')).toMatchObject({ requests: 2, budget_units: 0, live_calls: 0 });
    await app.close();
  });

  it('states the holder’s usage for each of its keys', async () => {
    const key = await registerHolder(program, 'gamma', 'growth', START);
    const [second, event] = issued(START);
    await tellHolder(program, 'gamma', event);
    await catalog(key);
    expect(quotaOf(await catalog(second))).toMatchObject({ 'x-quota-used': '2' });
    const { rows } = await program.database.db.query(
      `select key_id, budget_units::int as units from metering.ledger where holder = 'gamma' order by 1`,
    );
    expect(rows).toEqual([keyIdOf(key), keyIdOf(second)].sort().map((key_id) => ({ key_id, units: 1 })));
  });

  it('has its own numbers among hundreds of simultaneous requests', async () => {
    const key = await registerHolder(program, 'delta', 'growth', START);
    const responses = await Promise.all(Array.from({ length: 400 }, () => catalog(key)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    const numbers = (pick: (headers: Record<string, string>) => unknown) =>
      responses.map((response) => Number(pick(quotaOf(response)))).sort((a, b) => a - b);
    const upTo = (from: number) => Array.from({ length: 400 }, (_, i) => from + i);
    expect(numbers((headers) => headers['x-quota-used'])).toEqual(upTo(1));
    expect(numbers((headers) => headers['x-quota-remaining'])).toEqual(upTo(150_000 - 400));
    expect(numbers((headers) => /"burst";r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])).toEqual(upTo(200));
    expect(await usageOf(program, 'delta')).toMatchObject({ requests: 400, budget_units: 400 });
  });

  it('has them among simultaneous reads, live calls, misses and refusals too', async () => {
    const key = await registerHolder(program, 'epsilon', 'growth', START);
    const kinds = [
      () => catalog(key),
      () => live('here.test', key),
      () => program.get('/v2/directory/x/nobody', key),
      () => program.get('/v2/directory?limit=0', key),
      () => live('down.test', key),
    ];
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (kinds[i % 5] as () => never)()),
    );
    const bursts = (responses as TestResponse[]).map((response) =>
      Number(/"burst";r=(\d+)/.exec(quotaOf(response).ratelimit ?? '')?.[1]),
    );
    expect(bursts.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => 500 + i));
    expect(await usageOf(program, 'epsilon')).toMatchObject({
      requests: 100,
      budget_units: 20 * 1 + 20 * 5,
      live_calls: 20,
    });
    expect(quotaOf(await program.get('/v2', key))).toMatchObject({
      'x-quota-used': '120',
      'x-live-used': '20',
    });
  });

  it('reveals nothing without a key, or with an invalid or revoked one', async () => {
    const key = await registerHolder(program, 'zeta', 'growth', START);
    await tellHolder(program, 'zeta', { type: 'KeyRevoked', data: { at: START, key_id: keyIdOf(key) } });
    const cases: readonly [() => Promise<TestResponse>, number, string | undefined][] = [
      [() => program.get('/v2/directory'), 401, 'key_missing'],
      [() => program.get('/v2/nothing'), 404, 'route_not_found'],
      [() => program.get('/v2/directory', 'slk_wrong'), 401, 'key_invalid'],
      [() => program.get('/v2/nothing', 'slk_wrong'), 401, 'key_invalid'],
      [() => program.get('/v2/directory/x/%E0%A4%A', 'slk_wrong'), 401, 'key_invalid'],
      [() => program.post('/v2/accounts/check', '{', 'slk_wrong'), 401, 'key_invalid'],
      [() => catalog(key), 401, 'key_revoked'],
      [() => program.get('/v2/nothing', key), 401, 'key_revoked'],
    ];
    for (const [send, status, code] of cases) {
      const response = await send();
      expect(codeOf(response)).toEqual([status, code]);
      expect(quotaOf(response)).toEqual({});
    }
    expect(await usageOf(program, 'zeta')).toMatchObject({ requests: 0, budget_units: 0 });
  });
});

describe('a holder at its limits', () => {
  const small = { units: 12, live_per_minute: 1_000, requests_per_minute: 1_000 };
  beforeEach(() =>
    open(
      plansOf('test', [
        testPlan('small', { ...small, overage_micro_usd: null }),
        testPlan('paid', { ...small, overage_micro_usd: 3_500 }),
        testPlan('slow', { requests_per_minute: 3, live_per_minute: 1 }),
      ]),
    ),
  );
  afterEach(() => program.close());

  it('gets 402 when the quota is exhausted, at no cost', async () => {
    const key = await registerHolder(program, 'acme', 'small', START);
    for (let i = 0; i < 3; i++) await catalog(key);
    const refused = await live('here.test', key);
    expect(codeOf(refused)).toEqual([402, 'budget_exhausted']);
    expect(quotaOf(refused)).toEqual({
      'ratelimit-policy': '"burst";q=1000;w=60, "live";q=1000;w=60',
      ratelimit: '"burst";r=996;t=60, "live";r=1000;t=60',
      'x-plan': 'small',
      'x-request-cost': '0',
      'x-quota-limit': '12',
      'x-quota-used': '3',
      'x-quota-remaining': '9',
      'x-quota-reset': RESET,
      'x-live-used': '0',
      'x-overage': 'off',
      'x-overage-used': '0',
    });
    expect(program.asked).toEqual([]);
    for (let i = 0; i < 9; i++) expect((await catalog(key)).status).toBe(200);
    const spent = await catalog(key);
    expect(codeOf(spent)).toEqual([402, 'budget_exhausted']);
    expect(spent.body.data).toBeUndefined();
    expect(quotaOf(spent)).toMatchObject({ 'x-quota-used': '12', 'x-quota-remaining': '0' });
    // What is free stays free.
    expect((await program.get('/v2/accounts/x/nasa', key)).status).toBe(200);
    expect(await usageOf(program, 'acme')).toMatchObject({ requests: 13, refused: 2, budget_units: 12 });
  });

  it('shows overage charges and refunds, and when cap or wallet end them', async () => {
    const key = await registerHolder(program, 'acme', 'paid', START);
    await tellHolder(
      program,
      'acme',
      { type: 'OverageSet', data: { at: START, on: true, cap_micro_usd: '45500' } },
      { type: 'WalletCredited', data: { at: START, amount_micro_usd: '25000000', reference: null } },
    );
    for (let i = 0; i < 5; i++) await catalog(key);
    const whole = { 'x-overage': 'on', 'x-overage-used': '0', 'x-wallet-balance': '25.00' };
    expect(quotaOf(await program.get('/v2', key))).toMatchObject(whole);
    // Seven of the budget, three past it: given back, since the platform answered nonsense.
    const failed = await live('down.test', key);
    expect(quotaOf(failed)).toMatchObject({ ...whole, 'x-quota-used': '5', 'x-request-cost': '0' });
    const answered = await live('here.test', key);
    expect(quotaOf(answered)).toMatchObject({
      'x-request-cost': '10',
      'x-quota-used': '12',
      'x-quota-remaining': '0',
      'x-overage': 'on',
      'x-overage-used': '3',
      'x-wallet-balance': '24.9895',
    });
    const miss = await program.get('/v2/directory/x/nobody', key);
    expect(quotaOf(miss)).toMatchObject({ 'x-overage-used': '3', 'x-wallet-balance': '24.9895' });
    // Ten more are the last that the cap of 13 units covers.
    const last = await live('here.test', key);
    expect(quotaOf(last)).toMatchObject({
      'x-overage': 'capped',
      'x-overage-used': '13',
      'x-wallet-balance': '24.9545',
    });
    const capped = await catalog(key);
    expect(codeOf(capped)).toEqual([402, 'overage_cap_reached']);
    expect(quotaOf(capped)).toMatchObject({
      'x-request-cost': '0',
      'x-overage': 'capped',
      'x-wallet-balance': '24.9545',
    });
    expect(await usageOf(program, 'acme')).toMatchObject({
      budget_units: 12,
      overage_units: 13,
      overage_micro_usd: 45_500,
      live_calls: 2,
    });
  });

  it('is refused when the wallet is empty', async () => {
    const key = await registerHolder(program, 'acme', 'paid', START);
    await tellHolder(
      program,
      'acme',
      { type: 'OverageSet', data: { at: START, on: true, cap_micro_usd: null } },
      { type: 'WalletCredited', data: { at: START, amount_micro_usd: '5000', reference: null } },
    );
    for (let i = 0; i < 13; i++) expect((await catalog(key)).status).toBe(200);
    const empty = await catalog(key);
    expect(codeOf(empty)).toEqual([402, 'wallet_empty']);
    expect(quotaOf(empty)).toMatchObject({
      'x-request-cost': '0',
      'x-overage': 'on',
      'x-overage-used': '1',
      'x-wallet-balance': '0.0015',
    });
  });

  it('is rejected beyond the rate limits, with the time of the reset', async () => {
    const key = await registerHolder(program, 'acme', 'slow', START);
    expect((await live('here.test', key)).status).toBe(200);
    time = '2026-11-10T10:00:19.000Z';
    const slow = await live('here.test', key);
    expect([...codeOf(slow), slow.headers['retry-after']]).toEqual([429, 'live_rate_limited', '41']);
    expect(quotaOf(slow)).toMatchObject({
      ratelimit: '"burst";r=1;t=41, "live";r=0;t=41',
      'x-request-cost': '0',
      'x-quota-used': '10',
    });
    expect((await catalog(key)).status).toBe(200);
    for (const path of [
      '/v2/directory/x/nasa',
      '/v2/accounts/x/nasa',
      '/v2/directory?limit=0',
      '/v2/nothing',
    ]) {
      const limited = await program.get(path, key);
      expect([path, ...codeOf(limited)]).toEqual([path, 429, 'rate_limited']);
      expect(limited.headers['retry-after']).toBe('41');
      expect(quotaOf(limited)).toMatchObject({
        ratelimit: '"burst";r=0;t=41, "live";r=0;t=41',
        'x-request-cost': '0',
        'x-quota-used': '11',
      });
    }
    time = '2026-11-10T10:01:00.000Z';
    expect(quotaOf(await catalog(key)).ratelimit).toBe('"burst";r=2;t=60, "live";r=1;t=60');
  });
});
