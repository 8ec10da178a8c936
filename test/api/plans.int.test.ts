import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { createApp } from '../../src/api/server/app.ts';
import { plansOf, publishedPlans, SCOPES } from '../../src/write/holders/plans.ts';
import { issued, keyIdOf, quotaOf, registerHolder, tellHolder, testEndpoint } from '../support/holders.ts';
import { testPlan } from '../support/metering.ts';
import { createTestProgram, sighted, type TestProgram, type TestResponse } from '../support/program.ts';

interface Capability {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
  readonly meter: string;
  readonly cost: number;
  readonly plan: string | null;
  readonly allowed: boolean;
  readonly reason: string | null;
}

const START = '2026-11-01T00:00:00.000Z';

let program: TestProgram;

const open = async (plans = publishedPlans('A'), meteringTime: () => string | null = () => null) => {
  program = await createTestProgram({ plans, meteringTime });
  await program.append('x', 'nasa', sighted('nasa', new Date().toISOString()));
  await program.project();
};

const outcome = ({ status, body }: TestResponse) => [status, body.error?.code, body.error?.details];
const catalog = (key: string) => program.get('/v2/directory/x/nasa', key);
/** A live read that the catalog answers. */
const live = (key: string) => program.get('/v2/accounts/x/nasa/live?max_age_s=86400', key);
const capabilities = async (key: string): Promise<Capability[]> =>
  (await program.get('/v2/', key)).body.data.endpoints;
const capability = async (key: string, operation: string) =>
  (await capabilities(key)).find((each) => each.operation === operation);

const needsPlan = (plan: string) => [403, 'plan_required', [{ path: 'plan', message: plan }]];
const needsScope = (scope: string) => [403, 'scope_missing', [{ path: 'scope', message: scope }]];
/** Another plan alone would not help: the answer says both. */
const needsBoth = (plan: string, scope: string) => [
  403,
  'plan_required',
  [
    { path: 'plan', message: plan },
    { path: 'scope', message: scope },
  ],
];

describe('what a plan includes', () => {
  beforeAll(() => open());
  afterAll(() => program.close());

  it('is distinct from what a key may do', async () => {
    const key = await registerHolder(program, 'acme', 'free', START);
    const [narrow, event] = issued(START, ['directory:read']);
    await tellHolder(program, 'acme', event);
    expect(outcome(await live(key))).toEqual(needsPlan('starter'));
    expect(outcome(await live(narrow))).toEqual(needsBoth('starter', 'accounts:live'));
    expect(outcome(await program.get('/v2/accounts/x/nasa', narrow))).toEqual(needsScope('accounts:read'));
    expect((await catalog(narrow)).status).toBe(200);
    expect(quotaOf(await live(key))).toMatchObject({ 'x-plan': 'free', 'x-live-used': '0' });
  });

  it('changes for existing keys when the plan changes, down and up again', async () => {
    const key = await registerHolder(program, 'beta', 'enterprise', START);
    expect((await live(key)).status).toBe(200);
    await catalog(key);
    const at = new Date().toISOString();
    await tellHolder(program, 'beta', { type: 'PlanChosen', data: { at, plan: 'free' } });
    const refused = await live(key);
    expect(outcome(refused)).toEqual(needsPlan('starter'));
    expect(quotaOf(refused)).toMatchObject({
      'x-plan': 'free',
      'x-quota-limit': '500',
      'x-quota-used': '0',
      'ratelimit-policy': '"burst";q=30;w=60, "live";q=5;w=60',
    });
    expect(await capability(key, 'checkAccountLive')).toMatchObject({
      allowed: false,
      reason: 'plan_required',
    });
    const later = new Date(Date.now() + 1).toISOString();
    await tellHolder(program, 'beta', { type: 'PlanChosen', data: { at: later, plan: 'growth' } });
    const served = await live(key);
    expect(served.status).toBe(200);
    expect(quotaOf(served)).toMatchObject({ 'x-plan': 'growth' });
  });

  it('is the lowest plan’s for a holder without a chosen plan', async () => {
    const key = await registerHolder(program, 'gamma', null, START);
    expect(quotaOf(await catalog(key))).toMatchObject({ 'x-plan': 'free', 'x-quota-limit': '500' });
    expect(outcome(await live(key))).toEqual(needsPlan('starter'));
    expect((await program.get('/v2/', key)).body.data.plan).toBe('free');
  });

  it('covers leads only for keys that were given the scope by name', async () => {
    const leads = testEndpoint({ operation: 'testLeads', path: '/leads/test', scope: 'leads:read' });
    const app = await createApp(program.services, [...(await loadEndpoints()), leads]);
    const call = async (key: string) => {
      const { statusCode, body } = await app.inject({
        url: '/v2/leads/test',
        headers: { authorization: `Bearer ${key}` },
      });
      return outcome({ status: statusCode, headers: {}, body: JSON.parse(body) });
    };
    const usual = await registerHolder(program, 'delta', 'scale', START);
    const [named, event] = issued(START, [...SCOPES]);
    await tellHolder(program, 'delta', event);
    expect(await call(usual)).toEqual(needsScope('leads:read'));
    expect((await call(named))[0]).toBe(200);
    await tellHolder(program, 'delta', {
      type: 'PlanChosen',
      data: { at: new Date().toISOString(), plan: 'growth' },
    });
    expect(await call(named)).toEqual(needsPlan('scale'));
    expect(await call(usual)).toEqual(needsBoth('scale', 'leads:read'));
    await app.close();
  });

  it('changes with the scopes granted to a key', async () => {
    const key = await registerHolder(program, 'epsilon', 'starter', START);
    await tellHolder(program, 'epsilon', {
      type: 'ScopesGranted',
      data: { at: START, key_id: keyIdOf(key), scopes: ['accounts:live'] },
    });
    expect(outcome(await catalog(key))).toEqual(needsScope('directory:read'));
    expect((await live(key)).status).toBe(200);
    expect((await program.get('/v2', key)).body.data.scopes).toEqual(['accounts:live']);
  });
});

