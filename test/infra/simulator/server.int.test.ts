import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../infra/simulator/server.ts';
import { PLATFORMS } from '../../../infra/simulator/simulated-platforms.ts';
import { createSimClock } from '../../../infra/simulator/world/clock.ts';

let simulator: Simulator;
beforeAll(async () => {
  const clock = createSimClock({ now: Date.UTC(2026, 9, 1), speed: 0 });
  simulator = await startSimulator({ seed: 7, size: 300, clock });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.faults.clear());

// biome-ignore lint/suspicious/noExplicitAny: what the control room answers is what these tests check
const data = async (answer: Promise<Response>): Promise<any> => (await answer).json();
const get = (path: string, init: RequestInit = {}) =>
  fetch(`${simulator.url}/${path}`, { redirect: 'manual', signal: AbortSignal.timeout(1500), ...init });
const post = (path: string, body: unknown) => get(path, { method: 'POST', body: JSON.stringify(body) });
const someone = () => {
  for (let index = 0; ; index++) {
    const account = simulator.world.account('x', index);
    if (account.status === 'active') return account;
  }
};
const page = () => `x.com/${someone().handle}`;

describe('the server', () => {
  it('answers the same bytes at the same time', async () => {
    const [a, b] = [await (await get(page())).text(), await (await get(page())).text()];
    expect(a).toBe(b);
    expect(a.length).toBeGreaterThan(40_000);
  });
  it('redirects a LinkedIn visitor to the country’s host', async () => {
    const world = simulator.world;
    const index = [...Array(300).keys()].find((n) => {
      const account = world.account('linkedin', n);
      return account.status === 'active' && account.quirks.has('country_host');
    });
    const handle = world.handleOf('linkedin', index ?? 0);
    const first = await get(`www.linkedin.com/in/${handle}`);
    expect(first.status).toBe(301);
    const to = new URL(first.headers.get('location') ?? '');
    expect(to.host).toMatch(/^[a-z]{2}\.linkedin\.com$/);
    expect((await get(`${to.host}${to.pathname}`)).status).toBe(200);
  });
  it('refuses GraphQL without a token and Instagram’s call without its header', async () => {
    expect((await get('api.x.com/graphql/q/UserByScreenName?variables=%7B%7D')).status).toBe(403);
    expect((await get('www.instagram.com/api/v1/users/web_profile_info/?username=a')).status).toBe(400);
  });
  it('answers 404 for an unknown host', async () => {
    expect((await get('example.org/')).status).toBe(404);
  });
  it('sets its clock', async () => {
    const before = await data(get('control/clock'));
    const after = await data(post('control/clock', { now: '2027-01-01T00:00:00Z' }));
    expect(after).toEqual({ now: '2027-01-01T00:00:00.000Z', speed: 0 });
    await post('control/clock', { now: before.now });
    expect((await post('control/clock', { now: 'soon' })).status).toBe(400);
  });
  it('lists truth by pages and seeds', async () => {
    const first = await data(get('truth/linkedin?limit=300'));
    const rest = await data(get(`truth/linkedin?limit=300&after=${first.after}`));
    expect(first.accounts.length + rest.accounts.length).toBe(first.count);
    expect(rest.after).toBeNull();
    const { seeds } = await data(get('seeds/telegram?n=20'));
    expect(seeds.length).toBe(20);
    const truth = await data(get(`truth/telegram/${seeds[0]}`));
    expect(truth.status).toBe('active');
    expect((await data(get('truth/x/never_there'))).status).toBe('absent');
  });
  it('counts requests by platform', async () => {
    const before = simulator.requests.x.total;
    await get(page());
    expect(simulator.requests.x.total).toBe(before + 1);
  });
});

describe('faults', () => {
  it('limit the rate with Retry-After, over HTTP, and end', async () => {
    await post('control/faults', { platform: 'x', kind: 'rate_limited', retryAfterS: 17 });
    const limited = await get(page());
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '17']);
    await get('control/faults', { method: 'DELETE' });
    expect((await get(page())).status).toBe(200);
  });
  it('strike their share of requests, the same for the same seed', async () => {
    simulator.faults.set('x', 'server_error', { share: 0.5 });
    const statuses = [];
    for (let n = 0; n < 60; n++) statuses.push((await get(page())).status);
    const failed = statuses.filter((status) => status >= 500).length;
    expect(failed).toBeGreaterThan(15);
    expect(failed).toBeLessThan(45);
  });
  it('can leave a request unanswered', async () => {
    simulator.faults.set('x', 'timeout');
    await expect(get(page(), { signal: AbortSignal.timeout(150) })).rejects.toThrow();
  });
  it('can drip an answer', async () => {
    simulator.faults.set('x', 'slow_drip');
    const answer = await get(page(), { signal: AbortSignal.timeout(400) });
    await expect(answer.text()).rejects.toThrow();
  });
  it('cut the connection before the announced end', async () => {
    simulator.faults.set('x', 'truncated');
    const answer = await get(page());
    await expect(answer.text()).rejects.toThrow();
  });
  it('cut the body in the middle', async () => {
    simulator.faults.set('x', 'cut_short');
    expect(await (await get(page())).text()).not.toContain('</html>');
  });
  it('can change the layout', async () => {
    simulator.faults.set('x', 'layout_changed');
    const answer = await get(page());
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain('application/ld+json');
  });
  it('can send far too much', async () => {
    simulator.faults.set('x', 'oversized');
    const bytes = await new Promise<number>((resolve, reject) => {
      let sum = 0;
      const out = request(`${simulator.url}/${page()}`, (answer) => {
        answer.on('data', (part: Buffer) => {
          sum += part.length;
          if (sum > 8_000_000) {
            out.destroy();
            resolve(sum);
          }
        });
      });
      out.on('error', reject).end();
    });
    expect(bytes).toBeGreaterThan(8_000_000);
  });
  it('can send a small body that unpacks to a large one', async () => {
    simulator.faults.set('x', 'gzip_bomb');
    const length = await new Promise<number>((resolve, reject) => {
      request(`${simulator.url}/${page()}`, (answer) => {
        expect(answer.headers['content-encoding']).toBe('gzip');
        answer.resume().on('end', () => resolve(Number(answer.headers['content-length'])));
      })
        .on('error', reject)
        .end();
    });
    expect(length).toBeLessThan(200_000);
  });
  it('can redirect to a private address', async () => {
    simulator.faults.set('x', 'redirect_away');
    const answer = await get(page());
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('169.254.'),
    ]);
  });
  it('can send an empty answer', async () => {
    simulator.faults.set('x', 'empty');
    const answer = await get(page());
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
  it('can hide pages behind a script, leaving errors and calls as they are', async () => {
    const answerOf = async (path: string) => (await get(path)).text();
    const path = simulator.world.account('telegram', 0).handle;
    const content = await answerOf(`t.me/${path}`);
    simulator.faults.set('telegram', 'script_only');
    simulator.faults.set('tiktok', 'script_only');
    const shell = await answerOf(`t.me/${path}`);
    expect(shell).not.toContain('tgme_');
    expect(shell).toContain('<script src="/assets/page.js">');
    expect(await answerOf('t.me/assets/page.js')).toContain("fetch('/assets/page.json?page='");
    expect(JSON.parse(await answerOf(`t.me/assets/page.json?page=/${path}`))).toEqual({ content });
    expect((await get('www.tiktok.com/embed/@nobody.has.this')).status).toBe(400);
    expect((await get('www.tiktok.com/api/post/item_list/')).headers.get('content-type')).toContain('json');
  });
  it('can ask for a login or a proof in each platform’s own way', async () => {
    const paths = {
      x: page(),
      instagram: 'www.instagram.com/someone/',
      tiktok: 'www.tiktok.com/@someone',
      youtube: 'www.youtube.com/@someone',
      telegram: 't.me/someone',
      bluesky: 'public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=a.bsky.social',
      linkedin: 'www.linkedin.com/in/someone',
    };
    const seen: Record<string, unknown> = {};
    for (const platform of PLATFORMS) {
      if (platform === 'telegram') continue;
      simulator.faults.set(platform, 'login_wall');
      const answer = await get(paths[platform]);
      seen[platform] = [answer.status, (answer.headers.get('location') ?? '').split('?')[0]];
    }
    expect(seen).toEqual({
      x: [302, 'https://x.com/i/flow/login'],
      instagram: [302, 'https://www.instagram.com/accounts/login/'],
      tiktok: [302, 'https://www.tiktok.com/login'],
      youtube: [302, 'https://consent.youtube.com/m'],
      bluesky: [401, ''],
      linkedin: [302, 'https://www.linkedin.com/authwall'],
    });
    simulator.faults.clear();
    simulator.faults.set('linkedin', 'challenge');
    expect((await get(paths.linkedin)).status).toBe(999);
    expect(() => simulator.faults.set('telegram', 'login_wall')).toThrow(RangeError);
    expect((await post('control/faults', { platform: 'bluesky', kind: 'challenge' })).status).toBe(400);
  });
});
