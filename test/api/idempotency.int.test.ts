import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../../src/api/contract/endpoint.ts';
import checkAccounts from '../../src/api/endpoints/accounts/checkAccounts.ts';
import { createApp } from '../../src/api/server/app.ts';
import { ServiceError } from '../../src/kernel/errors.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import {
  createIdempotencyStore,
  IDEMPOTENCY_BOUNDS,
  type IdempotencyBounds,
} from '../../src/write/metering/idempotency.ts';
import { releaseExpired } from '../../src/write/metering/maintenance.ts';
import { quotaOf, registerHolder, testEndpoint, usageOf } from '../support/holders.ts';
import { createTestProgram, sighted, type TestProgram, type TestResponse } from '../support/program.ts';
import { until } from '../support/wait.ts';

const START = '2026-11-01T00:00:00.000Z';
const NASA = { accounts: [{ platform: 'x', handle: 'nasa' }] };
const REPLAYED = 'idempotency-replayed';

let program: TestProgram;
let key: string;
/** The API, with a check of accounts that is paid for besides the one that is free. */
let app: FastifyInstance;
/** How often the catalog was asked for an account. */
let looked: number;

beforeEach(async () => {
  program = await createTestProgram();
  await program.append('x', 'nasa', sighted('nasa', new Date().toISOString()));
  await program.project();
  key = await registerHolder(program, 'acme', 'enterprise', START);
  looked = 0;
  const { find } = program.services.accounts;
  program.services.accounts.find = (account) => {
    looked += 1;
    return find(account);
  };
  const paid = { ...checkAccounts, operation: 'testCheck', path: '/tools/check', meter: 'catalog' } as const;
  app = await createApp(program.services, [checkAccounts, paid]);
});

afterEach(async () => {
  await app.close();
  await program.close();
});

const send = async (
  path: string,
  once: string | undefined,
  body: unknown,
  by: string,
): Promise<TestResponse & { readonly text: string }> => {
  const { statusCode, headers, ...response } = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      authorization: `Bearer ${by}`,
      'content-type': 'application/json',
      ...(once === undefined ? {} : { 'idempotency-key': once }),
    },
    payload: JSON.stringify(body),
  });
  return { status: statusCode, headers, body: response.json(), text: response.body };
};
const check = (once: string | undefined, body: unknown = NASA, by = key, path = '/v2/tools/check') =>
  send(path, once, body, by);

const stateOf = ({ status, body, headers }: TestResponse) => [status, body.error?.code, headers[REPLAYED]];
const answers = async () =>
  (await program.database.db.query('select * from metering.idempotent_responses')).rows;
const sql = (text: string) => program.database.db.query(text);

