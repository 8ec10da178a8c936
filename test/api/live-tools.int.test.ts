import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { FAULT_KINDS, type FaultKind, supports } from '../../infra/simulator/fault-kinds.ts';
import { PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import { BAN_KINDS, type BanKind } from '../../infra/simulator/world/bans.ts';
import { type Endpoint, readsPlatforms } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';

let program: LiveProgram;
let key: string;
let tools: readonly Endpoint[];
let open: Account;

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
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

const AT = Date.UTC(2026, 9, 1);

const isOutspoken = (account: Account): boolean =>
  isOpen(account) &&
  program.simulator.world
    .posts(account, AT, 40)
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
  vi.restoreAllMocks();
  program.simulator.faults.clear();
  await program.database.db.query('delete from crawl.session_limits');
  await program.database.db.query('delete from crawl.session_states');
  await program.database.db.query('update crawl.buckets set paused_until = null');
});

describe('runShadowbanCheck', () => {
  const banOf = (index: number) => program.simulator.world.hidden.ban('x', index, AT)?.kind;

  it('clears an account that X shows everywhere, with evidence for each part', async () => {
    const clear = program.account('x', (one) => isOutspoken(one) && banOf(one.index) === undefined);
    const { status, data, meta } = await call('shadowban-check', { platform: 'x', handle: clear.handle });
    expect(status).toBe(200);
    expect(meta).toMatchObject({ source: 'live', warnings: [] });
    expect(data).toMatchObject({ status: 'active', search: 'clear', suggestion: 'clear' });
    expect([data.ghost, data.reply_deboost]).toEqual(['clear', 'clear']);
    for (const surface of ['search', 'suggestions', 'thread'])
      expect(data.evidence, surface).toContainEqual(
        expect.objectContaining({ surface, of: 'account', shown: 'shown' }),
      );
  });

  it('answers 404 for an absent account, and refuses a suspended one', async () => {
    const absent = await call('shadowban-check', { platform: 'x', handle: 'zz_nobody_zz' });
    expect([absent.status, absent.error.code]).toEqual([404, 'not_found']);
    expect(absent.headers).toMatchObject({ 'x-request-cost': '0' });
    const { handle } = program.account('x', ({ status }) => status === 'suspended');
    const { status, error, headers } = await call('shadowban-check', { platform: 'x', handle });
    expect([status, error.code]).toEqual([422, 'insufficient_data']);
    expect(error.details).toEqual([{ path: 'status', message: 'is suspended, needs active' }]);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it('reports unknown, never clear, what a redesigned surface hides', async () => {
    program.simulator.faults.set('x', 'layout_changed');
    const { status, error, headers } = await call('shadowban-check', { platform: 'x', handle: open.handle });
    expect([status, error.code]).toEqual([502, 'platform_layout_changed']);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });
});

describe('runHandleAvailability', () => {
  const itemsOf = async (body: object) => {
    const { status, data } = await call('handle-availability', body);
    expect(status).toBe(200);
    return Object.fromEntries(
      data.items.map(({ platform, ...item }: { platform: Platform }) => [platform, item]),
    );
  };

  it('reports a name as available where the platform says so, and unknown where only its page is missing', async () => {
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

  it('reports a name as reserved that the platform keeps, although it has no account', async () => {
    expect((await itemsOf({ handle: 'support', platforms: ['x'] })).x).toMatchObject({ status: 'reserved' });
  });

  it('reports an account’s name as taken, whatever the account’s state', async () => {
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

  it('reports a name as invalid that breaks the platform’s rules, without reading anything', async () => {
    const before = requests();
    const items = await itemsOf({ handle: 'no such name!', platforms: ['x', 'telegram'] });
    expect(items.x).toMatchObject({ status: 'invalid', basis: 'grammar', handle: null, checked_at: null });
    expect(requests()).toBe(before);
  });

  it('reports a name that only old accounts may have as taken if one has it, else invalid', async () => {
    const items = await itemsOf({ handle: 'zzzz', platforms: ['telegram'] });
    expect(items.telegram).toMatchObject({
      status: 'invalid',
      basis: 'grammar',
      handle: 'zzzz',
      source: 'live',
    });
    const old = await itemsOf({ handle: 'zz_nobody_sixteen', platforms: ['x'] });
    expect(old.x).toMatchObject({ status: 'invalid', basis: 'grammar', handle: 'zz_nobody_sixteen' });
  });

  it('accepts a recent catalog reading in place of the platform, not an old one', async () => {
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

  it('leaves a failing platform’s part unknown, and fails free of charge if all fail', async () => {
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

interface Tried {
  readonly body: object;
  /** How X limits the account meanwhile. */
  readonly ban?: BanKind;
}

/** Calls of each tool that reads platforms, with those that read the most: long lists, and accounts that are limited. */
const callsOf = (): Readonly<Record<string, readonly Tried[]>> => {
  const body = { platform: 'x', handle: open.handle };
  const followed = program.account('x', (one) => isOpen(one) && one.followers >= 3_000);
  return {
    'shadowban-check': [{ body }, ...BAN_KINDS.map((ban) => ({ body, ban }))],
    'handle-availability': [{ body: { handle: open.handle, max_age_s: 0 } }],
    'follower-audit': [
      { body: { ...body, sample_size: 200 } },
      { body: { platform: 'x', handle: followed.handle, sample_size: 3_000 } },
    ],
    'trust-report': [{ body }],
  };
};

/** Has X limit the account so, and no other. */
const limitOpen = (kind: BanKind | undefined): void => {
  const ban = kind === undefined ? null : { kind, from: 0, to: Number.MAX_SAFE_INTEGER, fall: 0.5 };
  vi.spyOn(program.simulator.world.hidden, 'ban').mockImplementation((_, index) =>
    index === open.index ? ban : null,
  );
};

describe('a tool that refused too small a sample', () => {
  it('refuses the same account again, by handle or ID and for any sample size, without a request', async () => {
    const { handle, id } = program.account('x', (one) => isOpen(one) && one.followers < 50);
    const audit = (spelled: string, more: object = {}) =>
      call('follower-audit', { platform: 'x', handle: spelled, ...more });
    const first = await audit(handle);
    expect([first.status, first.error.code]).toEqual([422, 'insufficient_data']);
    const before = requests();
    expect(before).toBeGreaterThan(0);
    const second = await audit(`@${handle.toUpperCase()}`);
    expect([second.status, second.error.details]).toEqual([422, first.error.details]);
    expect(second.headers).toMatchObject({ 'x-request-cost': '0' });
    for (const again of [await audit(`id:${id}`), await audit(handle, { sample_size: 2_000 })])
      expect([again.status, again.error.details]).toEqual([422, first.error.details]);
    expect(requests()).toBe(before);
  });
});

describe('requests of tools to platforms', () => {
  it('every tool that reads platforms is tested here', () => {
    const reading = tools.filter(readsPlatforms);
    expect(Object.keys(callsOf()).sort()).toEqual(reading.map(({ tool }) => tool?.name).sort());
  });

  /** Requests of each call, by tool and call. */
  const count = async (calls: Readonly<Record<string, readonly Tried[]>>) => {
    const counts: Record<string, number[]> = {};
    for (const { tool, upstreamReads = 0 } of tools) {
      if (tool === undefined || upstreamReads === 0) continue;
      for (const { body, ban } of calls[tool.name] ?? []) {
        const about = `${tool.name} ${JSON.stringify({ body, ban })}`;
        limitOpen(ban);
        const before = requests();
        const { status } = await call(tool.name, body);
        const sent = requests() - before;
        expect([200, 422, 502, 503, 504], about).toContain(status);
        expect(sent, about).toBeLessThanOrEqual(upstreamReads);
        counts[tool.name] = [...(counts[tool.name] ?? []), sent];
      }
    }
    return counts;
  };

  const setFaults = (kind: FaultKind): void => {
    for (const platform of PLATFORMS)
      if (supports(platform, kind)) program.simulator.faults.set(platform, kind);
  };

  it('a call sends no more than its tool states, for long lists and limited accounts', {
    tags: 'long',
  }, async () => {
    const counts = await count(callsOf());
    // Pages of a hundred followers, and the account.
    expect(Math.max(...(counts['follower-audit'] ?? []))).toBeGreaterThan(30);
    const [clear = 0, ...limited] = counts['shadowban-check'] ?? [];
    expect(Math.max(...limited)).toBeGreaterThan(clear);
  });

  it.each(FAULT_KINDS)(
    'a call sends no more than its tool states while platforms answer with %s',
    { tags: 'long' },
    async (kind) => {
      setFaults(kind);
      await count(
        Object.fromEntries(Object.entries(callsOf()).map(([name, calls]) => [name, calls.slice(0, 1)])),
      );
    },
  );

  it.each(['server_error', 'truncated'] as const)(
    'a call sends no more than its tool states if platforms answer with %s once the account was read',
    async (kind) => {
      const { live } = program.services;
      const { read } = live;
      vi.spyOn(live, 'read').mockImplementation(async (...given) => {
        program.simulator.faults.clear();
        const found = await read(...given);
        setFaults(kind);
        return found;
      });
      const counts = await count(callsOf());
      expect(Math.max(...(counts['shadowban-check'] ?? []))).toBeGreaterThan(2);
    },
  );
});
