import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { createApp } from '../../src/api/server/app.ts';
import { createListQueue, createLists } from '../../src/read/lists.ts';
import { openReadPool, type ReadPool } from '../../src/read/read-pool.ts';
import { plansOf } from '../../src/write/holders/plans.ts';
import { quotaOf, registerHolder, tellHolder, usageOf } from '../support/holders.ts';
import { testPlan } from '../support/metering.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

const START = '2026-11-01T00:00:00.000Z';
const LIST = '/v2/directory/x?status=active&sort=handle';

let program: TestProgram;
let app: FastifyInstance;
let pool: ReadPool;
/** Lists that were begun, by holder. */
let begun: string[];
/** Most of one holder's lists that were under way at once. */
let mostAtOnce: number;
/** Time of statements that a holder may use in a minute. */
let maxMs: number;
/** What still counts as quick. */
let quickMs: number;
let holding: PoolClient | undefined;

beforeEach(async () => {
  begun = [];
  mostAtOnce = 0;
  maxMs = 4_000;
  quickMs = 50;
  const underWay = new Map<string, number>();
  holding = undefined;
  program = await createTestProgram({
    plans: plansOf('test', [
      testPlan('free', { requests_per_minute: 5, units: 1_000 }),
      testPlan('tiny', { units: 2, overage_micro_usd: null }),
      testPlan('large'),
    ]),
  });
  for (const platform of ['x', 'telegram'] as const) {
    for (const name of ['anna', 'aaron', 'alfred']) {
      await program.append(platform, name, sighted(name, new Date().toISOString()));
    }
  }
  await program.project();
  pool = await openReadPool(program.database.url, 4);
  const lane = createListQueue({
    slots: 4,
    slotsOfOne: 2,
    maxWaiting: 50,
    maxWaitingPerHolder: 20,
    waitMs: 20_000,
    get quickMs() {
      return quickMs;
    },
    get maxMs() {
      return maxMs;
    },
  });
  const lists = createLists(pool, {
    run: (user, statement) =>
      lane.run(user, () => {
        const { holder } = user;
        begun.push(holder);
        const now = (underWay.get(holder) ?? 0) + 1;
        mostAtOnce = Math.max(mostAtOnce, now);
        underWay.set(holder, now);
        return statement().finally(() => underWay.set(holder, (underWay.get(holder) ?? 0) - 1));
      }),
  });
  app = await createApp({ ...program.services, queuedReads: lists }, await loadEndpoints());
});

afterEach(async () => {
  await holding?.query('rollback');
  holding?.release();
  await app.close();
  await pool.end();
  await program.close();
});

const get = async (url: string, key: string) => {
  const response = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
};
const codeOf = ({ status, body }: Awaited<ReturnType<typeof get>>) => [status, body.error?.code];

/** Makes every list of X stand still, as one does that looks through a million rows. */
const block = async (): Promise<void> => {
  holding = await program.database.db.connect();
  await holding.query('begin');
  await holding.query(`lock table ${program.builds.schema('directory')}.entries_x in access exclusive mode`);
};

