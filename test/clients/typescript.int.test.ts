import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  BudgetError,
  type DirectoryEntry,
  orNull,
  Sightline,
  SightlineError,
} from '../../clients/typescript/src/index.ts';
import { startFaultyService } from '../support/faulty-service.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { CASES, type Case, expectCase, KEY } from './cases.ts';

/** Waits for no time, and writes down for how long it would have waited. */
const hurry = () => {
  const waits: number[] = [];
  return { waits, sleep: async (seconds: number) => void waits.push(seconds) };
};

const call = async (client: Sightline, { operation, parameters }: Case['call']) => {
  const called = (client as unknown as Record<string, (p: object) => unknown>)[operation]?.(parameters);
  if (!(Symbol.asyncIterator in (called as object))) return { data: await called };
  const items: unknown[] = [];
  try {
    for await (const item of called as AsyncIterable<unknown>) items.push(item);
    return { items };
  } catch (error) {
    return { items, error };
  }
};

const describeError = async (error: unknown) => {
  const or = await orNull(Promise.reject(error)).catch(() => 'thrown' as const);
  if (!(error instanceof SightlineError))
    return { name: (error as Error).name, orNull: or as null | 'thrown' };
  const { code, isAnswer, details } = error;
  return { name: code, isAnswer, details, orNull: or as null | 'thrown' };
};

describe('the client for TypeScript', () => {
  it.each(CASES)('$name', async (each) => {
    await expectCase(each, async (url) => {
      const { waits, sleep } = hurry();
      const client = new Sightline({ key: KEY, url, sleep, ...each.client });
      const { error, ...found }: { error?: unknown } = await call(client, each.call).catch(
        (thrown: unknown) => ({ error: thrown }),
      );
      return {
        ...found,
        ...(error === undefined ? {} : { error: await describeError(error) }),
        units: client.spent,
        waits,
      };
    });
  });

  it('loses and doubles no item and no charge in a thousand faults', async () => {
    const service = await startFaultyService(17);
    const client = new Sightline({ key: KEY, url: service.url, retries: 100, ...hurry() });
    const all = Array.from({ length: service.items }, (_, i) => `h${i}`);
    const lists = Array.from({ length: 12 }, async () => {
      const handles: string[] = [];
      for await (const { handle } of client.listDirectory()) handles.push(String(handle));
      expect(handles).toEqual(all);
    });
    const posts = all.map(async (handle) =>
      expect(await client.runAccountAge({ platform: 'x', handle })).toEqual({ platform: 'x', handle }),
    );
    await Promise.all([...lists, ...posts]);
    await service.close();
    expect(service.faults()).toBeGreaterThan(1_000);
    expect([...service.charges.values()]).toEqual(all.map(() => 1));
  });

  it('spends no more than its budget, however many calls are made at once', async () => {
    const server = await startScriptedServer(({ url }) =>
      url === '/v2/'
        ? { body: { data: { endpoints: [{ operation: 'getDirectoryEntry', cost: 1 }] }, meta: {} } }
        : { headers: { 'x-request-cost': '1' }, body: { data: {}, meta: {} } },
    );
    const used: number[] = [];
    const client = new Sightline({
      key: KEY,
      url: server.url,
      maxUnits: 7,
      onUsage: ({ cost }) => used.push(cost),
    });
    const calls = Array.from({ length: 20 }, (_, i) =>
      client.getDirectoryEntry({ platform: 'x', id: `h${i}` }),
    );
    const settled = await Promise.allSettled(calls);
    await server.close();
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    for (const each of settled)
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(BudgetError);
    expect(used.reduce((sum, cost) => sum + cost)).toBe(client.spent);
    expect(client.spent).toBe(7);
  });

  it('stops when its signal says so, while it waits as well', async () => {
    const server = await startScriptedServer(() => ({
      status: 503,
      headers: { 'retry-after': '30' },
      body: { error: { code: 'service_unavailable', message: 'm' } },
    }));
    const stop = new AbortController();
    const client = new Sightline({
      key: KEY,
      url: server.url,
      onUsage: () => setImmediate(() => stop.abort(new Error('enough'))),
    });
    await expect(
      client.checkAccount({ platform: 'x', handle: 'ada' }, { signal: stop.signal }),
    ).rejects.toThrow('enough');
    await server.close();
    expect(server.requests).toHaveLength(1);
  });

  it('ends a call that its caller ends when it is told of the usage, and does not repeat it', async () => {
    const server = await startScriptedServer(() => ({ body: { data: {}, meta: {} } }));
    const client = new Sightline({
      key: KEY,
      url: server.url,
      ...hurry(),
      onUsage: () => {
        throw new Error('enough');
      },
    });
    await expect(client.checkAccount({ platform: 'x', handle: 'ada' })).rejects.toThrow('enough');
    await server.close();
    expect(server.requests).toHaveLength(1);
  });

  it('keeps no units for calls that were refused, and asks for costs again if they were not answered', async () => {
    let asked = 0;
    let read = 0;
    const server = await startScriptedServer(({ url }) => {
      if (url !== '/v2/') {
        read += 1;
        if (read <= 2) return { status: 404, body: { error: { code: 'not_found', message: 'm' } } };
        return { headers: { 'x-request-cost': '1' }, body: { data: {}, meta: {} } };
      }
      asked += 1;
      if (asked === 1) return { status: 401, body: { error: { code: 'key_invalid', message: 'm' } } };
      return { body: { data: { endpoints: [{ operation: 'getDirectoryEntry', cost: 1 }] }, meta: {} } };
    });
    const client = new Sightline({ key: KEY, url: server.url, maxUnits: 1 });
    const call = () => client.getDirectoryEntry({ platform: 'x', id: 'ada' });
    for (const code of ['key_invalid', 'not_found', 'not_found'])
      await expect(call()).rejects.toMatchObject({ code });
    await call();
    await expect(call()).rejects.toThrow(BudgetError);
    await server.close();
  });

  it('gives the headers and the age of an answer, and pages of a list', async () => {
    const server = await startScriptedServer(({ url }) => ({
      headers: {
        'x-request-cost': '1',
        'x-plan': 'scale',
        'x-quota-limit': '9',
        'x-quota-used': '4',
        'x-quota-remaining': '5',
        'x-quota-reset': 'r',
      },
      body: url.includes('changes')
        ? { data: [{ kind: 'renamed' }], meta: { next_cursor: null, resume_cursor: 'r1' } }
        : { data: { handle: 'ada' }, meta: { cache_age_s: 840 } },
    }));
    const client = new Sightline({ key: KEY, url: `${server.url}/` });
    const answer = await client.raw.getDirectoryEntry({ platform: 'x', id: 'ada' });
    expectTypeOf(answer.data).toEqualTypeOf<DirectoryEntry>();
    expect(answer).toMatchObject({
      data: { handle: 'ada' },
      meta: { cache_age_s: 840 },
      usage: { cost: 1, plan: 'scale', quota: { remaining: 5 } },
    });
    expect(answer.headers.get('x-plan')).toBe('scale');
    for await (const { meta } of client.listDirectoryChanges().pages()) expect(meta.resume_cursor).toBe('r1');
    expect((await client.raw.listDirectoryChanges({ cursor: 'r0' })).data).toEqual([{ kind: 'renamed' }]);
    await server.close();
  });
});
