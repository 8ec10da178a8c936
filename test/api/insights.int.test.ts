import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import type { Post } from '../../src/write/accounts/post.ts';
import {
  createTestProgram,
  posted,
  sighted,
  type TestProgram,
  unavailable,
  unchanged,
} from '../support/program.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 9, 31, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

type GivenPost = Partial<Post> & { readonly id: string };

/** What a session's timeline shows: newest first, with views and replies. */
const timeline = (at: string, ...posts: GivenPost[]) => {
  const event = posted(at, ...posts);
  if (event.type !== 'PostsSighted') throw new Error('no posts');
  return { ...event, data: { ...event.data, order: 'time' as const } };
};

/** Ten posts from the fifth day on, two days apart, with 11 to 20 likes and a reply each. */
const ten = (more: (n: number) => Partial<Post> = () => ({})): GivenPost[] =>
  Array.from({ length: 10 }, (_, n) => ({
    id: `t${n}`,
    at: daysAgo(5 + 2 * n),
    text: `Post ${n}`,
    likes: 11 + n,
    replies: 1,
    reposts: 0,
    quotes: 0,
    views: 100 * (11 + n),
    ...more(n),
  }));

let program: TestProgram;
let key: string;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
  readonly meta: any;
  readonly error?: { readonly code: string; readonly details: readonly { path: string; message: string }[] };
}

let endpoints: readonly Endpoint[];

/** The endpoint of a path: one without parameters first. */
const endpointOf = (path: string): Endpoint | undefined => {
  const [name = ''] = `/insights/x/${path}`.split('?');
  const handled = name.replace(/^\/insights\/x\/[^/]+/, '/insights/x/{handle}');
  return endpoints.find((one) => one.path === name) ?? endpoints.find((one) => one.path === handled);
};

/** Calls an endpoint, whose answer has to be what its schema says, to the letter. */
const get = async (path: string): Promise<Answer> => {
  const { status, body } = await program.get(`/v2/insights/x/${path}`, key);
  if (status === 200) expect(z.parse((endpointOf(path) as Endpoint).data, body.data)).toEqual(body.data);
  return { status, ...body };
};

/** Posts of a year, some a day, whose engagement is higher in the evening or with a picture by the given factors. */
const year = (seed: number, { evening = 1, picture = 1 }): GivenPost[] => {
  const random = seededRandom(seed);
  return Array.from({ length: 300 }, (_, n) => {
    const at = NOW - (4 + n) * DAY_MS + random.int(24) * 3_600_000;
    const hour = new Date(at).getUTCHours();
    const hasPicture = random.next() < 0.5;
    const effect = (hour >= 17 && hour < 23 ? evening : 1) * (hasPicture ? picture : 1);
    const noise = Math.exp(0.5 * (random.next() + random.next() + random.next() - 1.5));
    return {
      id: `y${n}`,
      at: new Date(at).toISOString(),
      media: hasPicture ? 'photo' : 'none',
      text: 'Hi',
      hashtags: [],
      links: 0,
      likes: Math.round(200 * effect * noise),
      replies: 0,
      reposts: 0,
      quotes: 0,
      views: 10_000,
    };
  });
};

beforeAll(async () => {
  endpoints = await loadEndpoints();
  program = await createTestProgram();
  key = await program.issueKey(['insights:read']);
  await program.append(
    'x',
    'ada',
    sighted('ada', daysAgo(40), { id: '1', followers: 1_000 }),
    timeline(daysAgo(0), ...ten()),
    unchanged(daysAgo(0)),
  );
  for (const [handle, effects] of [
    ['evening', { evening: 4 }],
    ['picture', { picture: 3 }],
    ['even', {}],
  ] as const)
    await program.append(
      'x',
      handle,
      sighted(handle, daysAgo(0), { followers: 5_000 }),
      timeline(daysAgo(0), ...year(7, effects).slice(0, 200)),
      timeline(daysAgo(0), ...year(7, effects).slice(200)),
    );
  await program.append(
    'x',
    'selected',
    sighted('selected', daysAgo(0), { followers: 5_000 }),
    posted(daysAgo(0), ...year(9, {}).slice(0, 120)),
  );
  await program.append(
    'x',
    'brief',
    sighted('brief', daysAgo(0), { followers: 70 }),
    timeline(daysAgo(0), ...ten().slice(0, 7)),
  );
  await program.project();
});
afterAll(() => program.close());