describe('a refused list', () => {
  it('does no work, and is refused from memory until a spent minute ends', async () => {
    const key = await registerHolder(program, 'acme', 'free', START);
    const responses = await Promise.all(Array.from({ length: 60 }, () => get(LIST, key)));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(55).fill(429),
    ]);
    expect(begun).toHaveLength(5);
    let asked = 0;
    const { admit } = program.services.admission;
    program.services.admission.admit = (ask) => {
      asked += 1;
      return admit(ask);
    };
    const later = await get(LIST, key);
    expect(codeOf(later)).toEqual([429, 'rate_limited']);
    expect(Number(later.headers['retry-after'])).toBeGreaterThan(50);
    expect(quotaOf(later)).toMatchObject({
      ratelimit: expect.stringContaining('"burst";r=0;'),
      'x-request-cost': '0',
      'x-quota-used': '5',
    });
    expect(codeOf(await get('/v2/directory?limit=0', key))).toEqual([429, 'rate_limited']);
    expect([asked, begun.length]).toEqual([0, 5]);
    // All of them are on record.
    await until('they are', async () => (await usageOf(program, 'acme')).refused === 57);
    expect(await usageOf(program, 'acme')).toMatchObject({ requests: 5, budget_units: 5 });
  });

  it('is admitted again as soon as the entitlements allow it', async () => {
    const key = await registerHolder(program, 'acme', 'free', START);
    for (let i = 0; i < 5; i++) expect((await get(LIST, key)).status).toBe(200);
    expect((await get(LIST, key)).status).toBe(429);
    await tellHolder(program, 'acme', {
      type: 'PlanChosen',
      data: { at: new Date().toISOString(), plan: 'large' },
    });
    expect((await get(LIST, key)).status).toBe(200);
  });

  it('does not start if the quota does not cover it, and is admitted when the wallet does', async () => {
    const key = await registerHolder(program, 'acme', 'tiny', START);
    const responses = await Promise.all(Array.from({ length: 20 }, () => get(LIST, key)));
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(18);
    expect(begun).toHaveLength(2);
    expect(codeOf(await get(LIST, key))).toEqual([402, 'budget_exhausted']);
    expect(begun).toHaveLength(2);
    expect((await get('/v2/accounts/x/anna', key)).status).toBe(200);
    await tellHolder(program, 'acme', {
      type: 'PlanChosen',
      data: { at: new Date().toISOString(), plan: 'large' },
    });
    expect((await get(LIST, key)).status).toBe(200);
  });
});

describe('lists that make no progress', () => {
  it('delay neither other holders’ lists nor anybody’s look-ups', async () => {
    // However long a busy machine takes for all of it.
    maxMs = 300_000;
    quickMs = 60_000;
    const attacker = await registerHolder(program, 'attacker', 'large', START);
    const neighbour = await registerHolder(program, 'neighbour', 'large', START);
    await block();
    const stuck = Array.from({ length: 20 }, () => get(LIST, attacker));
    await until('one stands', () => begun.length === 1);
    for (let i = 0; i < 10; i++) {
      expect((await get('/v2/directory/telegram?q=a', neighbour)).status).toBe(200);
      expect((await get('/v2/directory/telegram/alfred', attacker)).status).toBe(200);
    }
    await holding?.query('rollback');
    await Promise.all(stuck);
    expect(begun.filter((holder) => holder === 'attacker')).toHaveLength(20);
    expect(mostAtOnce).toBe(2);
  });

  it('are stopped free of charge, but their time counts against their holder', async () => {
    const attacker = await registerHolder(program, 'attacker', 'large', START);
    const neighbour = await registerHolder(program, 'neighbour', 'large', START);
    await block();
    const responses = await Promise.all(Array.from({ length: 20 }, () => get(LIST, attacker)));
    const stopped = responses.filter(({ status }) => status === 503);
    // 4 s are its share here: four or five statements of a second.
    expect(stopped.length).toBe(begun.length);
    expect(begun.length).toBeLessThanOrEqual(5);
    for (const response of stopped) {
      expect(codeOf(response)).toEqual([503, 'service_unavailable']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    const limited = await get(LIST, attacker);
    expect(codeOf(limited)).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(30);
    expect(quotaOf(limited)).toMatchObject({ 'x-request-cost': '0', 'x-quota-used': '0' });
    expect((await usageOf(program, 'attacker')).budget_units).toBe(0);
    expect((await get('/v2/directory/telegram', neighbour)).status).toBe(200);
    // What is no list is not limited by it.
    expect((await get('/v2/directory/telegram/alfred', attacker)).status).toBe(200);
    const { rows } = await program.database.db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toEqual([]);
  });

  it('are refused with 503 where too many already wait', async () => {
    const attacker = await registerHolder(program, 'attacker', 'large', START);
    await block();
    const stuck = Array.from({ length: 30 }, () => get(LIST, attacker));
    const full = await Promise.race(stuck);
    expect(codeOf(full)).toEqual([503, 'service_unavailable']);
    expect(full.headers['retry-after']).toBe('1');
    await holding?.query('rollback');
    const statuses = (await Promise.all(stuck)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503)).toHaveLength(9);
    expect((await usageOf(program, 'attacker')).budget_units).toBe(21);
  });
});