describe('a POST request with an Idempotency-Key', () => {
  it('is carried out once when it is sent a thousand times at once', {
    tags: 'long',
  }, async () => {
    // Behind another one's claim, so that many of them are claimed together.
    const [, ...sent] = await Promise.all([
      check('before'),
      ...Array.from({ length: 1_000 }, () => check('once')),
    ]);
    expect(looked).toBe(2);
    const first = sent.filter(({ status, headers }) => status === 200 && headers[REPLAYED] === undefined);
    expect(first).toHaveLength(1);
    for (const response of sent) {
      if (response === first[0]) continue;
      if (response.status === 200) {
        expect([response.headers[REPLAYED], response.body]).toEqual(['true', first[0]?.body]);
      } else expect(stateOf(response)).toEqual([409, 'idempotency_in_flight', undefined]);
    }
    const later = await check('once');
    expect([...stateOf(later), later.body]).toEqual([200, undefined, 'true', first[0]?.body]);
    expect(later.headers['x-request-id']).not.toBe(first[0]?.headers['x-request-id']);
    expect(looked).toBe(2);
    expect((await answers()).map((row) => row.key).sort()).toEqual(['before', 'once']);
    // Every one of them was a request, and two were carried out.
    expect(await usageOf(program, 'acme')).toMatchObject({ requests: 1_002, budget_units: 2 });
    expect(quotaOf(later)).toMatchObject({ 'x-request-cost': '0', 'x-quota-used': '2' });
  });

  it('is another request with another body, address or holder', async () => {
    const other = await registerHolder(program, 'other', 'enterprise', START);
    const first = await check('mine');
    expect(first.status).toBe(200);
    const mismatch = [422, 'idempotency_mismatch', undefined];
    const bens = { accounts: [{ platform: 'x', handle: 'ben' }] };
    expect(stateOf(await check('mine', bens))).toEqual(mismatch);
    expect(stateOf(await check('mine', { accounts: [...NASA.accounts, ...NASA.accounts] }))).toEqual(
      mismatch,
    );
    expect(quotaOf(await check('mine', bens))).toMatchObject({ 'x-request-cost': '0' });
    expect(stateOf(await check('mine', NASA, other))).toEqual([200, undefined, undefined]);
    expect(stateOf(await check('mine', bens, other))).toEqual(mismatch);
    expect(stateOf(await check('yours', bens))).toEqual([200, undefined, undefined]);
    expect(stateOf(await check('mine'))).toEqual([200, undefined, 'true']);
    expect(looked).toBe(3);
  });

  it('is executed for one of two concurrent bodies and rejected for the other', async () => {
    const bens = { accounts: [{ platform: 'x', handle: 'ben' }] };
    const sent = await Promise.all([check('two'), check('two', bens), check('two', bens)]);
    expect(sent.map(stateOf)).toEqual([
      [200, undefined, undefined],
      [422, 'idempotency_mismatch', undefined],
      [422, 'idempotency_mismatch', undefined],
    ]);
    expect(looked).toBe(1);
  });

  it('gets its answer again while others send another body', async () => {
    const bens = { accounts: [{ platform: 'x', handle: 'ben' }] };
    await check('two');
    const others = [check('two', bens), check('two', bens), check('two', bens)];
    expect(stateOf(await check('two'))).toEqual([200, undefined, 'true']);
    await Promise.all(others);
  });

  it('takes a key of 1 to 255 characters', async () => {
    for (const bad of ['', 'k'.repeat(256)]) {
      const refused = await check(bad);
      expect(stateOf(refused)).toEqual([400, 'invalid_request', undefined]);
      expect(refused.body.error.details[0].path).toBe('headers.idempotency-key');
      expect(quotaOf(refused)).toMatchObject({ 'x-request-cost': '0' });
    }
    expect(looked).toBe(0);
    const long = 'k'.repeat(255);
    expect(stateOf(await check(long))).toEqual([200, undefined, undefined]);
    expect(stateOf(await check(long))).toEqual([200, undefined, 'true']);
    expect(stateOf(await check('Ünlíké " \'; -- \\x00'))).toEqual([200, undefined, undefined]);
  });

  it('leaves the key free if it fails', async () => {
    const { find } = program.services.accounts;
    program.services.accounts.find = () => Promise.reject(new Error('broken'));
    expect(stateOf(await check('again'))).toEqual([500, 'internal', undefined]);
    program.services.accounts.find = find;
    expect(stateOf(await check('again', { accounts: [] }))).toEqual([400, 'invalid_request', undefined]);
    expect(stateOf(await check('again', { accounts: [{ platform: 'nowhere', handle: 'a' }] }))).toEqual([
      400,
      'invalid_request',
      undefined,
    ]);
    expect(await answers()).toEqual([]);
    expect(stateOf(await check('again'))).toEqual([200, undefined, undefined]);
    expect(stateOf(await check('again'))).toEqual([200, undefined, 'true']);
  });

  it('is answered again byte for byte, with its first ages', async () => {
    const first = await check('aging');
    await sql(`update metering.idempotent_responses set created_at = created_at - interval '20 hours'`);
    const again = await check('aging');
    expect([stateOf(again), again.text]).toEqual([[200, undefined, 'true'], first.text]);
  });

  it('is executed again after 24 hours', async () => {
    await check('daily');
    await sql(
      `update metering.idempotent_responses set created_at = created_at - interval '23 hours 59 minutes'`,
    );
    expect(stateOf(await check('daily'))).toEqual([200, undefined, 'true']);
    await sql(`update metering.idempotent_responses set created_at = created_at - interval '2 minutes'`);
    const bens = { accounts: [{ platform: 'x', handle: 'ben' }] };
    expect(stateOf(await check('daily', bens))).toEqual([200, undefined, undefined]);
    expect(stateOf(await check('daily', bens))).toEqual([200, undefined, 'true']);
    expect(looked).toBe(2);
  });

  it('takes over the claim of a dead process once it has expired', async () => {
    await check('left');
    await sql(
      `update metering.idempotent_responses set body = null, expires_at = clock_timestamp() + interval '1 minute'`,
    );
    expect(stateOf(await check('left'))).toEqual([409, 'idempotency_in_flight', undefined]);
    await sql(
      `update metering.idempotent_responses set expires_at = clock_timestamp() - interval '1 second'`,
    );
    const sent = await Promise.all(Array.from({ length: 20 }, () => check('left')));
    expect(sent.filter(({ status, headers }) => status === 200 && !headers[REPLAYED])).toHaveLength(1);
    expect(looked).toBe(2);
  });

  it('holds its key for seconds while in flight, and renews it', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const { find } = program.services.accounts;
    program.services.accounts.find = async (account) => {
      await mayAnswer;
      return find(account);
    };
    const sent = check('leased');
    const leaseOf = async () =>
      (
        await sql(
          `select extract(epoch from expires_at - created_at)::float8 as s, expires_at::text as until
           from metering.idempotent_responses where key = 'leased'`,
        )
      ).rows[0] as { s: number; until: string } | undefined;
    const first = await until('the key is claimed', leaseOf);
    // So long after the end of its process the key is free.
    expect(first.s).toBeLessThan(15);
    await until('the lease is renewed', async () => (await leaseOf())?.until !== first.until);
    expect(stateOf(await check('leased'))).toEqual([409, 'idempotency_in_flight', undefined]);
    answer();
    expect(stateOf(await sent)).toEqual([200, undefined, undefined]);
    expect(stateOf(await check('leased'))).toEqual([200, undefined, 'true']);
  });

  it('counts towards the request rate limit like any other', async () => {
    const free = await registerHolder(program, 'small', 'free', START);
    const sent: unknown[] = [];
    for (let i = 0; i < 31; i++) sent.push(stateOf(await check('fast', NASA, free)));
    expect(sent[0]).toEqual([200, undefined, undefined]);
    expect(sent.slice(1, 30)).toEqual(Array(29).fill([200, undefined, 'true']));
    expect(sent[30]).toEqual([429, 'rate_limited', undefined]);
  });

  it('is not honoured for other methods', async () => {
    const get = (header: Record<string, string>) => program.get('/v2/accounts/x/nasa', key, header);
    for (const once of ['get', 'get', 'k'.repeat(300)]) {
      expect(stateOf(await get({ 'idempotency-key': once }))).toEqual([200, undefined, undefined]);
    }
    expect(looked).toBe(3);
    expect(await answers()).toEqual([]);
    await check(undefined);
    expect(await answers()).toEqual([]);
  });
});

