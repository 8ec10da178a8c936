import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createRequestQuota,
  createSweepStore,
  readList,
  type SweepStore,
} from '../../../src/crawlers/follow-lists.ts';
import type { FollowsReading, PlatformAdapter } from '../../../src/crawlers/platforms/adapter.ts';
import { x } from '../../../src/platforms/x.ts';
import type { FollowsData } from '../../../src/write/follows.ts';
import { memberOf } from '../../support/follows.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
let sweeps: SweepStore;
beforeAll(async () => {
  program = await createTestProgram();
  sweeps = createSweepStore(program.database.db);
});
afterAll(() => program.close());

/** A list of so many members in pages of ten; the cursor is the number of the next member. */
const listOf = (members: number, before: (from: number) => FollowsReading | null = () => null) => {
  const asked: (string | null)[] = [];
  const readFollows: PlatformAdapter['readFollows'] = async (_owner, _direction, { cursor }) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const to = Math.min(members, from + 10);
    return (
      before(from) ?? {
        status: 'present',
        surface: 'test',
        members: Array.from({ length: to - from }, (_, n) => memberOf(from + n + 1)),
        order: 'newest_first',
        cursor: to < members ? String(to) : null,
      }
    );
  };
  const adapter = { ...x, platform: 'x', name: 'X', readFollows } as unknown as PlatformAdapter;
  return { adapter, asked };
};

const unlimited = { take: async () => null };

const read = (handle: string, adapter: PlatformAdapter, more: Partial<Parameters<typeof readList>[0]> = {}) =>
  readList({
    adapter,
    list: { platform: 'x', handle, direction: 'followers', owner: '1' },
    http: { fetch: () => Promise.reject(new Error('not asked')), close: async () => undefined },
    log: program.log,
    sweeps,
    quota: unlimited,
    clock: { now: () => Date.now() },
    most: 1_000,
    stated: null,
    signal: new AbortController().signal,
    onMembers: () => undefined,
    ...more,
  });

const recorded = async (handle: string) =>
  (await program.log.readStream(`follows-x:${handle}`)).map(({ data }) => data as FollowsData);

