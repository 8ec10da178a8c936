import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { createApp } from '../../src/api/server/app.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool, type Db } from '../../src/kernel/postgres/pool.ts';
import { createAdmission } from '../../src/write/metering/admission.ts';
import { createCharges } from '../../src/write/metering/charges.ts';
import { METERING_SETTINGS } from '../../src/write/metering/entitlements.ts';
import { createIdempotencyStore } from '../../src/write/metering/idempotency.ts';
import { releaseExpired } from '../../src/write/metering/maintenance.ts';
import { quotaOf, registerHolder, testEndpoint, usageOf } from '../support/holders.ts';
import { createTestProgram, sighted, type TestProgram, type TestResponse } from '../support/program.ts';
import { openProxy, type TestProxy } from '../support/proxy.ts';
import { until } from '../support/wait.ts';

const START = '2026-11-01T00:00:00.000Z';

let program: TestProgram;
let key: string;
let app: FastifyInstance;
let pool: Db;
let proxy: TestProxy;
let holding: PoolClient | undefined;
/** Live calls that wait for what the platform says. */
let runs: ((answer: Answer<unknown> | Error) => void)[];

/** The API, whose metering reaches its Postgres at another address. @param timeoutMs how long it waits for that. */
const openAt = async (url: string, timeoutMs = 500) => {
  pool = createPool(url, {
    max: 3,
    logger: silentLogger,
    name: 'metering',
    timeoutMs,
    settings: METERING_SETTINGS,
  });
  const { builds, plans } = program.services;
  const services = {
    ...program.services,
    admission: createAdmission(pool, () => builds.schema('holders'), plans),
    charges: createCharges(pool, silentLogger),
    answers: createIdempotencyStore(pool, silentLogger),
  };
  const slow = testEndpoint({
    operation: 'testSlow',
    path: '/tools/slow',
    method: 'POST',
    meter: 'live',
    upstreamReads: 1,
    handler: () =>
      new Promise<Answer<unknown>>((resolve, reject) => {
        runs.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  });
  app = await createApp(services, [...(await loadEndpoints()), slow]);
};

beforeEach(async () => {
  runs = [];
  holding = undefined;
  program = await createTestProgram();
  await program.append('x', 'nasa', sighted('nasa', new Date().toISOString()));
  await program.project();
  key = await registerHolder(program, 'acme', 'enterprise', START);
  proxy = await openProxy(program.database.url);
});

afterEach(async () => {
  holding?.release(true);
  await app.close();
  await proxy.close();
  await pool.end();
  await program.close();
});

const call = async (
  method: 'GET' | 'POST',
  url: string,
  { body, once }: { body?: unknown; once?: string } = {},
): Promise<TestResponse> => {
  const response = await app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${key}`,
      ...(once === undefined ? {} : { 'idempotency-key': once }),
    },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
};

const BATCH = { accounts: [{ platform: 'x', handle: 'nasa' }] };

/** Requests of every kind. */
const everything = () => [
  call('GET', '/v2/'),
  call('GET', '/v2/accounts/x/nasa'),
  call('GET', '/v2/directory/x/nasa'),
  call('GET', '/v2/directory'),
  call('GET', '/v2/directory/x/nobody'),
  call('GET', '/v2/directory?limit=0'),
  call('GET', '/v2/nothing'),
  call('GET', '/v2/directory/x/%E0%A4%A'),
  call('POST', '/v2/accounts/check', { body: BATCH }),
  call('POST', '/v2/accounts/check', { body: BATCH, once: 'once' }),
  call('GET', '/v2/accounts/x/nasa/live?max_age_s=86400'),
  call('GET', '/v2/accounts/bluesky/slow.test/live'),
];

const expectAway = (response: TestResponse): void => {
  expect([response.status, response.body.error?.code]).toEqual([503, 'service_unavailable']);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  expect(response.body.data).toBeUndefined();
  expect(Object.keys(response.body)).toEqual(['error']);
  // Nothing of the inside is told.
  expect(response.body.error.message).not.toMatch(/ECONN|connect|Postgres|SQL|127\.0\.0\.1|timeout/i);
};

/** Another process has the holder in hand, until it commits. */
const holdHolder = async (): Promise<PoolClient> => {
  holding = await program.database.db.connect();
  await holding.query('begin');
  await holding.query(`select metering.lock_holder('acme')`);
  return holding;
};

const works = async () => (await call('GET', '/v2/directory/x/nasa')).status === 200;
const charged = async () => {
  const { budget_units, live_calls } = await usageOf(program, 'acme');
  return [budget_units, live_calls];
};

describe('while the metering’s Postgres is unavailable', () => {
  it('all requests are rejected if nothing listens', async () => {
    await proxy.close();
    await openAt(proxy.url);
    for (const response of await Promise.all(everything())) {
      expectAway(response);
      // The key is known, and with it the plan.
      expect(quotaOf(response)).toEqual({
        'ratelimit-policy': '"burst";q=6000;w=60, "live";q=600;w=60',
        'x-plan': 'enterprise',
        'x-request-cost': '0',
        'x-quota-limit': '5000000',
      });
    }
    // No platform is read that nobody could be charged for.
    expect(program.asked).toEqual([]);
    expect(await charged()).toEqual([0, 0]);
  });

  it('all requests are refused while it is frozen, and served again afterwards', async () => {
    await openAt(proxy.url);
    await until('it works', works);
    proxy.freeze();
    const refused = await Promise.all(everything());
    for (const response of refused) expectAway(response);
    expect(program.asked).toEqual([]);
    proxy.thaw();
    await until('it works again', works);
    const statuses = async () => (await Promise.all(everything())).map(({ status }) => status);
    await expect
      .poll(statuses, { timeout: 300_000 })
      .toEqual([200, 200, 200, 200, 404, 400, 404, 400, 200, 200, 200, 504]);
  });

  it('requests are refused whose connection breaks during their admission', async () => {
    await openAt(proxy.url, 300_000);
    await until('it works', works);
    const before = await charged();
    const other = await holdHolder();
    const waiting = Array.from({ length: 20 }, () => call('GET', '/v2/directory/x/nasa'));
    await until('they wait for the holder', async () => {
      const { rowCount } = await other.query(
        `select from pg_stat_activity where application_name = 'sightline metering' and wait_event_type = 'Lock'
           and datname = current_database()`,
      );
      return rowCount === 1;
    });
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'sightline metering' and datname = current_database()`,
    );
    for (const response of await Promise.all(waiting)) expectAway(response);
    await other.query('commit');
    expect(await charged()).toEqual(before);
    await until('it works again', works);
  });

  it('requests are refused that wait for another process too long', async () => {
    await openAt(program.database.url);
    await until('it works', works);
    const other = await holdHolder();
    for (let i = 0; i < 3; i++) expectAway(await call('GET', '/v2/directory/x/nasa'));
    await other.query('commit');
    await until('it works', works);
  });

  it('requests are refused whose statement the database cancels', async () => {
    await openAt(program.database.url, 300_000);
    await until('it works', works);
    const other = await holdHolder();
    const waiting = call('GET', '/v2/directory/x/nasa');
    await until('it waits for the holder', async () => {
      const { rows } = await other.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'sightline metering'
           and wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length === 1;
    });
    await other.query('commit');
    expectAway(await waiting);
    await until('it works', works);
  });

  it.each([
    ['finds something', { data: {}, source: 'live', readAtMs: 0 } as const],
    ['finds nothing out', new Error('the platform fell silent')],
  ])('a live call that %s gets no response, and is refunded later', async (_what, found) => {
    await openAt(proxy.url);
    await until('it works', works);
    const before = await charged();
    for (const once of [undefined, 'once']) {
      const sent = call('POST', '/v2/tools/slow', once === undefined ? {} : { once });
      const answer = await until('it has begun', () => runs.pop());
      expect(await charged()).toEqual([(before[0] as number) + 5, 1]);
      proxy.freeze();
      answer(found);
      expectAway(await sent);
      proxy.thaw();
      await until('it works again', async () => (await call('GET', '/v2/')).status === 200);
      const { db } = program.database;
      expect(await releaseExpired(db, new Date(Date.now() + 3_600_000).toISOString())).toBe(1);
      expect(await charged()).toEqual(before);
    }
  });
});
