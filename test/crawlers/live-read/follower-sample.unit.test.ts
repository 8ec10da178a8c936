import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readFollowerSample } from '../../../src/crawlers/live-read/follower-sample.ts';
import type { LiveReader } from '../../../src/crawlers/live-read/port.ts';
import { ServiceError } from '../../../src/kernel/errors.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';

const NOW = Date.UTC(2026, 9, 1);
const CALL = { holder: 'tester', requestId: 'req_1', untilMs: NOW + 60_000 };
const ADDRESS = { kind: 'handle', handle: 'star' } as const;

interface Asked {
  readonly cursor: string | null;
  readonly session: string | null;
  readonly part: number;
  readonly listed: number;
  readonly limit: number;
}

/** Lists of so many followers, a hundred a page. */
const readerOf = (
  total: number,
  {
    fails = null as number | null,
    overlap = 0,
    status = 'present' as 'present' | 'private',
    stated = total,
    id = '1' as string | null,
    list = 'present' as 'present' | 'private',
  } = {},
) => {
  const asked: Asked[] = [];
  const account = { ...emptyProfile('star'), id, followers: stated };
  const live = {
    read: async () => ({
      reading: { status, profile: account, posts: null, measured: [], surface: 'graphql', warnings: [] },
      observedAtMs: NOW,
    }),
    readFollowers: async (...given: Parameters<LiveReader['readFollowers']>) => {
      const [, { cursor, session }, { part, listed }, limit] = given;
      asked.push({ cursor, session, part, listed, limit });
      if (list === 'private') return { reading: { status: list, surface: 'graphql' }, observedAtMs: NOW };
      if (asked.length === fails) throw new ServiceError('platform_timeout', 'The platform timed out.');
      const from = Math.max(0, Number(cursor ?? 0) - overlap);
      const ids = Array.from({ length: Math.min(100, limit, total - from) }, (_, n) => String(from + n + 10));
      const end = from + ids.length;
      return {
        reading: {
          status: 'present' as const,
          surface: 'graphql',
          members: ids.map((id) => ({ id, handle: `fan${id}` })),
          // Every tenth is listed without a profile.
          profiles: new Map(
            ids
              .filter((id) => !id.endsWith('9'))
              .map((id) => [
                id,
                {
                  ...emptyProfile(`fan${id}`),
                  id,
                  followers: 5,
                  created_at: '2026-09-01T00:00:00.000Z',
                  bio: 'a bio',
                },
              ]),
          ),
          withoutPicture: new Set(ids.filter((id) => id.endsWith('1'))),
          order: 'newest_first' as const,
          cursor: end < total ? String(end) : null,
        },
        observedAtMs: NOW + asked.length,
        session: `ses_${asked.length}`,
        recorded: { sweep: 'sweep', first: part, pages: part + 1 },
      };
    },
  } as unknown as Pick<LiveReader, 'read' | 'readFollowers'>;
  return { live, asked };
};

describe('a sample of followers', () => {
  it('is read page by page in one session, as parts of one sweep', async () => {
    const { live, asked } = readerOf(1_000);
    const sample = await readFollowerSample(live, 'x', ADDRESS, 250, CALL);
    expect(asked).toEqual([
      { cursor: null, session: null, part: 0, listed: 0, limit: 250 },
      { cursor: '100', session: 'ses_1', part: 1, listed: 100, limit: 150 },
      { cursor: '200', session: 'ses_2', part: 2, listed: 200, limit: 50 },
    ]);
    expect(sample).toMatchObject({
      listed: 250,
      unshown: 25,
      isWhole: false,
      error: null,
      readAtMs: NOW + 1,
    });
    expect(sample.followers).toHaveLength(225);
    expect(sample.positions.slice(0, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
    expect([sample.positions.length, sample.positions.at(-1)]).toEqual([225, 248]);
    expect(sample.followers[1]).toEqual({
      createdMs: Date.UTC(2026, 8, 1),
      ageDays: expect.closeTo(30, 5),
      followers: 5,
      following: null,
      posts: null,
      hasAvatar: false,
      hasBio: true,
    });
  });

  it('is whole where the list ends', async () => {
    const { live } = readerOf(130);
    expect(await readFollowerSample(live, 'x', ADDRESS, 500, CALL)).toMatchObject({
      listed: 130,
      isEnd: true,
      isWhole: true,
    });
  });

  it('is not whole where the list ends long before the profile’s count', async () => {
    const { live } = readerOf(300, { stated: 50_000 });
    expect(await readFollowerSample(live, 'x', ADDRESS, 500, CALL)).toMatchObject({
      listed: 300,
      isEnd: true,
      isWhole: false,
      error: null,
    });
    const { live: almost } = readerOf(295, { stated: 300 });
    expect(await readFollowerSample(almost, 'x', ADDRESS, 500, CALL)).toMatchObject({ isWhole: true });
  });

  it('cannot be read if the page shows no ID: the platform’s layout changed', async () => {
    const { live, asked } = readerOf(300, { id: null });
    await expect(readFollowerSample(live, 'x', ADDRESS, 500, CALL)).rejects.toMatchObject({
      code: 'platform_layout_changed',
    });
    expect(asked).toEqual([]);
  });

  it('has the status of a hidden list of a visible account', async () => {
    const { live } = readerOf(300, { list: 'private' });
    expect(await readFollowerSample(live, 'x', ADDRESS, 500, CALL)).toMatchObject({
      listed: 0,
      status: 'private',
    });
  });

  it('counts no follower twice if the list moved between two pages', async () => {
    const { live } = readerOf(400, { overlap: 10 });
    const sample = await readFollowerSample(live, 'x', ADDRESS, 290, CALL);
    expect(sample).toMatchObject({ listed: 290, unshown: 29 });
    expect(sample.followers).toHaveLength(261);
  });

  it('keeps what was read before a failing page, and the failure', async () => {
    const { live, asked } = readerOf(1_000, { fails: 3 });
    const sample = await readFollowerSample(live, 'x', ADDRESS, 500, CALL);
    expect(asked).toHaveLength(3);
    expect(sample).toMatchObject({ listed: 200, isWhole: false, error: { code: 'platform_timeout' } });
  });

  it('is empty for an account that hides its list, without asking for a page', async () => {
    const { live, asked } = readerOf(1_000, { status: 'private' });
    expect(await readFollowerSample(live, 'x', ADDRESS, 500, CALL)).toMatchObject({
      listed: 0,
      status: 'private',
      readAtMs: null,
    });
    expect(asked).toEqual([]);
  });

  it('keeps only what an audit needs of its followers, so that 30 pages take the memory of one', {
    tags: 'long',
  }, async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { live } = readerOf(3_000);
    const pages: WeakRef<object>[] = [];
    let most = 0;
    const measuring = {
      read: live.read,
      readFollowers: async (...given: Parameters<LiveReader['readFollowers']>) => {
        // References that a turn of the event loop made are kept until its end.
        await nextTurn();
        collect();
        most = Math.max(most, pages.filter((page) => page.deref() !== undefined).length);
        const page = await live.readFollowers(...given);
        if (page.reading.status === 'present') pages.push(new WeakRef(page.reading.profiles as object));
        return page;
      },
    };
    const sample = await readFollowerSample(measuring, 'x', ADDRESS, 3_000, CALL);
    expect(sample.followers).toHaveLength(2_700);
    expect(pages).toHaveLength(30);
    expect(most).toBeLessThanOrEqual(1);
  });
});