const numbers = (events: readonly FollowsData[]) => [
  ...new Set(events.flatMap(({ members }) => members.map(({ id }) => Number(id)))),
];

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('a follower list', () => {
  it('is read to its end, page by page', async () => {
    const { adapter } = listOf(35);
    const seen: number[] = [];
    expect(await read('whole', adapter, { onMembers: (n) => seen.push(n) })).toEqual({
      end: { status: 'done' },
      members: 35,
      requests: 4,
    });
    expect(seen).toEqual([10, 20, 30, 35]);
    const events = await recorded('whole');
    expect(events.map(({ page, done }) => [page, done])).toEqual([
      [0, false],
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(numbers(events)).toEqual(upTo(35));
  });

  it('is read again from its start once it was read to its end', async () => {
    const { adapter } = listOf(5);
    await read('again', adapter);
    await read('again', adapter);
    const events = await recorded('again');
    expect(new Set(events.map(({ sweep }) => sweep)).size).toBe(2);
  });

  it.each([
    [25, 'capped', 25, 3],
    [30, 'capped', 30, 3],
    [35, 'done', 35, 4],
  ] as const)('with a cap of %d is %s', async (most, status, members, requests) => {
    const { adapter } = listOf(35);
    const handle = `most${most}`;
    expect(await read(handle, adapter, { most })).toEqual({ end: { status }, members, requests });
    const events = await recorded(handle);
    expect(numbers(events)).toEqual(upTo(members));
    expect(events.at(-1)).toMatchObject({ done: status === 'done', capped: status === 'capped' });
  });

  it('of an erased account leaves no position behind', async () => {
    const { adapter } = listOf(35, (from) =>
      from === 20 ? { status: 'unknown', surface: 'test', reason: 'erased', detail: 'it was' } : null,
    );
    expect((await read('erased', adapter)).end).toMatchObject({ status: 'unknown', reason: 'erased' });
    const { rows } = await program.database.db.query(
      `select handle from crawl.follow_sweeps where handle = 'erased'`,
    );
    expect(rows).toEqual([]);
  });

  it('is resumed at its page after a failure of the platform', async () => {
    let fails = true;
    const { adapter, asked } = listOf(35, (from) =>
      fails && from === 20 ? { status: 'unknown', surface: 'test', reason: 'timeout', detail: 'late' } : null,
    );
    expect((await read('resumed', adapter)).end).toMatchObject({ status: 'unknown', reason: 'timeout' });
    fails = false;
    expect(await read('resumed', adapter)).toMatchObject({
      end: { status: 'done' },
      members: 35,
      requests: 2,
    });
    expect(asked).toEqual([null, '10', '20', '20', '30']);
    const events = await recorded('resumed');
    expect(new Set(events.map(({ sweep }) => sweep)).size).toBe(1);
    expect(numbers(events)).toEqual(upTo(35));
  });

  it('is complete after a crash between an append and its note', async () => {
    const { adapter } = listOf(35);
    let notes = 0;
    const crashing: SweepStore = {
      ...sweeps,
      advance: (list, sweep) => {
        notes += 1;
        return notes === 2 ? Promise.reject(new Error('the process dies')) : sweeps.advance(list, sweep);
      },
    };
    await expect(read('crashed', adapter, { sweeps: crashing })).rejects.toThrow('the process dies');
    expect((await read('crashed', adapter)).end).toEqual({ status: 'done' });
    const events = await recorded('crashed');
    expect(events.map(({ page }) => page)).toEqual([0, 1, 2, 3, 4]);
    expect(numbers(events)).toEqual(upTo(35));
  });

  it('is not read by two processes at once', async () => {
    const held = { platform: 'x', handle: 'held', direction: 'followers', owner: '1' } as const;
    const other = createSweepStore(program.database.db);
    await other.claim(held);
    const { adapter, asked } = listOf(5);
    expect((await read('held', adapter)).end).toEqual({ status: 'busy' });
    expect(asked).toEqual([]);
    await other.release(held);
    expect((await read('held', adapter)).end).toEqual({ status: 'done' });
  });

  it('is not empty if the account hides it', async () => {
    const { adapter } = listOf(5, () => ({ status: 'private', surface: 'test' }));
    expect((await read('hidden', adapter)).end).toEqual({ status: 'private' });
    expect(await recorded('hidden')).toEqual([]);
  });

  it('is read from its start if the handle has another owner', async () => {
    const { adapter, asked } = listOf(35, (from) =>
      from === 10 ? { status: 'unknown', surface: 'test', reason: 'timeout', detail: 'late' } : null,
    );
    await read('taken', adapter);
    const list = { platform: 'x', handle: 'taken', direction: 'followers', owner: '2' } as const;
    await read('taken', adapter, { list });
    expect(asked).toEqual([null, '10', null, '10']);
  });
});

describe('requests for follower lists', () => {
  it('are limited per day over all processes, and available again at midnight', async () => {
    await program.database.db.query('delete from crawl.follow_requests');
    const processes = Array.from({ length: 4 }, () => createRequestQuota(program.database.db, 10));
    const taken = await Promise.all(upTo(40).map((n) => processes[n % 4]?.take()));
    expect(taken.filter((until) => until === null)).toHaveLength(10);
    const until = taken.find((each) => typeof each === 'string') as string;
    expect(until).toMatch(/T00:00:00\.000Z$/);
    expect(Date.parse(until)).toBeGreaterThan(Date.now());
  });

  it('leave the list where it is once the day’s are spent', async () => {
    await program.database.db.query('delete from crawl.follow_requests');
    const { adapter, asked } = listOf(35);
    const quota = createRequestQuota(program.database.db, 2);
    expect((await read('spent', adapter, { quota })).end).toMatchObject({ status: 'quota_spent' });
    expect((await read('spent', adapter)).end).toEqual({ status: 'done' });
    expect(asked).toEqual([null, '10', '20', '30']);
  });

  it('are not sent if the setting is 0', async () => {
    expect(await createRequestQuota(program.database.db, 0).take()).toMatch(/T00:00:00\.000Z$/);
  });
});

describe('a list that the platform ends early', () => {
  it('is capped, not whole: members beyond its end may still follow', async () => {
    const { adapter } = listOf(35);
    const whole = await read('nearly', adapter, { stated: 40 });
    expect(whole.end).toEqual({ status: 'done' });
    const early = await read('early', adapter, { stated: 400 });
    expect(early.end).toEqual({ status: 'capped' });
    const events = await recorded('early');
    expect(events.map(({ done, capped }) => [done, capped]).at(-1)).toEqual([false, true]);
  });
});