describe('a free request with an Idempotency-Key', () => {
  const free = (once: string, body: unknown = NASA, by = key) => send('/v2/accounts/check', once, body, by);

  it('is carried out again, and its answer is not stored', async () => {
    for (let i = 1; i <= 3; i++) {
      expect(stateOf(await free('same'))).toEqual([200, undefined, undefined]);
      expect(looked).toBe(i);
    }
    expect(await answers()).toMatchObject([{ key: 'same', body: null, again: true }]);
    expect((await usageOf(program, 'acme')).budget_units).toBe(0);
  });

  it('is another request with another body, and is rejected while the first is in flight', async () => {
    await free('same');
    const bens = { accounts: [{ platform: 'x', handle: 'ben' }] };
    expect(stateOf(await free('same', bens))).toEqual([422, 'idempotency_mismatch', undefined]);
    const sent = await Promise.all([free('two'), free('two')]);
    expect(sent.map(stateOf)).toEqual([
      [200, undefined, undefined],
      [409, 'idempotency_in_flight', undefined],
    ]);
  });
});

describe('the responses stored for a holder', () => {
  const bounded = async (bounds: Partial<IdempotencyBounds>) => {
    await app.close();
    const services = {
      ...program.services,
      answers: createIdempotencyStore(program.database.db, silentLogger, {
        ...IDEMPOTENCY_BOUNDS,
        ...bounds,
      }),
    };
    const paid = {
      ...checkAccounts,
      operation: 'testCheck',
      path: '/tools/check',
      meter: 'catalog',
    } as const;
    app = await createApp(services, [checkAccounts, paid]);
  };
  const refused = [429, 'rate_limited', undefined];

  it('are limited in number, beyond which new ones are refused uncharged and old ones replayed', async () => {
    await bounded({ answers: 2 });
    const other = await registerHolder(program, 'other', 'enterprise', START);
    for (const once of ['a', 'b']) expect(stateOf(await check(once))).toEqual([200, undefined, undefined]);
    const full = await check('c');
    expect(stateOf(full)).toEqual(refused);
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(86_000);
    expect(quotaOf(full)).toMatchObject({ 'x-request-cost': '0', 'x-quota-used': '2' });
    expect(stateOf(await check('a'))).toEqual([200, undefined, 'true']);
    expect(stateOf(await check(undefined))).toEqual([200, undefined, undefined]);
    expect(stateOf(await check('c', NASA, other))).toEqual([200, undefined, undefined]);
    // Another process finds them there.
    await bounded({ answers: 2 });
    expect(stateOf(await check('d'))).toEqual(refused);
  });

  it('are limited in bytes', async () => {
    await bounded({ bytes: 1_000 });
    const codes: unknown[] = [];
    for (let i = 0; i < 5; i++) codes.push((await check(`n${i}`)).status);
    expect(codes.at(-1)).toBe(429);
    const { rows } = await sql(
      'select sum(octet_length(body))::int as bytes from metering.idempotent_responses',
    );
    expect(rows[0].bytes).toBeLessThan(2_000);
  });

  it('are limited in free requests, beyond which their keys are ignored', async () => {
    await bounded({ fingerprints: 2 });
    for (const once of ['a', 'b', 'c', 'd', 'd']) {
      expect(stateOf(await send('/v2/accounts/check', once, NASA, key))).toEqual([200, undefined, undefined]);
    }
    expect((await answers()).map((row) => row.key).sort()).toEqual(['a', 'b']);
    expect(stateOf(await check('e'))).toEqual([200, undefined, undefined]);
  });
});