describe('getXInsights', () => {
  it('has medians of ripe originals with intervals, by the followers at each post', async () => {
    const { status, data, meta } = await get('ada');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      platform: 'x',
      handle: 'ada',
      followers: 1_000,
      posts_sampled: 10,
      window: { days: 30, from: daysAgo(30), to: daysAgo(0) },
      engagement_rate_followers: 0.0165,
      median_views: 1_550,
      last_post_at: daysAgo(5),
    });
    const { low, high } = data.intervals.engagement_rate_followers;
    expect(low).toBeLessThan(0.0165);
    expect(high).toBeGreaterThan(0.0165);
    // Each post has more than the one before: ten such posts say little.
    expect(low).toBeGreaterThan(0);
    expect(meta).toMatchObject({
      source: 'catalog',
      method_version: '2',
      coverage: { sampled: 10, total: null, capped: false },
    });
    expect(meta.warnings).toEqual(expect.arrayContaining(['window_not_covered', 'dependence_unclear']));
  });

  it('keeps the followers that an account had when a post was first read', async () => {
    await program.append(
      'x',
      'grown',
      sighted('grown', daysAgo(20), { followers: 100 }),
      timeline(daysAgo(20), ...ten((n) => ({ at: daysAgo(25 + n / 10) }))),
      unchanged(daysAgo(1), { followers: 10_000 }),
      timeline(daysAgo(0), ...ten((n) => ({ at: daysAgo(25 + n / 10), likes: 12 + n }))),
    );
    await program.project();
    const { data } = await get('grown?window_days=60');
    expect(data.followers).toBe(10_000);
    expect(data.engagement_rate_followers).toBe(0.175);
  });

  it('uses the followers of the reading before a post, even if its posts were listed much later', async () => {
    await program.append(
      'x',
      'late',
      sighted('late', daysAgo(100), { followers: 1_000 }),
      unchanged(daysAgo(60), { followers: 10_000 }),
      timeline(daysAgo(0), ...ten((n) => ({ at: daysAgo(90 + n / 10) }))),
      unchanged(daysAgo(0)),
    );
    await program.project();
    expect((await get('late?window_days=365')).data.engagement_rate_followers).toBe(0.0165);
  });

  it('compares with accounts of a third to three times the followers, without itself', async () => {
    const { data, meta } = await get('ada');
    expect(data.cohort.min_followers === null || data.cohort.min_followers >= 333).toBe(true);
    expect(data.percentile_in_cohort).toBeNull();
    expect(meta.warnings).toContain('cohort_small');
  });

  it('shows when the account last published anything', async () => {
    await program.append(
      'x',
      'busy',
      sighted('busy', daysAgo(0), { followers: 9 }),
      timeline(daysAgo(0), ...ten(), { id: 'q', at: daysAgo(1), kind: 'quote', likes: 1 }),
    );
    await program.project();
    expect((await get('busy')).data.last_post_at).toBe(daysAgo(1));
  });

  it('leaves out posts whose counts were read too young, whatever their age now', async () => {
    await program.append(
      'x',
      'stale',
      sighted('stale', daysAgo(24), { followers: 100 }),
      timeline(daysAgo(24), ...ten((n) => ({ at: daysAgo(25 + n / 10) }))),
      unchanged(daysAgo(0)),
    );
    await program.project();
    const { status, error } = await get('stale?window_days=60');
    expect(status).toBe(422);
    expect(error?.details).toEqual([{ path: 'posts', message: 'has 0, needs 8' }]);
  });

  it('refuses fewer than eight posts free of charge, and shows unknown figures as null', async () => {
    const { status, error } = await get('brief');
    expect([status, error?.code, error?.details]).toEqual([
      422,
      'insufficient_data',
      [{ path: 'posts', message: 'has 7, needs 8' }],
    ]);
    await program.append(
      'x',
      'public',
      sighted('public', daysAgo(0), { followers: 100 }),
      posted(daysAgo(0), ...ten(() => ({ views: null, replies: null }))),
    );
    await program.project();
    const { data, meta } = await get('public');
    expect(data).toMatchObject({
      median_views: null,
      engagement_rate_views: null,
      engagement_rate_followers: 0.155,
    });
    expect(meta.warnings).toEqual(
      expect.arrayContaining(['order_unknown', 'views_unknown', 'replies_unknown']),
    );
  });

  it('answers 404 for an account that the catalog lacks, and 400 for an impossible handle or window', async () => {
    expect((await get('nobody')).error?.code).toBe('not_found');
    expect((await get('not%20a%20handle')).error?.code).toBe('invalid_request');
    expect((await get('ada?window_days=6')).error?.code).toBe('invalid_request');
    expect((await get('ada?window_days=366')).status).toBe(400);
  });
});