describe('GET /v2/', () => {
  // Each request in a minute of its own, so that no burst is in the way.
  let minutes = 0;
  beforeAll(() =>
    open(publishedPlans('A'), () => new Date(Date.parse(START) + 60_000 * minutes++).toISOString()),
  );
  afterAll(() => program.close());

  it('lists every endpoint with exactly what a call to it would answer', async () => {
    const endpoints = await loadEndpoints();
    const keys: Record<string, string> = {};
    const queries: Record<string, string> = {
      checkAccountLive: '?max_age_s=86400',
      resolveAccount: '?url=x:nasa',
      exportFollowerGraph: '?handle=nasa',
    };
    for (const plan of ['free', 'starter', 'growth', 'scale', 'enterprise']) {
      keys[plan] = await registerHolder(program, plan, plan, START);
    }
    const [narrow, event] = issued(START, ['accounts:read', 'accounts:live']);
    await tellHolder(program, 'free', event);
    keys.narrow = narrow;
    for (const [name, key] of Object.entries(keys)) {
      const listed = await capabilities(key);
      expect(listed.map(({ operation }) => operation)).toEqual(endpoints.map(({ operation }) => operation));
      for (const [i, { operation, method, path, scope, meter }] of endpoints.entries()) {
        expect(listed[i]).toMatchObject({ operation, method, path, scope, meter });
        if (method !== 'GET') continue;
        const url = path
          .replaceAll(/\{\w+\}/g, (part) => (part === '{platform}' ? 'x' : 'nasa'))
          .concat(queries[operation] ?? '');
        const called = await program.get(`/v2${url}`, key);
        // What nobody has configured or recorded is no question of the plan.
        const code = called.body.error?.code ?? null;
        const isOpen =
          code === null ||
          ['not_found', 'insufficient_data'].includes(code) ||
          code.startsWith('platform_') ||
          called.status === 400;
        expect([name, operation, isOpen ? null : code]).toEqual([name, operation, listed[i]?.reason]);
        expect([name, operation, isOpen]).toEqual([name, operation, listed[i]?.allowed]);
        if (meter !== 'live' && called.status === 200) {
          expect([operation, Number(called.headers['x-request-cost'])]).toEqual([operation, listed[i]?.cost]);
        }
      }
    }
    const of = async (name: string, operation: string) => {
      const { cost, plan, allowed, reason } = (await capability(keys[name] ?? '', operation)) as Capability;
      return [cost, plan, allowed, reason];
    };
    expect(await of('free', 'checkAccountLive')).toEqual([10, 'starter', false, 'plan_required']);
    expect(await of('narrow', 'checkAccountLive')).toEqual([10, 'starter', false, 'plan_required']);
    expect(await of('narrow', 'listDirectory')).toEqual([1, 'free', false, 'scope_missing']);
    expect(await of('starter', 'checkAccountLive')).toEqual([10, 'starter', true, null]);
    expect(await of('growth', 'checkAccountLive')).toEqual([5, 'starter', true, null]);
    expect(await of('growth', 'checkAccount')).toEqual([0, 'free', true, null]);
  });
});

