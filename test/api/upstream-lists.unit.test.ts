import { describe, expect, it } from 'vitest';
import type { Answer, Endpoint } from '../../src/api/contract/endpoint.ts';
import scrapeXFollowers from '../../src/api/endpoints/scrape/scrapeXFollowers.ts';
import scrapeXTweets from '../../src/api/endpoints/scrape/scrapeXTweets.ts';
import { adapterOf } from '../../src/crawlers/platforms/registry.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';

const ITEMS = Array.from({ length: 57 }, (_, i) => ({
  id: `${1_000 - i}`,
  handle: `h${i}`,
  hashtags: null,
  mentions: null,
}));
const PINNED = ITEMS[31];

const profile = { ...emptyProfile('nasa'), id: '1', followers: ITEMS.length };
const read = async () => ({
  reading: { status: 'present', profile, measured: ['private'] },
  observedAtMs: 0,
});

/** A platform that sends `extra` items more than it is asked for, and a pinned one besides them. */
const platform = (extra: number) => {
  const asked: { readonly cursor: string | null; readonly count: number }[] = [];
  const page = (cursor: string | null, count: number) => {
    asked.push({ cursor, count });
    const from = Number(cursor ?? 0);
    const to = from + count + extra;
    return { items: ITEMS.slice(from, to), cursor: to < ITEMS.length ? String(to) : null };
  };
  const live = {
    read,
    readPosts: async (_: string, at: { cursor: string | null }, count: number) => {
      const { items, cursor } = page(at.cursor, count);
      const posts = at.cursor === null ? [...new Set([PINNED, ...items])] : items;
      const pinned = at.cursor === null ? new Set([PINNED?.id]) : undefined;
      return {
        reading: { status: 'present', profile, posts, pinned, postsCursor: cursor },
        observedAtMs: 0,
        session: 's',
      };
    },
    readFollowers: async (
      _: string,
      at: { cursor: string | null },
      sweep: { id: string; part: number },
      count: number,
    ) => {
      const { items, cursor } = page(at.cursor, count);
      const reading = { status: 'present', members: items, cursor };
      const recorded = { sweep: sweep.id, first: sweep.part, pages: sweep.part + 1 };
      return { reading, observedAtMs: 0, session: 's', recorded };
    },
  };
  return { live, asked };
};

/** All pages of a list whose `limit` changes from page to page. */
const pagesOf = async (endpoint: Endpoint, live: unknown, limits: readonly number[]) => {
  const pages: Answer<{ id: string; pinned?: boolean }[]>[] = [];
  let after: Answer<unknown>['next'] = null;
  do {
    const limit = limits[pages.length % limits.length];
    const request = {
      query: { handle: 'nasa' },
      services: { live, adapterOf },
      caller: { holder: 'h' },
      requestId: 'r',
      nowMs: 0,
      startedMs: 0,
      after,
      limit,
    };
    const page = (await endpoint.handler(request as never)) as Answer<{ id: string; pinned?: boolean }[]>;
    expect(page.data.length).toBeLessThanOrEqual(limit ?? 0);
    for (const { id, pinned } of page.data)
      if (pinned !== undefined) expect(pinned).toBe(after === null && id === PINNED?.id);
    pages.push(page);
    after = page.next ?? null;
  } while (after !== null && pages.length < 100);
  return pages;
};

const LIMITS = [[10], [1], [20, 5], [5, 20], [40, 1, 3], [7, 40]];
const CASES = [0, 1, 5].flatMap((extra) => LIMITS.map((limits) => [limits, extra] as const));

describe.each([
  ['posts', scrapeXTweets, 'posts'],
  ['followers', scrapeXFollowers, 'followers'],
] as const)('pages of %s from the platform', (_, endpoint, kind) => {
  it.each(CASES)(
    'have each item once with limits %j, if %i more are sent than requested',
    async (limits, extra) => {
      const { live } = platform(extra);
      const pages = await pagesOf(endpoint, live, limits);
      const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
      const expected = ITEMS.map(({ id }) => id);
      if (kind === 'posts') expected.unshift(...expected.splice(31, 1));
      expect(ids).toEqual(expected);
    },
  );
});

it('do not count a pinned post as a page', async () => {
  const { live, asked } = platform(0);
  const pages = await pagesOf(scrapeXTweets, live, [20]);
  expect(asked.map(({ cursor }) => cursor)).toEqual([null, '19', '39']);
  expect(pages.map(({ data }) => data.length)).toEqual([20, 19, 18]);
});

it('continue a partly read page as the same part of the sweep', async () => {
  const { live } = platform(5);
  const pages = await pagesOf(scrapeXFollowers, live, [10]);
  const parts = pages.map(({ next }) => next?.[6]);
  expect(parts).toEqual([0, 1, 1, 2, 2, 3, 3, undefined].slice(0, parts.length));
  expect(pages.at(-1)?.account?.capped).toBe(false);
});
