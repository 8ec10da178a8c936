import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FAULT_KINDS, type FaultKind, supports } from '../../infra/simulator/fault-kinds.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';

let program: LiveProgram;
let key: string;
let tools: readonly Endpoint[];
let open: Account;

// biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
type Answer = { status: number; headers: any; data: any; meta: any; error: any };

const call = async (name: string, body: unknown): Promise<Answer> => {
  const { status, headers, body: answered } = await program.post(`/v2/tools/${name}`, body, key);
  const endpoint = tools.find(({ path }) => path === `/tools/${name}`);
  if (status === 200 && endpoint !== undefined)
    expect(z.parse(endpoint.data, answered.data)).toEqual(answered.data);
  return { status, headers, ...answered };
};

const requests = (): number =>
  PLATFORMS.reduce((sum, name) => sum + program.simulator.requests[name].total, 0);

const isOutspoken = (account: Account): boolean =>
  isOpen(account) &&
  program.simulator.world
    .posts(account, Date.UTC(2026, 9, 1), 40)
    .filter(({ kind, replyTo }) => kind === 'reply' && replyTo !== null && replyTo.index !== account.index)
    .length >= 2;

beforeAll(async () => {
  tools = (await loadEndpoints()).filter(({ tool }) => tool !== undefined);
  program = await createLiveProgram({
    limits: { headersMs: 1_000, bodyMs: 1_000, retries: 1 },
    // A wall rejects sessions, which rest then.
    sessions: Array.from({ length: 30 }, (_, i) => `guest${i}`),
  });
  key = await program.issueKey(['tools:run']);
  open = program.account('x', isOutspoken);
});
afterAll(() => program.close());
afterEach(async () => {
  program.simulator.faults.clear();
  await program.database.db.query('delete from crawl.session_limits');
  await program.database.db.query('delete from crawl.session_states');
  await program.database.db.query('update crawl.buckets set paused_until = null');
});

describe('runShadowbanCheck: whether an account is hidden', () => {
  const banOf = (index: number) => program.simulator.world.hidden.ban('x', index, Date.UTC(2026, 9, 1))?.kind;

  it('an account that X shows everywhere is clear, with evidence of each part', async () => {
    const clear = program.account('x', (one) => isOutspoken(one) && banOf(one.index) === undefined);
    const { status, data, meta } = await call('shadowban-check', { platform: 'x', handle: clear.handle });
    expect(status).toBe(200);
    expect(meta).toMatchObject({ source: 'live', warnings: [] });
    expect(data).toMatchObject({ status: 'active', search: 'clear', suggestion: 'clear', confidence: 1 });
    expect([data.ghost, data.reply_deboost]).toEqual(['clear', 'clear']);
    for (const surface of ['search', 'suggestions', 'thread'])
      expect(data.evidence, surface).toContainEqual(
        expect.objectContaining({ surface, of: 'account', shown: 'shown' }),
      );
  });

  it('nothing is looked for of an account that is suspended or absent', async () => {
    const gone = program.account('x', ({ status }) => status === 'suspended');
    for (const [handle, status] of [
      [gone.handle, 'suspended'],
      ['zz_nobody_zz', 'absent'],
    ] as const) {
      const { data } = await call('shadowban-check', { platform: 'x', handle });
      expect(data).toMatchObject({
        status,
        search: 'unknown',
        ghost: 'unknown',
        evidence: [],
        confidence: 0,
      });
    }
  });

  it('what a redesign of a surface hides is unknown and never clear', async () => {
    program.simulator.faults.set('x', 'layout_changed');
    const { status, error, headers } = await call('shadowban-check', { platform: 'x', handle: open.handle });
    expect([status, error.code]).toEqual([502, 'platform_layout_changed']);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });
});