describe('getXEngagement', () => {
  it('has quartiles of each count and weekly medians that end at the last sighting', async () => {
    const { data } = await get('ada/engagement');
    expect(data.likes).toMatchObject({ median: 15.5, p25: 13.25, p75: 17.75, n: 10 });
    expect(data.replies).toMatchObject({ median: 1, p25: 1, p75: 1 });
    expect(data.engagement.median).toBe(16.5);
    expect(data.weekly.at(-1)).toEqual({
      from: daysAgo(7),
      days: 7,
      posts: 1,
      engagement: 12,
      likes: 11,
      views: 1_100,
    });
    expect(data.weekly.reduce((sum: number, { posts }: { posts: number }) => sum + posts, 0)).toBe(10);
  });
});

describe('listXTopTweets', () => {
  it('pages from most to least, each post once, with its text', async () => {
    const shown: string[] = [];
    let cursor = '';
    do {
      const { data, meta } = await get(`ada/top-tweets?limit=3${cursor}`);
      shown.push(...data.map(({ id, text }: { id: string; text: string }) => `${id} ${text}`));
      cursor = meta.next_cursor === null ? '' : `&cursor=${meta.next_cursor}`;
    } while (cursor !== '');
    expect(shown).toEqual(Array.from({ length: 10 }, (_, n) => `t${9 - n} Post ${9 - n}`));
  });

  it('sorts by views too, unknown last, and marks young posts as not ripe', async () => {
    await program.append(
      'x',
      'mixed',
      sighted('mixed', daysAgo(0), { followers: 10 }),
      timeline(
        daysAgo(0),
        { id: 'a', at: daysAgo(9), likes: 1, views: 5 },
        { id: 'b', at: daysAgo(8), likes: 9 },
        { id: 'c', at: daysAgo(1), likes: 2, views: 70 },
        { id: 'd', at: daysAgo(2), kind: 'reply', likes: 99, views: 99 },
      ),
    );
    await program.project();
    const { data } = await get('mixed/top-tweets?sort=views');
    expect(data.map(({ id, is_ripe }: { id: string; is_ripe: boolean }) => [id, is_ripe])).toEqual([
      ['c', false],
      ['a', true],
      ['b', true],
    ]);
    expect((await get('mixed/top-tweets?sort=likes')).data[0].id).toBe('b');
  });
});

describe('listXViralPosts', () => {
  it('has posts far above the account’s median, and none for an account with too few', async () => {
    await program.append(
      'x',
      'viral',
      sighted('viral', daysAgo(0), { followers: 1_000 }),
      timeline(daysAgo(0), ...ten(), { id: 'far', at: daysAgo(6), likes: 500, text: 'Liftoff.' }),
    );
    await program.project();
    const { data } = await get('viral/viral-posts');
    expect(data).toMatchObject([{ id: 'far', text: 'Liftoff.', multiple: 29.4118 }]);
    expect((await get('viral/viral-posts?min_multiple=30')).data).toEqual([]);
    const brief = await get('brief/viral-posts');
    expect([brief.status, brief.data, brief.meta.coverage.sampled]).toEqual([200, [], 7]);
  });
});

describe('getXPostingPatterns', () => {
  it('finds hours that earn more, in the requested time zone', async () => {
    const { data } = await get('evening/posting-patterns');
    expect(data.significant).toBe(true);
    expect(data.cells).toHaveLength(168);
    const hours = data.best.map(({ hour }: { hour: number }) => hour);
    expect(hours.length).toBeGreaterThan(0);
    for (const hour of hours) expect(hour >= 15 && hour <= 23).toBe(true);
    const tokyo = await get('evening/posting-patterns?timezone=Asia/Tokyo');
    expect(tokyo.data.timezone).toBe('Asia/Tokyo');
    expect((await get('evening/posting-patterns?timezone=aSIA/tOKYO')).data.timezone).toBe('Asia/Tokyo');
    for (const { hour } of tokyo.data.best) expect(hour <= 8).toBe(true);
  });

  it('reports no measurable difference where there is none', async () => {
    const { data } = await get('even/posting-patterns');
    expect(data).toMatchObject({ significant: false, best: [] });
    expect(data.cells).toHaveLength(168);
  });

  it('has no cells where the platform selected the posts, and refuses too few', async () => {
    const { status, data, meta } = await get('selected/posting-patterns');
    expect([status, data.cells, data.significant]).toEqual([200, [], null]);
    expect(meta.warnings).toEqual(expect.arrayContaining(['order_unknown', 'not_tested']));
    const few = await get('ada/posting-patterns');
    expect([few.status, few.error?.details]).toEqual([422, [{ path: 'posts', message: 'has 10, needs 40' }]]);
    expect((await get('ada/posting-patterns?timezone=Mars/Olympus')).error?.details).toEqual([
      { path: 'query.timezone', message: 'must be an IANA time zone, as Europe/Berlin' },
    ]);
  });
});

