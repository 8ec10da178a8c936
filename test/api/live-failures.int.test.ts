import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FaultKind } from '../../infra/simulator/fault-kinds.ts';
import { PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import { createTokenBucket } from '../../src/crawlers/engine/token-bucket.ts';
import { publishedPlans } from '../../src/write/holders/plans.ts';
import type { LogAvailability } from '../../src/write/log/availability.ts';
import { alwaysAvailable } from '../support/availability.ts';
import { usageOf } from '../support/holders.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { until } from '../support/wait.ts';

let program: LiveProgram;
let key: string;
let isLogAway = false;

const availability: LogAvailability = { ...alwaysAvailable, answers: async () => !isLogAway };

beforeAll(async () => {
  program = await createLiveProgram({
    availability,
    // Long enough for an answer on a machine that is busy with other things.
    limits: { headersMs: 4_000, bodyMs: 4_000 },
    // A wall rejects sessions, which rest then: each request has three of its own to try.
    sessions: Array.from({ length: 30 }, (_, i) => `guest${i}`),
  });
  key = await program.issueKey();
  const of = (platform: Platform) =>
    program.account(platform, (one) => isOpen(one) && (platform !== 'telegram' || one.kind === 'channel'));
  const x = of('x');
  requests = [
    `/v2/scrape/x/user?handle=${x.handle}`,
    `/v2/scrape/x/user?id=${x.id}`,
    `/v2/scrape/x/tweets?handle=${x.handle}`,
    '/v2/scrape/x/tweet?id=1',
    `/v2/scrape/x/followers?handle=${x.handle}`,
    ...(['x', 'instagram', 'tiktok', 'youtube', 'telegram', 'bluesky'] as const).map(
      (platform) => `/v2/scrape/${platform}/verify?handle=${of(platform).handle}`,
    ),
  ];
});
afterAll(() => program.close());
afterEach(async () => {
  isLogAway = false;
  program.simulator.faults.clear();
  await program.database.db.query('delete from crawl.session_limits');
  await program.database.db.query('delete from crawl.session_states');
  await program.database.db.query('update crawl.buckets set paused_until = null');
});

/** A request of each of the live endpoints, about accounts that exist. */
let requests: readonly string[];

/** Which errors a platform that misbehaves in a way may lead to. */
const CODES: Readonly<Partial<Record<FaultKind, readonly string[]>>> = {
  rate_limited: ['platform_rate_limited'],
  server_error: ['platform_error'],
  timeout: ['platform_timeout'],
  slow_drip: ['platform_timeout', 'platform_error'],
  login_wall: ['not_readable', 'platform_unavailable'],
  challenge: ['platform_unavailable'],
  layout_changed: ['platform_layout_changed'],
  truncated: ['platform_layout_changed', 'platform_error'],
  empty: ['platform_layout_changed', 'platform_error'],
  redirect_away: ['platform_error', 'platform_layout_changed'],
};

const CALLS = {
  platform_rate_limited: 503,
  platform_error: 502,
  platform_timeout: 504,
  not_readable: 422,
} as const;

describe.each(Object.entries(CODES))('while platforms answer with %s', (kind, codes) => {
  it('every live endpoint says so with a documented code, free, and keeps no reservation', {
    tags: 'long',
  }, async () => {
    for (const platform of PLATFORMS) {
      try {
        program.simulator.faults.set(platform, kind as FaultKind);
      } catch {
        // Not every platform has every wall.
      }
    }
    const before = await usageOf(program, 'tester');
    const answers = await Promise.all(requests.map((path) => program.get(path, key)));
    for (const [i, { status, body, headers }] of answers.entries()) {
      const path = requests[i] as string;
      if (status === 200) {
        // Telegram has no walls, and Bluesky no challenge; that a tweet is absent is said in any layout.
        expect(path, kind).toMatch(/telegram|bluesky|tweet\?/);
        continue;
      }
      expect(codes, `${path}: ${JSON.stringify(body)}`).toContain(body.error.code);
      expect(CALLS[body.error.code as keyof typeof CALLS] ?? status).toBe(status);
      expect(headers).toMatchObject({ 'x-request-cost': '0' });
      if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      if (status === 422) expect(headers['retry-after']).toBeUndefined();
      expect(JSON.stringify(body)).not.toMatch(/at \/|Error:|127\.0\.0\.1/);
    }
    const failed = answers.filter(({ status }) => status !== 200).length;
    await until('nothing is reserved', async () => {
      const { rows } = await program.database.db.query(
        'select count(*)::int as n from metering.reservations',
      );
      return rows[0].n === 0;
    });
    const after = await usageOf(program, 'tester');
    expect(Number(after.budget_units) - Number(before.budget_units)).toBe(5 * (requests.length - failed));
  });
});

it('while the log is unavailable, nothing is read or charged', async () => {
  isLogAway = true;
  const before = program.simulator.requests.x.total;
  for (const path of requests) {
    const { status, body, headers } = await program.get(path, key);
    expect(status).toBe(503);
    expect(body.error.code).toBe('service_unavailable');
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(program.simulator.requests.x.total).toBe(before);
});

it('while the crawl has paused a platform, nothing is sent to it, and the answer says when to retry', async () => {
  const bucket = createTokenBucket(program.database.db, { perS: 100, liveShare: 0.5 });
  await bucket.open('x', 30_000, 'timeout');
  const before = program.simulator.requests.x.total;
  const { status, body, headers } = await program.get('/v2/scrape/x/user?handle=nasa', key);
  expect(status).toBe(503);
  expect(body.error.code).toBe('platform_rate_limited');
  expect(Number(headers['retry-after'])).toBeGreaterThan(20);
  expect(program.simulator.requests.x.total).toBe(before);
});

describe('without a session of X', () => {
  let bare: LiveProgram;
  let bareKey: string;
  beforeAll(async () => {
    bare = await createLiveProgram({ sessions: [] });
    bareKey = await bare.issueKey();
  });
  afterAll(() => bare.close());

  it('what needs one answers 422 and says so, free of charge', async () => {
    const open = bare.account('x', ({ status }) => status === 'active');
    for (const path of [
      '/v2/scrape/x/user?id=12',
      '/v2/scrape/x/user?handle=zz_nobody_zz',
      `/v2/scrape/x/tweets?handle=${open.handle}`,
      '/v2/scrape/x/tweet?id=12',
      `/v2/scrape/x/followers?handle=${open.handle}`,
    ]) {
      const { status, body, headers } = await bare.get(path, bareKey);
      expect([path, status, body.error?.code]).toEqual([path, 422, 'not_readable']);
      expect(body.error.message).toContain('session');
      expect(body.error.details).toMatchObject([{ reason: 'not_configured' }]);
      expect(headers).toMatchObject({ 'x-request-cost': '0' });
      expect(headers['retry-after']).toBeUndefined();
    }
  });

  it('public pages still answer: an account and its ownership', async () => {
    const open = bare.account('x', ({ status, quirks }) => status === 'active' && quirks.size === 0);
    const user = await bare.get(`/v2/scrape/x/user?handle=${open.handle}`, bareKey);
    expect(user.body.data).toMatchObject({ status: 'active', id: open.id });
    const verified = await bare.get(`/v2/scrape/x/verify?handle=${open.handle}`, bareKey);
    expect(verified.body.data).toMatchObject({ status: 'active', verified: false });
  });
});

describe('a key', () => {
  it('of a plan without live reads is told the lowest plan that has them', async () => {
    // As the operator's command issues them: with the scopes of the plan.
    const free = await program.issueKey(publishedPlans('A').find('free')?.scopes, {
      holder: 'free',
      plan: 'free',
    });
    for (const path of requests) {
      const { status, body, headers } = await program.get(path, free);
      expect(status).toBe(403);
      expect(body.error.code).toBe('plan_required');
      expect(JSON.stringify(body.error.details)).toContain('starter');
      expect(headers).toMatchObject({ 'x-request-cost': '0' });
    }
  });

  it('of the lowest plan with live reads may read, and is told the scope if it lacks it', async () => {
    const starter = await program.issueKey(undefined, { holder: 'starter', plan: 'starter' });
    expect((await program.get('/v2/scrape/x/user?handle=zz_nobody_zz', starter)).status).toBe(200);
    const narrow = await program.issueKey(['scrape:live'], { holder: 'narrow', plan: 'starter' });
    const { status, body } = await program.get('/v2/scrape/x/verify?handle=nasa', narrow);
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ code: 'scope_missing' });
    expect(body.error.message).toMatch(/^The key key_\w+ lacks the scope verify:live, .* ask the operator/);
    expect(body.error.details).toEqual([{ path: 'scope', message: 'verify:live' }]);
  });

  it('is refused before anything is read if its quota is spent', async () => {
    const spent = await program.issueKey(undefined, { holder: 'spent', plan: 'starter' });
    await program.get('/v2/scrape/x/user?handle=zz_nobody_zz', spent);
    await program.database.db.query(
      `update metering.accounts set budget_units = 20000 where holder = 'spent'`,
    );
    const before = program.simulator.requests.x.total;
    const { status, body } = await program.get('/v2/scrape/x/user?handle=nasa', spent);
    expect(status).toBe(402);
    expect(body.error.code).toBe('budget_exhausted');
    expect(program.simulator.requests.x.total).toBe(before);
  });
});
