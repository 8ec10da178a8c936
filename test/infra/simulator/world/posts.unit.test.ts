import { describe, expect, it } from 'vitest';
import { DAY, type SimPost } from '../../../../infra/simulator/world/account.ts';
import { parseParameters } from '../../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';

const NOW = Date.UTC(2026, 9, 1);
const HOUR = 3_600_000;
const world = createWorld({ seed: 7, size: 3000, clock: { now: () => NOW } });
const calm = createWorld({
  seed: 7,
  size: 3000,
  clock: { now: () => NOW },
  parameters: parseParameters({ purges: { rate: 0 } }),
});
const FIGURES = ['likes', 'replies', 'reposts', 'quotes', 'views'] as const;
const figuresOf = (post: SimPost | null) => FIGURES.map((name) => post?.[name] ?? 0);
/** Accounts with many followers and posts, whose figures are not all 0. */
const busy = (platform: 'x' | 'bluesky' | 'instagram' | 'tiktok', where = world) =>
  Array.from({ length: 3000 }, (_, index) => where.account(platform, index, NOW)).filter(
    ({ followers, posts }) => followers > 5000 && posts > 40,
  );

describe('figures of a post', () => {
  it('never shrink without a purge, and are final when the post is old', () => {
    for (const account of busy('tiktok', calm).slice(0, 20)) {
      const [post] = calm.posts(account, NOW, 1);
      if (!post) continue;
      const ages = [0.01, 0.1, 1, 3, 10, 30, 100, 300, 1000, 3000].map((hours) => hours * HOUR);
      const then = ages.map((age) => figuresOf(calm.post('tiktok', account.index, post.n, post.at + age)));
      for (let n = 1; n < then.length; n++)
        then[n]?.forEach((value, at) => {
          expect(value).toBeGreaterThanOrEqual(then[n - 1]?.[at] ?? 0);
        });
      const late = [4000, 8000].map((hours) =>
        figuresOf(calm.post('tiktok', account.index, post.n, post.at + hours * HOUR)),
      );
      expect(late[1]).toEqual(late[0]);
    }
  });
  it('shrink by a purge only', () => {
    const [purge] = world.hidden.growth.purges('x', NOW, NOW + 3000 * DAY);
    if (!purge) throw new Error('this world has no purge of X');
    const falls = busy('x').flatMap((account) => {
      const [post] = world.posts(
        account,
        purge.at - 200 * DAY,
        1,
        world.account('x', account.index, purge.at - 200 * DAY).posts,
      );
      if (!post || post.likes * purge.loss < 6) return [];
      const [before, after] = [-1, 2].map(
        (days) => world.post('x', account.index, post.n, purge.at + days * DAY)?.likes ?? 0,
      );
      return [(after ?? 0) / (before ?? 1)];
    });
    expect(falls.length).toBeGreaterThan(3);
    for (const fall of falls) {
      expect(fall).toBeLessThan(1);
      expect(fall).toBeGreaterThan(0.9);
    }
  });
  it('depend on the followers at the time of the post', () => {
    const account = busy('x')[0];
    if (!account) throw new Error('nobody posts');
    const [post] = world.posts(account, NOW, 1);
    const causes = world.hidden.causes('x', account.index, post?.n ?? 0);
    expect(causes.followersThen).toBeCloseTo(world.hidden.followers('x', account.index, post?.at ?? 0), 6);
    const { rate } = world.hidden.traits('x', account.index).engagement;
    const { features, streak, outlier, timing, ban } = causes;
    const all = Object.values(features).reduce((a, b) => a * b, streak * outlier * timing * ban);
    expect(causes.engagement / (rate * causes.followersThen * all)).toBeCloseTo(1, 9);
  });
  it('are the same in a list, alone, and pinned', () => {
    const account = busy('x').find((one) => world.pinned(one, NOW) !== null);
    if (!account) throw new Error('nobody pins');
    const pinned = world.pinned(account, NOW);
    expect(pinned?.pinned).toBe(true);
    const [listed] = world.posts(account, NOW, 1, (pinned?.n ?? 0) + 1);
    expect(listed).toEqual(pinned);
    expect(world.post('x', account.index, pinned?.n ?? 0, NOW)).toEqual(pinned);
    expect(world.post('x', account.index, account.posts, NOW)).toBeNull();
  });
  it('hide likes on all posts of a few Instagram accounts', () => {
    const hiding = Array.from({ length: 3000 }, (_, index) => world.account('instagram', index, NOW))
      .filter(({ posts }) => posts > 3)
      .map((account) => new Set(world.posts(account, NOW, 4).map((post) => post.likesHidden)));
    expect(hiding.every((kinds) => kinds.size === 1)).toBe(true);
    const share = hiding.filter((kinds) => kinds.has(true)).length / hiding.length;
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.07);
  });
});

describe('the text of a post', () => {
  const posts = busy('bluesky')
    .slice(0, 60)
    .flatMap((account) => world.posts(account, NOW, 40).map((post) => ({ account, post })));
  it('contains its hashtags, links and mentions as a reader sees them', () => {
    for (const { post } of posts) {
      for (const tag of post.hashtags) expect(post.text).toContain(`#${tag}`);
      for (const link of post.links) expect(post.text).toContain(link);
      for (const index of post.mentions)
        expect(post.text).toContain(`@${world.handleOf('bluesky', index, post.at)}`);
    }
    expect(posts.some(({ post }) => post.hashtags.length > 1)).toBe(true);
    expect(posts.some(({ post }) => post.links.length > 0)).toBe(true);
    expect(posts.some(({ post }) => post.mentions.length > 0)).toBe(true);
  });
  it('answers and cites earlier posts', () => {
    const kinds = new Set(posts.map(({ post }) => post.kind));
    expect([...kinds].sort()).toEqual(['original', 'quote', 'reply', 'repost']);
    for (const { post } of posts) {
      const cited = post.replyTo ?? post.target;
      expect(cited === null).toBe(post.kind === 'original');
      if (!cited) continue;
      const there = world.post('bluesky', cited.index, cited.n, post.at);
      expect(there?.at).toBeLessThanOrEqual(post.at);
    }
  });
  it('is in the account’s language and time order', () => {
    for (const account of busy('bluesky').slice(0, 40)) {
      const list = world.posts(account, NOW, 60);
      for (let n = 1; n < list.length; n++)
        expect(list[n - 1]?.at).toBeGreaterThanOrEqual(list[n]?.at ?? Infinity);
      expect(list[0]?.at).toBeLessThanOrEqual(NOW);
      const own = list.filter((post) => post.lang === account.language).length;
      expect(own / list.length).toBeGreaterThan(0.6);
    }
  });
});