describe('getXContentMix', () => {
  it('has shares of post types, and effects beyond chance', async () => {
    const { data } = await get('picture/content-mix');
    expect(data.kinds).toEqual({ original: 1, reply: 0, repost: 0, quote: 0 });
    expect(data.media.photo + data.media.none).toBeCloseTo(1, 5);
    const media = data.effects.find(({ trait }: { trait: string }) => trait === 'media');
    expect(media).toMatchObject({ significant: true });
    expect(media.low).toBeGreaterThan(100);
    expect(data.measurable).toBe(true);
    expect((await get('even/content-mix')).data.measurable).toBe(false);
  });

  it('has shares without effects where posts are few, and says so', async () => {
    const { data, meta } = await get('ada/content-mix');
    expect([data.posts, data.effects, data.measurable]).toEqual([10, null, null]);
    expect(meta.warnings).toContain('effects_need_more_posts');
    expect((await get('brief/content-mix')).status).toBe(422);
  });
});

describe('getXGrowth', () => {
  it('has readings, their slope with an interval, and unusual changes', async () => {
    await program.append('x', 'growing', sighted('growing', daysAgo(60), { followers: 100_000 }));
    for (let day = 59; day >= 0; day--) {
      const jump = day < 20 ? 30_000 : 0;
      const wiggle = day % 2 === 0 ? 40 : -40;
      await program.append(
        'x',
        'growing',
        unchanged(daysAgo(day), { followers: 100_000 + (60 - day) * 100 + jump + wiggle }),
      );
    }
    await program.project();
    const { data, meta } = await get('growing/growth');
    expect(data).toMatchObject({ followers_from: 100_000, followers_to: 136_040, delta: 36_040 });
    expect(data.points).toHaveLength(61);
    expect(data.per_day.low).toBeLessThan(data.per_day.value);
    expect(data.anomalies).toHaveLength(1);
    expect(data.anomalies[0]).toMatchObject({ from: daysAgo(20), to: daysAgo(19), cause: 'own' });
    expect(meta.coverage.sampled).toBe(61);
    const part = await get(`growing/growth?from=${daysAgo(10)}&to=${daysAgo(5)}`);
    expect(part.data.points).toHaveLength(6);
    expect(part.data.per_day).toBeNull();
    expect(part.meta.warnings).toContain('few_readings');
  });

  it('refuses a single reading, and a range that ends before it begins', async () => {
    const { status, error } = await get('brief/growth');
    expect([status, error?.details]).toEqual([422, [{ path: 'readings', message: 'has 1, needs 2' }]]);
    const reversed = await get(`ada/growth?from=${daysAgo(1)}&to=${daysAgo(2)}`);
    expect(reversed.error?.code).toBe('invalid_request');
  });
});

describe('figures of the population', () => {
  it('are refused by getXCohortBenchmarks, getXPopulationPatterns and getXDataCoverage before they are computed', async () => {
    for (const path of ['cohort-benchmarks', 'posting-patterns', 'data-coverage'])
      expect((await get(path)).error?.code, path).toBe('insufficient_data');
    const { data, meta } = await get('even');
    expect(meta.warnings).toContain('population_unknown');
    // Counted, though nothing tells yet how much of it is chance.
    expect(data.posts_per_week).not.toBeNull();
    expect(data.intervals.posts_per_week).toBeNull();
  });

  it('are computed for all accounts at once, and served with what they cover', async () => {
    for (let n = 0; n < 60; n++)
      await program.append(
        'x',
        `crowd${n}`,
        sighted(`crowd${n}`, daysAgo(0), { followers: 1_000 + 10 * n }),
        timeline(daysAgo(0), ...ten((i) => ({ likes: 10 + n + i }))),
      );
    await program.append(
      'x',
      'gone',
      sighted('gone', daysAgo(2), { followers: 1_000 }),
      timeline(daysAgo(2), ...ten()),
    );
    await program.append('x', 'gone', unavailable(daysAgo(1), 'suspended'));
    await program.project();
    const [computed] = (await computeLadders({ db: program.database.db, log: program.log })).filter(
      ({ platform }) => platform === 'x',
    );
    expect(computed).toMatchObject({ platform: 'x' });
    await program.project();
    const coverage = await get('data-coverage');
    expect(coverage.data).toMatchObject({
      accounts: computed?.accounts,
      accounts_with_figures: computed?.with_figures,
    });
    expect(coverage.data.posts_ordered).toBeLessThan(coverage.data.posts_sampled);
    const { data } = await get('cohort-benchmarks');
    const band = data.bands.find(({ min_followers }: { min_followers: number }) => min_followers === 1_000);
    expect(band.accounts).toBeGreaterThanOrEqual(60);
    const { p10, p25, p50, p75, p90 } = band.engagement_rate_followers;
    expect([p10, p25, p50, p75, p90]).toEqual([p10, p25, p50, p75, p90].toSorted((a, b) => a - b));
    // Bands of fewer than 30 accounts have none.
    expect(data.bands).toHaveLength(1);
    const patterns = (await get('posting-patterns')).data;
    expect(patterns.authors).toBeGreaterThanOrEqual(60);
    const insights = (await get('crowd59')).data;
    expect(insights.percentile_in_cohort).toBeGreaterThan(80);
    expect(insights.cohort).toMatchObject({ band: { min_followers: 1_000, max_followers: 9_999 } });
    expect(insights.intervals.percentile_in_cohort.low).toBeLessThan(insights.percentile_in_cohort);
  });

  it('are equal after a second computation, which replaces the first', async () => {
    const { rows: before } = await program.database.db.query(ladderRows(await schemaOf()));
    await computeLadders({ db: program.database.db, log: program.log });
    await program.project();
    const { rows: after } = await program.database.db.query(ladderRows(await schemaOf()));
    expect(after).toEqual(before);
    expect(before.length).toBeGreaterThan(5);
  });
});

