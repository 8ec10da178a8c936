import { describe, expect, it } from 'vitest';
import { SITES } from '../../../infra/simulator/platforms/registry.ts';
import { isSimulated, type Platform } from '../../../infra/simulator/simulated-platforms.ts';
import type { Account, SimPost } from '../../../infra/simulator/world/account.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';
import type { Http, HttpRequest } from '../../../src/crawlers/http/port.ts';
import type { FollowsReading, PlatformAdapter } from '../../../src/crawlers/platforms/adapter.ts';
import { createRegistry } from '../../../src/crawlers/platforms/registry.ts';
import type { Post } from '../../../src/write/accounts/post.ts';
import { shown } from '../../crawlers/platforms/pages.ts';
import { withSimulatedSession } from '../../support/sessions.ts';

const NOW = Date.UTC(2026, 9, 1);
const world = createWorld({ seed: 7, size: 300, clock: { now: () => NOW } });
const registry = createRegistry();

/** The simulated platforms, without sockets. */
const createSites = (): Http & { readonly asked: string[] } => {
  const asked: string[] = [];
  return withSimulatedSession({
    asked,
    fetch: async ({ platform, url, method = 'GET', headers = {}, body = '' }: HttpRequest) => {
      asked.push(url);
      if (!isSimulated(platform)) throw new RangeError(`${platform} is not simulated`);
      const { host, pathname, searchParams } = new URL(url);
      const reply = SITES[platform].serve(world, {
        method,
        host,
        path: decodeURIComponent(pathname),
        query: searchParams,
        headers,
        body,
        at: NOW,
      });
      const text = reply.body.map(String).join('');
      return { url, status: reply.status, headers: reply.headers, body: text, bytes: text.length };
    },
    close: async () => undefined,
  });
};

/** Public accounts with this many posts or more. */
const writers = (platform: Platform, least: number, most = 6): readonly Account[] =>
  Array.from({ length: world.size }, (_, index) => world.account(platform, index, NOW))
    .filter(
      ({ status, quirks, kind }) =>
        status === 'active' && quirks.size === 0 && (kind === 'person' || kind === 'channel'),
    )
    .filter(({ posts }) => posts >= least)
    .slice(0, most);

const read = async (adapter: PlatformAdapter, account: Account, pages: number) => {
  const http = createSites();
  const reading = await adapter.read(
    { kind: 'handle', handle: account.handle },
    { http, posts: true, window: { pages, since: null } },
  );
  return { ...shown(reading), requests: http.asked.length };
};

const figuresOf = ({ likes, replies, reposts, views }: Post | SimPost) => ({
  likes,
  replies,
  reposts,
  views,
});
const atOf = (post: SimPost) => new Date(post.at).toISOString();

/** The adapter's post that is the world's; X puts a mark in front of reposts. */
const matching = (posts: readonly Post[], post: SimPost): Post | undefined =>
  posts.find(
    ({ at, text }) =>
      at === atOf(post) && (text ?? '').replace(/^RT /, '').startsWith(post.text.slice(0, 20)),
  );

describe.each(['x', 'tiktok', 'bluesky'] as const)('the timeline of %s', (platform) => {
  const adapter = registry.adapterOf(platform);

  it('is read in order, with nothing missing since the oldest post', async () => {
    const accounts = writers(platform, 130);
    expect(accounts.length).toBeGreaterThan(1);
    for (const account of accounts) {
      const { posts, postOrder, postsSince } = await read(adapter, account, 2);
      expect(postOrder).toBe('time');
      const since = Date.parse(postsSince as string);
      const written = world
        .posts(account, NOW, 200)
        .filter(({ at, kind }) => at >= since && (platform !== 'bluesky' || kind !== 'repost'));
      expect(written.length).toBeGreaterThan(15);
      for (const post of written) expect(matching(posts ?? [], post), atOf(post)).toBeDefined();
    }
  });

  it('is whole when its end was reached', async () => {
    const few = writers(platform, 3, 300)
      .filter(({ posts }) => posts < 300)
      .slice(0, 4);
    expect(few.length).toBeGreaterThan(0);
    for (const account of few) {
      const { posts, postsSince } = await read(adapter, account, 20);
      const written = world.posts(account, NOW, 300);
      const own = platform === 'bluesky' ? written.filter(({ kind }) => kind !== 'repost') : written;
      expect(postsSince).toBeNull();
      expect(posts).toHaveLength(own.length);
    }
  });

  it('has the figures, tags and language that the platform shows', async () => {
    for (const account of writers(platform, 20)) {
      const { posts } = await read(adapter, account, 1);
      for (const post of world.posts(account, NOW, 10)) {
        if (post.kind === 'repost') continue;
        const found = matching(posts ?? [], post);
        expect(found?.lang).toBe(post.lang);
        expect(found?.hashtags).toEqual([
          ...new Set(post.hashtags.map((tag) => tag.normalize('NFC').toLowerCase())),
        ]);
        expect(found?.links).toBe(post.links.length);
        const told = figuresOf(post);
        const views = platform === 'bluesky' || found?.views === null ? { views: null } : {};
        expect(figuresOf(found as Post)).toEqual({ ...told, ...views });
      }
    }
  });
});

