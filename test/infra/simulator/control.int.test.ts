import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawPlan, parsePlan } from '../../../infra/simulator/fault-plan.ts';
import { supports } from '../../../infra/simulator/faults.ts';
import { type Simulator, startSimulator } from '../../../infra/simulator/server.ts';
import { createSimClock, type SimClock } from '../../../infra/simulator/world/clock.ts';

const NOW = Date.UTC(2026, 9, 1);
const HOUR = 3_600_000;
const plan = parsePlan({
  faults: [
    {
      id: 'embed',
      kind: 'server_error',
      platforms: ['x'],
      surfaces: ['syndication'],
      from: '2026-10-02T00:00:00Z',
      to: '2026-10-02T06:00:00Z',
    },
    {
      id: 'session',
      kind: 'rate_limited',
      platforms: ['x'],
      sessions: ['worn'],
      from: '2026-10-03T00:00:00Z',
      to: '2026-10-03T06:00:00Z',
    },
    {
      id: 'proxy',
      kind: 'challenge',
      platforms: ['x', 'tiktok'],
      proxies: ['cheap'],
      from: '2026-10-04T00:00:00Z',
      to: '2026-10-04T06:00:00Z',
    },
  ],
});
let simulator: Simulator;
let clock: SimClock;
beforeAll(async () => {
  clock = createSimClock({ now: NOW, speed: 0 });
  simulator = await startSimulator({ seed: 7, size: 300, clock, plan });
});
afterAll(() => simulator.close());
beforeEach(() => {
  clock.set({ now: NOW });
  simulator.sessions.clear();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${simulator.url}/${path}`, { redirect: 'manual', signal: AbortSignal.timeout(1500), ...init });
const post = (path: string, body: unknown) => get(path, { method: 'POST', body: JSON.stringify(body) });
// biome-ignore lint/suspicious/noExplicitAny: what the control room answers is what these tests check
const data = async (answer: Promise<Response>): Promise<any> => (await answer).json();
const someone = (platform: 'x' | 'tiktok' | 'bluesky') => {
  for (let index = 0; ; index++) {
    const account = simulator.world.account(platform, index);
    if (account.status === 'active' && account.posts > 2 && account.quirks.size === 0) return account;
  }
};
const ask = (session: Record<string, string>, operation = 'UserByScreenName') =>
  get(
    `api.x.com/graphql/q/${operation}?variables=${encodeURIComponent(JSON.stringify({ screen_name: someone('x').handle, userId: someone('x').id }))}`,
    { headers: { authorization: 'Bearer b', ...session } },
  );

describe('a session of X', () => {
  it('has limits by operation, states them, and gets new ones when their window ends', async () => {
    await post('control/sessions', { name: 'worn', limits: { UserTweets: 2 }, limit: 5, windowS: 900 });
    const session = { 'x-guest-token': 'worn' };
    const first = await ask(session, 'UserTweets');
    const told = (answer: Response) =>
      ['limit', 'remaining', 'reset'].map((name) => Number(answer.headers.get(`x-rate-limit-${name}`)));
    expect(told(first)).toEqual([2, 1, NOW / 1000 + 900]);
    expect((await ask(session, 'UserTweets')).status).toBe(200);
    const refused = await ask(session, 'UserTweets');
    expect(refused.status).toBe(429);
    expect((await data(Promise.resolve(refused))).errors[0].code).toBe(88);
    expect(told(await ask(session))).toEqual([5, 4, NOW / 1000 + 900]);
    clock.set({ now: NOW + 900_000 });
    expect((await ask(session, 'UserTweets')).status).toBe(200);
  });
  it.each([
    ['locked', 403, 326],
    ['expired', 401, 89],
    ['invalid', 401, 32],
  ])('that is %s is refused with status %i and error %i, by cookie too', async (state, status, code) => {
    await post('control/sessions', { name: 'gone', state });
    for (const session of [{ 'x-guest-token': 'gone' }, { cookie: 'ct0=1; auth_token=gone' }]) {
      const answer = await ask(session);
      expect(answer.status).toBe(status);
      expect((await data(Promise.resolve(answer))).errors[0].code).toBe(code);
    }
    expect((await ask({ 'x-guest-token': 'simulated' })).status).toBe(200);
  });
  it('expires at its instant', async () => {
    await post('control/sessions', { name: 'short', expiresAt: '2026-10-01T01:00:00Z' });
    expect((await ask({ 'x-guest-token': 'short' })).status).toBe(200);
    clock.set({ now: NOW + HOUR });
    expect((await ask({ 'x-guest-token': 'short' })).status).toBe(401);
  });
  it('without a rule is admitted only while strangers are', async () => {
    expect((await ask({ 'x-guest-token': 'whoever' })).status).toBe(200);
    await post('control/sessions', { strangers: false });
    expect((await ask({ 'x-guest-token': 'whoever' })).status).toBe(401);
    const { strangers } = await data(get('control/sessions', { method: 'DELETE' }));
    expect(strangers).toBe(true);
  });
});

describe('a planned fault', () => {
  const status = async (path: string) => (await get(path)).status;
  it('strikes its surface from its start to its end', async () => {
    const handle = someone('x').handle;
    const embed = `syndication.twitter.com/srv/timeline-profile/screen-name/${handle}`;
    const at = async (iso: string) => {
      clock.set({ now: Date.parse(iso) });
      return [await status(embed), await status(`x.com/${handle}`)];
    };
    expect(await at('2026-10-01T23:59:59Z')).toEqual([200, 200]);
    expect((await at('2026-10-02T00:00:00Z'))[0]).toBeGreaterThanOrEqual(500);
    expect((await at('2026-10-02T05:59:59Z'))[1]).toBe(200);
    expect(await at('2026-10-02T06:00:00Z')).toEqual([200, 200]);
  });
  it('strikes only its session', async () => {
    clock.set({ now: Date.parse('2026-10-03T01:00:00Z') });
    expect((await ask({ 'x-guest-token': 'worn' })).status).toBe(429);
    expect((await ask({ 'x-guest-token': 'fresh' })).status).toBe(200);
  });
  it('strikes only what comes through its proxy, on each of its platforms', async () => {
    clock.set({ now: Date.parse('2026-10-04T01:00:00Z') });
    const page = `x.com/${someone('x').handle}`;
    expect(await status(`via/cheap/${page}`)).toBe(403);
    expect(await status(`via/good/${page}`)).toBe(200);
    expect(await status(page)).toBe(200);
    const text = await (await get(`via/cheap/www.tiktok.com/@${someone('tiktok').handle}`)).text();
    expect(text).toContain('captcha_container');
  });
  it('is drawn from a seed for every platform, within the requested days', () => {
    const drawn = drawPlan(5, NOW, 30);
    expect(drawPlan(5, NOW, 30)).toEqual(drawn);
    expect(drawPlan(6, NOW, 30)).not.toEqual(drawn);
    expect(new Set(drawn.flatMap(({ platforms }) => platforms)).size).toBe(7);
    for (const { from, to, kind, platforms } of drawn) {
      expect(from).toBeGreaterThanOrEqual(NOW);
      expect(from).toBeLessThan(NOW + 30 * 24 * HOUR);
      expect(to).toBeGreaterThan(from);
      expect(platforms.every((platform) => supports(platform, kind))).toBe(true);
    }
  });
  it.each([
    [
      {
        id: 'a',
        kind: 'challenge',
        platforms: ['telegram'],
        from: '2026-10-02T00:00:00Z',
        to: '2026-10-03T00:00:00Z',
      },
    ],
    [
      {
        id: 'a',
        kind: 'timeout',
        platforms: ['x'],
        from: '2026-10-03T00:00:00Z',
        to: '2026-10-02T00:00:00Z',
      },
    ],
    [{ id: 'a', kind: 'storm', platforms: ['x'], from: '2026-10-02T00:00:00Z', to: '2026-10-03T00:00:00Z' }],
  ])('is refused if it is impossible: %j', (fault) => {
    expect(() => parsePlan({ faults: [fault] })).toThrow();
  });
});

describe('a profile written by hand', () => {
  it('shows its bio, name and newest post on the platform until it is cleared', async () => {
    const account = someone('bluesky');
    const profile = async () =>
      data(get(`public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=${account.handle}`));
    const feed = async () =>
      data(get(`public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?limit=2&actor=${account.handle}`));
    const [before, posts] = [await profile(), await feed()];
    const written = {
      bio: 'sightline-code-4711',
      displayName: 'Renamed',
      post: 'code 4711 #Proof https://a.example/b',
    };
    await post('control/profile', { platform: 'bluesky', handle: account.handle, ...written });
    expect(await profile()).toMatchObject({
      description: written.bio,
      displayName: 'Renamed',
      did: account.id,
    });
    const [newest, second] = (await feed()).feed;
    expect(newest.post.record.text).toBe(written.post);
    expect(second).toEqual({ ...posts.feed[1], post: { ...posts.feed[1].post, author: newest.post.author } });
    const shown = simulator.world.posts(simulator.world.account('bluesky', account.index), NOW, 1)[0];
    expect(shown).toMatchObject({ hashtags: ['Proof'], links: ['https://a.example/b'], kind: 'original' });
    await get('control/profile', { method: 'DELETE' });
    expect(await profile()).toEqual(before);
    expect(await feed()).toEqual(posts);
  });
  it('is refused for an unused handle', async () => {
    expect((await post('control/profile', { platform: 'x', handle: 'never_there', bio: 'a' })).status).toBe(
      404,
    );
    expect((await post('control/profile', { platform: 'x', bio: 'a' })).status).toBe(400);
  });
});