describe('a live call by POST', () => {
  interface Run {
    readonly answer: (data?: unknown) => void;
    readonly fail: (error: Error) => void;
  }
  let live: FastifyInstance;
  let runs: Run[];

  beforeEach(async () => {
    runs = [];
    const slow = testEndpoint({
      operation: 'testSlow',
      path: '/tools/slow',
      method: 'POST',
      meter: 'live',
      upstreamReads: 1,
      body: z.strictObject({ n: z.int() }),
      handler: () =>
        new Promise<Answer<unknown>>((resolve, reject) => {
          runs.push({
            answer: (data = {}) => resolve({ data, source: 'live', readAtMs: Date.now() }),
            fail: reject,
          });
        }),
      fromCatalog: async ({ body }) =>
        (body as { n: number }).n === 0 ? { data: { worth: 0 }, source: 'catalog', readAtMs: 0 } : null,
    });
    live = await createApp(program.services, [slow]);
  });
  afterEach(() => live.close());

  const call = async (once?: string, n = 1): Promise<TestResponse> => {
    const { statusCode, headers, body } = await live.inject({
      method: 'POST',
      url: '/v2/tools/slow',
      headers: {
        authorization: `Bearer ${key}`,
        ...(once === undefined ? {} : { 'idempotency-key': once }),
      },
      payload: { n },
    });
    return { status: statusCode, headers, body: JSON.parse(body) };
  };
  const begun = (n: number): Promise<Run> => until(`run ${n} has begun`, () => runs[n - 1]);
  const charged = async () => {
    const { budget_units, live_calls } = await usageOf(program, 'acme');
    return [budget_units, live_calls];
  };
  const reservations = async () => (await sql('select from metering.reservations')).rowCount;

  it('is carried out and charged once, however often it is sent', async () => {
    let answered = 0;
    const sent = Array.from({ length: 1_000 }, () =>
      call('once').finally(() => {
        answered += 1;
      }),
    );
    const first = await begun(1);
    // One that arrives after the answer has it too.
    await until('all others are answered', () => answered === 999);
    const late = Array.from({ length: 10 }, () => call('once'));
    expect(await Promise.all((await Promise.all(late)).map((r) => stateOf(r)))).toEqual(
      Array(10).fill([409, 'idempotency_in_flight', undefined]),
    );
    first.answer({ worth: 5 });
    const all = await Promise.all(sent);
    const [served, ...others] = all.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(999);
    expect(quotaOf(served as TestResponse)).toMatchObject({
      'x-request-cost': '5',
      'x-quota-used': '5',
      'x-live-used': '1',
    });
    const again = await Promise.all(Array.from({ length: 100 }, () => call('once')));
    for (const replay of again) {
      expect([...stateOf(replay), replay.body]).toEqual([200, undefined, 'true', served?.body]);
      expect(quotaOf(replay)).toMatchObject({
        'x-request-cost': '0',
        'x-quota-used': '5',
        'x-live-used': '1',
      });
    }
    expect(runs).toHaveLength(1);
    expect(await charged()).toEqual([5, 1]);
    expect(await reservations()).toBe(0);
  });

  it('is refunded if it fails, and executed again with the same key', async () => {
    const failing = call('again');
    (await begun(1)).fail(new ServiceError('platform_error', 'Nonsense.'));
    const failed = await failing;
    expect(stateOf(failed)).toEqual([502, 'platform_error', undefined]);
    expect(quotaOf(failed)).toMatchObject({
      'x-request-cost': '0',
      'x-quota-used': '0',
      'x-live-used': '0',
    });
    expect(await charged()).toEqual([0, 0]);
    const next = call('again');
    (await begun(2)).answer();
    expect(stateOf(await next)).toEqual([200, undefined, undefined]);
    expect(await charged()).toEqual([5, 1]);
  });

  it('is stored when the catalog answers it, and charged nothing', async () => {
    const first = await call('free', 0);
    expect(first.body.data).toEqual({ worth: 0 });
    expect(runs).toEqual([]);
    expect(quotaOf(first)).toMatchObject({
      'x-request-cost': '0',
      'x-quota-used': '0',
      'x-live-used': '0',
    });
    const again = await call('free', 0);
    expect([...stateOf(again), again.body]).toEqual([200, undefined, 'true', first.body]);
    expect(await charged()).toEqual([0, 0]);
    expect(await reservations()).toBe(0);
  });

  it('is carried out and charged each time without a key', async () => {
    const sent = [call(), call()];
    for (const n of [1, 2]) (await begun(n)).answer();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await charged()).toEqual([10, 2]);
  });

  it.each([['with', 'late'] as const, ['without', undefined] as const])(
    'gets no response if its charge was refunded first, %s an Idempotency-Key',
    async (_with, once) => {
      const sent = call(once);
      const first = await begun(1);
      expect(await charged()).toEqual([5, 1]);
      await sql(`update metering.reservations set expires_at = clock_timestamp() - interval '1 second'`);
      expect(await releaseExpired(program.database.db)).toBe(1);
      first.answer({ worth: 5 });
      const late = await sent;
      expect([...stateOf(late), late.headers['retry-after']]).toEqual([
        503,
        'service_unavailable',
        undefined,
        '1',
      ]);
      expect(late.body.data).toBeUndefined();
      expect(quotaOf(late)).toMatchObject({
        'x-request-cost': '0',
        'x-quota-used': '0',
        'x-live-used': '0',
      });
      expect(await charged()).toEqual([0, 0]);
      expect(await answers()).toEqual([]);
      const next = call(once);
      (await begun(2)).answer();
      expect(stateOf(await next)).toEqual([200, undefined, undefined]);
      expect(await charged()).toEqual([5, 1]);
    },
  );

  it('is no longer answered once another request took over its claim', async () => {
    const sent = call('taken');
    const first = await begun(1);
    await sql(
      `update metering.idempotent_responses set expires_at = clock_timestamp() - interval '1 second'`,
    );
    const taker = call('taken');
    const second = await begun(2);
    first.answer({ by: 'first' });
    const late = await sent;
    expect([...stateOf(late), late.headers['retry-after']]).toEqual([
      503,
      'service_unavailable',
      undefined,
      '1',
    ]);
    // It must not have put an end to the other's claim either.
    expect(stateOf(await call('taken'))).toEqual([409, 'idempotency_in_flight', undefined]);
    second.answer({ by: 'second' });
    const served = await taker;
    expect([served.status, served.body.data]).toEqual([200, { by: 'second' }]);
    expect((await call('taken')).body).toEqual(served.body);
    // What the first was charged goes back when its reservation ends.
    await sql(`update metering.reservations set expires_at = clock_timestamp() - interval '1 second'`);
    expect(await releaseExpired(program.database.db)).toBe(1);
    expect(await charged()).toEqual([5, 1]);
  });

  it('leaves the key free if it is refused', async () => {
    await program.get('/v2', key);
    await sql(
      `update metering.accounts set live_requests = 600, live_started_at = clock_timestamp() where holder = 'acme'`,
    );
    expect(stateOf(await call('soon'))).toEqual([429, 'live_rate_limited', undefined]);
    expect(await answers()).toEqual([]);
    await sql(`update metering.accounts set live_requests = 0 where holder = 'acme'`);
    const next = call('soon');
    (await begun(1)).answer();
    expect(stateOf(await next)).toEqual([200, undefined, undefined]);
    expect(await charged()).toEqual([5, 1]);
  });
});