const schemaOf = async (): Promise<string> => program.builds.schema('ladders');
const ladderRows = (schema: string) =>
  `select platform, metric, band, n, points from ${schema}.ladders order by 1, 2, 3`;

describe('listXPeers', () => {
  it('lists the accounts nearest in size, each once, with their rank', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { data, meta } = await get(`crowd30/peers?limit=25${cursor}`);
      seen.push(...data.map(({ handle }: { handle: string }) => handle));
      cursor = meta.next_cursor === null ? '' : `&cursor=${meta.next_cursor}`;
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(60);
    expect(seen.slice(0, 8).every((handle) => /^crowd(2|3)\d$/.test(handle))).toBe(true);
    const { data } = await get('crowd59/peers?limit=100');
    const rates = data
      .filter(({ rank }: { rank: number }) => rank !== null)
      .toSorted((a: { rank: number }, b: { rank: number }) => a.rank - b.rank)
      .map(({ engagement_rate_followers: rate }: { engagement_rate_followers: number }) => rate);
    expect(rates).toEqual(rates.toSorted((a: number, b: number) => b - a));
  });
});

describe('listXPopulationViralPosts', () => {
  it('has the outstanding posts of all accounts by robust z, each once', async () => {
    await program.append(
      'x',
      'viral2',
      sighted('viral2', daysAgo(0), { followers: 1_000 }),
      timeline(daysAgo(0), ...ten(), { id: 'farther', at: daysAgo(6), likes: 5_000, text: 'Landing.' }),
    );
    await program.project();
    const first = await get('viral-posts?limit=1');
    expect(first.data).toMatchObject([{ handle: 'viral2', id: 'farther', text: 'Landing.' }]);
    const rest = await get(`viral-posts?limit=50&cursor=${first.meta.next_cursor}`);
    expect(rest.data.map(({ id }: { id: string }) => id)).toContain('far');
    expect(rest.data.map(({ id }: { id: string }) => id)).not.toContain('farther');
    expect((await get('viral-posts?min_multiple=100')).data).toHaveLength(1);
    expect((await get(`viral-posts?since=${daysAgo(3)}`)).data).toEqual([]);
    // A former name is no account, though its posts are kept under it.
    await program.append(
      'x',
      'former',
      sighted('former', daysAgo(2), { id: '77', followers: 1_000 }),
      timeline(daysAgo(2), ...ten(), { id: 'old', at: daysAgo(12), likes: 9_000 }),
    );
    await program.append('x', 'renamed', sighted('renamed', daysAgo(0), { id: '77', followers: 1_000 }));
    await program.project();
    const names = (await get('viral-posts?limit=50')).data.map(({ handle }: { handle: string }) => handle);
    expect(names).not.toContain('former');
    expect((await get('renamed')).data.posts_sampled).toBe(11);
    // A gone account takes its posts along.
    await program.append('x', 'viral2', unavailable(daysAgo(0), 'suspended'));
    await program.project();
    expect((await get('viral-posts?limit=1')).data[0].handle).not.toBe('viral2');
  });
});
