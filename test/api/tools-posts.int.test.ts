import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import type { Post } from '../../src/write/accounts/post.ts';
import { createTestProgram, posted, sighted, type TestProgram } from '../support/program.ts';
import { type ToolAnswer, type ToolCall, toolCalls } from '../support/tools.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 9, 31, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

let program: TestProgram;
let call: ToolCall;

/** Posts of which the n-th has so many likes, and a comment for so many of them. */
const postsOf = (
  count: number,
  likes: (n: number) => number,
  perComment = 20,
): (Partial<Post> & { id: string })[] =>
  Array.from({ length: count }, (_, n) => ({
    id: String(100 + n),
    at: daysAgo(5 + n),
    likes: likes(n),
    replies: Math.round(likes(n) / perComment),
    reposts: Math.round(likes(n) / 10),
    quotes: 0,
    views: 30 * likes(n),
  }));

const timeline = (...posts: (Partial<Post> & { id: string })[]) => {
  const event = posted(daysAgo(0), ...posts);
  if (event.type !== 'PostsSighted') throw new Error('no posts');
  return { ...event, data: { ...event.data, order: 'time' as const } };
};

const inputsOf = ({ data }: ToolAnswer): readonly string[] =>
  data.inputs.map(({ input }: { input: string }) => input);

/** Likes that rise and fall, as those of most accounts. */
const usual = (n: number): number => Math.round(200 * 4 ** Math.sin(n * 2.4));