describe('runHandleAvailability: whether a name is free', () => {
  const itemsOf = async (body: object) => {
    const { status, data } = await call('handle-availability', body);
    expect(status).toBe(200);
    return Object.fromEntries(
      data.items.map(({ platform, ...item }: { platform: Platform }) => [platform, item]),
    );
  };

  it('a name without an account is available where the platform says so, and unknown where only its page is missing', async () => {
    const items = await itemsOf({ handle: 'zznobodyzz' });
    for (const platform of ['x', 'bluesky'])
      expect(items[platform], platform).toMatchObject({
        status: 'available',
        basis: 'registration',
        source: 'live',
      });
    expect(items.bluesky.handle).toBe('zznobodyzz.bsky.social');
    for (const platform of ['instagram', 'tiktok', 'youtube', 'telegram', 'linkedin'])
      expect(items[platform], platform).toMatchObject({ status: 'unknown', basis: 'no_account' });
  });

  it('a name that the platform keeps for itself is reserved, although it has no account', async () => {
    expect((await itemsOf({ handle: 'support', platforms: ['x'] })).x).toMatchObject({ status: 'reserved' });
  });

  it('a name of an account is taken, in whatever state the account is', async () => {
    for (const state of ['active', 'private', 'suspended', 'deactivated'] as const)
      for (const platform of ['x', 'instagram', 'bluesky'] as const) {
        if (platform === 'bluesky' && state === 'private') continue;
        const { handle } = program.account(platform, ({ status }) => status === state);
        const item = (await itemsOf({ handle, platforms: [platform] }))[platform];
        // Instagram shows an account that its holder deactivated like one that never was.
        const isUnseen = platform === 'instagram' && (state === 'deactivated' || state === 'suspended');
        expect(item.status, `${platform} ${state}`).toBe(isUnseen ? 'unknown' : 'taken');
      }
  });

  it('a name that breaks the rules of a platform is invalid there, and nothing is read', async () => {
    const before = requests();
    const items = await itemsOf({ handle: 'no such name!', platforms: ['x', 'telegram'] });
    expect(items.x).toMatchObject({ status: 'invalid', basis: 'grammar', handle: null, checked_at: null });
    expect(requests()).toBe(before);
  });

  it('a recent reading of the catalog serves in place of the platform, and an old one does not', async () => {
    const { handle } = program.account('telegram', isOpen);
    await call('handle-availability', { handle, platforms: ['telegram'] });
    await program.project();
    const before = requests();
    const body = { handle, platforms: ['telegram'] };
    expect((await itemsOf(body)).telegram).toMatchObject({ status: 'taken', source: 'catalog' });
    expect(requests()).toBe(before);
    expect((await itemsOf({ ...body, max_age_s: 0 })).telegram).toMatchObject({
      status: 'taken',
      source: 'live',
    });
    expect(requests()).toBeGreaterThan(before);
  });

  it('a platform that fails leaves its own part unknown, and all of them together are an error for nothing', async () => {
    program.simulator.faults.set('telegram', 'server_error');
    const body = { handle: 'zznobodyzz', platforms: ['telegram', 'x'] };
    const items = await itemsOf(body);
    expect(items).toMatchObject({
      telegram: { status: 'unknown', basis: 'unread' },
      x: { status: 'available' },
    });
    program.simulator.faults.set('x', 'server_error');
    const { status, error, headers } = await call('handle-availability', body);
    expect([status, error.code]).toEqual([502, 'platform_error']);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });
});

/** A body of each tool that reads platforms. */
const bodies = (): Readonly<Record<string, unknown>> => ({
  'shadowban-check': { platform: 'x', handle: open.handle },
  'handle-availability': { handle: open.handle, max_age_s: 0 },
  'follower-audit': { platform: 'x', handle: open.handle, sample_size: 200 },
  'trust-report': { platform: 'x', handle: open.handle },
});

describe('a tool that refused for too small a sample', () => {
  it('refuses the same account again, however it is spelled, without a request', async () => {
    const { handle } = program.account('x', (one) => isOpen(one) && one.followers < 50);
    const audit = (spelled: string) => call('follower-audit', { platform: 'x', handle: spelled });
    const first = await audit(handle);
    expect([first.status, first.error.code]).toEqual([422, 'insufficient_data']);
    const before = requests();
    expect(before).toBeGreaterThan(0);
    const second = await audit(`@${handle.toUpperCase()}`);
    expect([second.status, second.error.details]).toEqual([422, first.error.details]);
    expect(second.headers).toMatchObject({ 'x-request-cost': '0' });
    expect(requests()).toBe(before);
  });
});

describe('requests to platforms', () => {
  it('every tool that reads platforms is tried here', () => {
    const reading = tools.filter(({ tool }) => (tool?.upstreamReads ?? 0) > 0);
    expect(Object.keys(bodies()).sort()).toEqual(reading.map(({ tool }) => tool?.name).sort());
  });

  it.each([null, ...FAULT_KINDS])(
    'while platforms answer with %s no tool sends more than it states',
    async (kind) => {
      for (const platform of PLATFORMS)
        if (kind !== null && supports(platform, kind as FaultKind))
          program.simulator.faults.set(platform, kind as FaultKind);
      for (const { tool } of tools) {
        if (tool === undefined || tool.upstreamReads === 0) continue;
        const before = requests();
        const { status } = await call(tool.name, bodies()[tool.name]);
        expect([200, 422, 502, 503, 504], tool.name).toContain(status);
        expect(requests() - before, tool.name).toBeLessThanOrEqual(tool.upstreamReads);
      }
    },
  );
});