describe('other plans', () => {
  afterEach(() => program.close());

  it('of set B have its figures, and set A’s where it states none', async () => {
    await open(publishedPlans('B'));
    const expected = [
      ['free', '1000', '"burst";q=30;w=60, "live";q=5;w=60', 10],
      ['starter', '25000', '"burst";q=120;w=60, "live";q=20;w=60', 10],
      ['growth', '250000', '"burst";q=600;w=60, "live";q=60;w=60', 5],
      ['scale', '1000000', '"burst";q=600;w=60, "live";q=60;w=60', 5],
      ['enterprise', '5000000', '"burst";q=6000;w=60, "live";q=600;w=60', 5],
    ] as const;
    for (const [plan, limit, policy, cost] of expected) {
      const key = await registerHolder(program, plan, plan, START);
      expect(quotaOf(await catalog(key))).toMatchObject({
        'x-plan': plan,
        'x-quota-limit': limit,
        'ratelimit-policy': policy,
      });
      expect((await capability(key, 'checkAccountLive'))?.cost).toBe(cost);
    }
  });

  it('of an operator have their own names, scopes and weights', async () => {
    await open(
      plansOf('own', [
        testPlan('readers', { scopes: ['accounts:read'], weights: { catalog: 2, live: 7 } }),
        testPlan('payers', {
          scopes: ['accounts:read', 'directory:read'],
          units: 5,
          weights: { catalog: 2, live: 7 },
          overage_micro_usd: null,
        }),
      ]),
    );
    const reader = await registerHolder(program, 'reader', null, START);
    const payer = await registerHolder(program, 'payer', 'payers', START);
    expect((await program.get('/v2', reader)).body.data.plan).toBe('readers');
    expect(outcome(await catalog(reader))).toEqual(needsPlan('payers'));
    // No plan has it.
    expect(outcome(await live(payer))).toEqual(needsPlan('none'));
    expect(await capability(payer, 'checkAccountLive')).toMatchObject({
      cost: 7,
      plan: null,
      allowed: false,
      reason: 'plan_required',
    });
    expect(quotaOf(await catalog(payer))).toMatchObject({ 'x-request-cost': '2', 'x-quota-used': '2' });
    expect(quotaOf(await catalog(payer))).toMatchObject({ 'x-quota-used': '4', 'x-quota-remaining': '1' });
    expect((await catalog(payer)).body.error.code).toBe('budget_exhausted');
  });

  it('admit no request while inactive, and say when to retry', async () => {
    await open();
    const key = await registerHolder(program, 'acme', 'bespoke', START);
    const post = { accounts: [{ platform: 'x', handle: 'nasa' }] };
    const answers = [
      await program.get('/v2/', key),
      await program.get('/v2/accounts/x/nasa', key),
      await catalog(key),
      await live(key),
      await program.get('/v2/directory?limit=0', key),
      await program.get('/v2/nothing', key),
      await program.get('/v2/directory/x/%E0%A4%A', key),
      await program.post('/v2/accounts/check', post, key),
      await program.post('/v2/accounts/check', post, key, { 'idempotency-key': 'once' }),
      await program.post('/v2/accounts/check', '{', key),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
        503,
        'service_unavailable',
        '5',
      ]);
      expect(answer.body.data).toBeUndefined();
      expect(quotaOf(answer)).toEqual({});
    }
    expect((await program.database.db.query('select from metering.ledger')).rowCount).toBe(0);
    // Once it is on a plan that is, all is well.
    const at = new Date().toISOString();
    await tellHolder(program, 'acme', { type: 'PlanChosen', data: { at, plan: 'growth' } });
    expect((await catalog(key)).status).toBe(200);
    const again = await program.post('/v2/accounts/check', post, key, { 'idempotency-key': 'once' });
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });
});