beforeAll(async () => {
  program = await createTestProgram();
  call = await toolCalls(program, await program.issueKey(['tools:run']));
  for (let n = 0; n < 110; n++)
    await program.append(
      'x',
      `crowd${n}`,
      sighted(`crowd${n}`, daysAgo(0), { followers: 1_000 + 80 * n }),
      timeline(...postsOf(12, (k) => Math.round(usual(k + n) * (1 + (n % 7) / 10)), 15 + (n % 10))),
    );
  await program.append(
    'x',
    'ada',
    sighted('ada', daysAgo(0), { followers: 5_000, created_at: '2020-01-01T00:00:00.000Z' }),
    timeline(
      { id: '900', at: daysAgo(30), likes: 90_000, replies: 0, reposts: 0, quotes: 0, views: null },
      { id: '901', at: daysAgo(1), likes: 60_000, replies: 0, reposts: 0, quotes: 0, views: null },
      { id: '903', at: daysAgo(1), likes: 3, replies: 0, reposts: 0, quotes: 0, views: null },
      { id: '902', at: daysAgo(9), kind: 'reply', likes: 7, replies: 0, reposts: 0, quotes: 0, views: null },
      ...postsOf(30, usual),
    ),
  );
  // The same number of likes each time, and never a comment.
  await program.append(
    'x',
    'steady',
    sighted('steady', daysAgo(0), { followers: 4_000 }),
    timeline(...postsOf(40, (n) => 1_000 + (n % 3), 1e9)),
  );
  await program.append(
    'x',
    'quiet',
    sighted('quiet', daysAgo(0), { followers: 4_000 }),
    timeline(...postsOf(5, usual)),
  );
  await program.append(
    'x',
    'unliked',
    sighted('unliked', daysAgo(0), { followers: 4_000 }),
    timeline(...postsOf(12, () => 0).map((post, n) => ({ ...post, replies: 2 + n }))),
  );
  await program.append(
    'x',
    'calm',
    sighted('calm', daysAgo(0), { followers: 4_000 }),
    timeline(...postsOf(12, () => 2)),
  );
  await program.append(
    'bluesky',
    'dora.test',
    sighted('dora.test', daysAgo(0), { id: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz', followers: 50 }),
    timeline(
      ...postsOf(12, usual).map((post) => ({
        ...post,
        id: `at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3k${post.id}`,
      })),
    ),
  );
  await program.append(
    'telegram',
    'channel_one',
    sighted('channel_one', daysAgo(0), { followers: 50 }),
    timeline(...postsOf(12, usual)),
  );
  await program.project();
  await computeLadders({ db: program.database.db, log: program.log });
  await program.project();
});
afterAll(() => program.close());

describe('runEngagementAuthenticity', () => {
  it('compares reactions with the platform’s accounts, and flags those beyond nearly all', async () => {
    const { data, meta } = await call('engagement-authenticity', { platform: 'x', handle: 'steady' });
    const rules = data.flags.map(({ rule }: { rule: string }) => rule);
    expect(rules).toEqual(expect.arrayContaining(['reactions_constant', 'few_comments']));
    expect(data.variance.percentile).toMatchObject({ accounts: expect.any(Number) });
    expect(data.variance.percentile.high).toBeLessThan(15);
    const [constant] = data.flags;
    expect(constant.evidence.high).toBeLessThan(constant.threshold);
    expect(data.ratios.comments_per_like).toMatchObject({ value: 0, low: 0 });
    expect(meta.warnings).not.toContain('population_unknown');
    expect(inputsOf(await call('engagement-authenticity', { platform: 'x', handle: 'steady' }))).toEqual([
      'account',
      'posts',
      'population',
      'norms',
    ]);
    const ordinary = await call('engagement-authenticity', { platform: 'x', handle: 'crowd3' });
    expect(ordinary.data.flags).toEqual([]);
    expect(ordinary.data.posts_n).toBe(12);
  });

  it('compares with nobody where the population is too small, and refuses few posts', async () => {
    const alone = await call('engagement-authenticity', { platform: 'telegram', handle: 'channel_one' });
    expect(alone.data.variance.percentile).toBeNull();
    expect(alone.meta.warnings).toContain('population_unknown');
    const unliked = await call('engagement-authenticity', { platform: 'x', handle: 'unliked' });
    expect(unliked.data.not_known).toContain('comments_per_like, as its posts have no likes');
    const few = await call('engagement-authenticity', { platform: 'x', handle: 'quiet' });
    expect([few.status, few.error.details]).toEqual([422, [{ path: 'posts', message: 'has 5, needs 8' }]]);
    expect((await call('engagement-authenticity', { platform: 'x', handle: 'nobody' })).status).toBe(404);
    expect((await call('engagement-authenticity', { platform: 'linkedin', handle: 'a' })).status).toBe(400);
  });
});

describe('tools that rest on a population', () => {
  it('name it beside the account and its posts', async () => {
    const of = (name: string) => call(name, { platform: 'x', handle: 'steady' });
    expect(inputsOf(await of('best-time-to-post'))).toEqual(['account', 'posts', 'population']);
    expect(inputsOf(await of('account-score'))).toEqual([
      'account',
      'posts',
      'followers',
      'population',
      'norms',
    ]);
  });

  it('show the interval of a percentile in it', async () => {
    const { data } = await call('engagement-rate', { platform: 'x', handle: 'crowd30', window_days: 90 });
    expect(data.percentile).not.toBeNull();
    const { low, high, accounts } = data.percentile_interval;
    expect(low <= data.percentile && data.percentile <= high).toBe(true);
    expect(high - low).toBeGreaterThan(5);
    expect(accounts).toBeGreaterThanOrEqual(30);
  });
});

describe('runViralityCheck', () => {
  const check = (platform: string, post_url: string) => call('virality-check', { platform, post_url });

  it('says how far a post exceeds its author’s other posts', async () => {
    const { data } = await check('x', 'https://x.com/Ada/status/900?s=20');
    expect(data).toMatchObject({ handle: 'ada', post_id: '900', engagement: 90_000, viral: true });
    const body = { platform: 'x', handle: 'Ada', post_url: 'https://x.com/i/web/status/900' };
    expect((await call('virality-check', body)).data).toMatchObject({
      post_id: '900',
      multiple: data.multiple,
    });
    // The ones that are ripe: the young post and the reply are not.
    expect(data).toMatchObject({ baseline_n: 30, as_much_n: 0, at_least: false });
    expect(data.multiple).toBeCloseTo(90_000 / data.baseline_median, 3);
    const young = await check('x', 'twitter.com/ada/status/901');
    expect(young.data).toMatchObject({ at_least: true, baseline_n: 31, viral: true });
    // It may yet be.
    const calm = await check('x', 'https://x.com/ada/status/903');
    expect(calm.data).toMatchObject({ at_least: true, viral: null });
    const usualOne = await check('x', 'https://x.com/ada/status/105');
    expect(usualOne.data.viral).toBe(false);
  });

  it('finds posts of Bluesky and Telegram by their URLs', async () => {
    for (const name of ['dora.test', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz']) {
      const { data } = await check('bluesky', `https://bsky.app/profile/${name}/post/3k103`);
      expect(data.post_id).toBe('at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3k103');
    }
    const { data } = await check('telegram', 'https://t.me/s/channel_one/104');
    expect(data).toMatchObject({ handle: 'channel_one', post_id: '104' });
  });

  it('refuses other URLs, and platforms whose URLs name no account', async () => {
    for (const url of [
      'https://x.com/ada',
      'https://x.com/i/status/900',
      'https://t.me/ada/9',
      'nonsense',
      '::',
    ])
      expect((await check('x', url)).error?.details[0].path, url).toBe('body.post_url');
    const { error } = await check('instagram', 'https://www.instagram.com/p/abc/');
    expect(error.details[0]).toEqual({
      path: 'body.platform',
      message: 'must be one of x, tiktok, telegram, bluesky',
    });
  });

  it('answers 404 for a post that was not read, and 422 where the others are too few', async () => {
    expect((await check('x', 'https://x.com/ada/status/77')).status).toBe(404);
    expect((await check('x', 'https://x.com/nobody/status/77')).status).toBe(404);
    const few = await check('x', 'https://x.com/quiet/status/100');
    expect([few.status, few.error.details]).toEqual([422, [{ path: 'posts', message: 'has 4, needs 8' }]]);
    const calm = await check('x', 'https://x.com/calm/status/100');
    expect(calm.error.details).toEqual([{ path: 'median_engagement', message: 'has 2, needs 5' }]);
    const reply = await check('x', 'https://x.com/ada/status/902');
    expect(reply.error.details).toEqual([{ path: 'post', message: 'a reply' }]);
  });
});

describe('runAccountScore', () => {
  it('is the weighted sum of its known parts', async () => {
    const { data, meta } = await call('account-score', { platform: 'x', handle: 'ada' });
    const parts: { name: string; value: number | null; weight: number; points: number }[] = data.components;
    expect(parts.map(({ name }) => name)).toEqual([
      'reach',
      'engagement',
      'growth',
      'activity',
      'age',
      'reactions',
    ]);
    expect(parts.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(data.score, 2);
    expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(100, 2);
    // A single reading has no slope.
    expect(parts[2]).toMatchObject({ name: 'growth', value: null, weight: 0, points: 0 });
    expect(parts[4]).toMatchObject({ value: 1 });
    expect(data.known_points).toBe(85);
    expect(meta.coverage).toEqual({ sampled: 85, total: 100, capped: false });
    expect(data.not_known).toContain('growth: too little is known of it');
    expect(['A', 'B', 'C', 'D', 'E']).toContain(data.grade);
  });

  it('refuses an account of which less than 70 points are known', async () => {
    const bare = await call('account-score', { platform: 'telegram', handle: 'channel_one' });
    expect([bare.status, bare.error.code]).toEqual([422, 'insufficient_data']);
    expect(bare.error.details[0]).toEqual({ path: 'points', message: 'has 10, needs 70' });
    expect((await call('account-score', { platform: 'x', handle: 'nobody' })).status).toBe(404);
  });
});