it('X and Bluesky name the post that a reply answers and a quote cites', async () => {
  for (const platform of ['x', 'bluesky'] as const) {
    const kinds = new Set<string>();
    for (const account of writers(platform, 60)) {
      const { posts } = await read(registry.adapterOf(platform), account, 1);
      for (const post of world.posts(account, NOW, 15)) {
        const reference = post.kind === 'reply' ? post.replyTo : post.kind === 'quote' ? post.target : null;
        if (reference === null) continue;
        const found = matching(posts ?? [], post);
        const named = post.kind === 'reply' ? found?.reply_to : found?.target;
        expect(named?.account).toBe(world.handleOf(platform, reference.index, NOW));
        kinds.add(post.kind);
      }
    }
    expect([...kinds].sort(), platform).toEqual(['quote', 'reply']);
  }
});

it('Instagram shows counts and times in one request, and hides likes on request of the owner', async () => {
  const adapter = registry.adapterOf('instagram');
  let hidden = 0;
  for (const account of writers('instagram', 12, 60)) {
    const { posts, requests } = await read(adapter, account, 1);
    expect(requests).toBe(1);
    for (const post of world.posts(account, NOW, 8)) {
      const found = matching(posts ?? [], post);
      expect(found?.likes).toBe(post.likesHidden ? null : post.likes);
      if (post.likesHidden) hidden += 1;
    }
  }
  expect(hidden).toBeGreaterThan(0);
});

describe.each(['x', 'bluesky'] as const)('the follower lists of %s', (platform) => {
  const adapter = registry.adapterOf(platform);

  /** Reads a list to its end or to `most` members. */
  const walk = async (account: Account, direction: 'followers' | 'following', most: number) => {
    const members: { id: string; handle: string | null }[] = [];
    const http = createSites();
    let cursor: string | null = null;
    do {
      const page: FollowsReading | undefined = await adapter.readFollows?.(account.id, direction, {
        http,
        cursor,
      });
      if (page?.status !== 'present') throw new Error(`it says ${page?.status}`);
      members.push(...page.members);
      cursor = page.cursor;
    } while (cursor !== null && members.length < most);
    return { members, ended: cursor === null };
  };

  it.each(['followers', 'following'] as const)(
    'have every member once, in order (%s)',
    { tags: 'long' },
    async (direction) => {
      const small = writers(platform, 1, 200).filter(
        (account) => account[direction] > 0 && account[direction] < 2_000,
      );
      expect(small.length).toBeGreaterThan(3);
      for (const account of small.slice(0, 8)) {
        const list = world[direction](platform, account.index, NOW);
        const { members, ended } = await walk(account, direction, 5_000);
        expect(ended).toBe(true);
        expect(members).toHaveLength(account[direction]);
        expect(members).toEqual(list.page(0, list.total).map(({ id, handle }) => ({ id, handle })));
        expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
      }
    },
  );

  it('have readable members', async () => {
    const [account] = writers(platform, 1);
    const { members } = await walk(account as Account, 'followers', 60);
    const verdicts = new Set<string>();
    for (const { handle } of members.slice(0, 40)) {
      const http = createSites();
      const reading = await adapter.read(
        { kind: 'handle', handle: handle as string },
        { http, posts: false },
      );
      verdicts.add(reading.status);
      if (reading.status === 'present') expect(reading.profile.handle).toBe(handle);
    }
    expect(verdicts).toContain('present');
  });
});
