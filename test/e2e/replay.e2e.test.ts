import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { haveFixtures } from '../crawlers/platforms/fixtures.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { CHANNEL, recordFixtures } from '../support/recordings.ts';
import { until } from '../support/wait.ts';

/** Handles that are recruited as seeds; the last of X and of Telegram are read by a command instead. */
const SEEDS = {
  x: ['x', 'rtwlz', 'not_any_more'],
  instagram: ['robertdowneyjr', 'nobody.at.all', 'challenged'],
  tiktok: ['tiktok'],
  youtube: [CHANNEL, 'nobodyatall'],
  telegram: ['nexta_live', 'nexta_live1432'],
  bluesky: ['shinyakato.dev'],
  linkedin: ['jeffweiner08'],
} as const;

describe.skipIf(!haveFixtures)('recorded pages crawled by the whole program', () => {
  let home: TestHome;
  let service: RunningProgram;
  let url: string;
  let key: string;

  const run = async (...args: string[]) => {
    const { code, out, err } = await home.run(args);
    expect(code, err).toBe(0);
    return out.trim();
  };

  // biome-ignore lint/suspicious/noExplicitAny: these each test states what an answer has
  const get = async (path: string): Promise<{ status: number; data: any }> => {
    const answer = await fetch(`${url}/v2${path}`, { headers: { authorization: `Bearer ${key}` } });
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { data } = (await answer.json()) as any;
    return { status: answer.status, data };
  };

  /** An entry of the directory, once it is there. */
  const entry = (platform: string, id: string) =>
    until(`${platform}/${id} is in the directory`, async () => {
      const { status, data } = await get(`/directory/${platform}/${id}`);
      return status === 200 ? data : null;
    });

  const checked = (platform: string, handle: string) =>
    until(`${platform}/${handle} was read`, async () => {
      const { data } = await get(`/accounts/${platform}/${handle}`);
      return data.status === 'unknown' ? null : data;
    });

  const posts = async (platform: string, id: string) =>
    (await get(`/directory/${platform}/${id}/posts`)).data;

  beforeAll(async () => {
    home = await createTestHome({
      PORT: '0',
      CRAWL_MODE: 'replay',
      LOG_FORMAT: 'json',
      CRAWL_RATE_PER_S: '100',
    });
    const recordings = join(home.home, 'recordings');
    await recordFixtures(recordings);
    const env = { RECORDINGS_DIR: recordings, X_BEARER_TOKEN: 'not-needed-to-replay' };
    service = home.start(['start'], env);
    url = (await service.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;
    await run('holders', 'add', 'Tester');
    key = await run('keys', 'issue', 'tester');
    for (const [platform, handles] of Object.entries(SEEDS)) await run('seeds', 'add', platform, ...handles);
    // Two more are read by commands beside the running service.
    for (const [platform, handle] of [
      ['x', 'xdevelopers'],
      ['telegram', 'topwar_official'],
    ] as const) {
      const { code, out } = await home.run(['crawl', platform, handle, '--json'], env);
      expect([code, JSON.parse(out).status]).toEqual([0, 'present']);
    }
  });

  afterAll(async () => {
    await service.end('SIGTERM');
    await home.remove();
  });

  it('X: a user, tweets, a suspended user', async () => {
    expect(await entry('x', 'x')).toMatchObject({
      id: '783214',
      followers: 68_941_492,
      following: 1,
      posts: 15_550,
      verified: true,
      created_at: '2007-02-20T14:35:54.000Z',
      links: ['https://x.com'],
    });
    expect(await checked('x', 'x')).toMatchObject({ exists: true, status: 'active', followers: 68_941_492 });
    expect(await entry('x', 'xdevelopers')).toMatchObject({ id: '2244994945', followers: 695_695 });
    expect(await entry('x', 'id:2924333576')).toMatchObject({ handle: 'rtwlz', followers: 69_618 });
    expect(await posts('x', 'rtwlz')).toMatchObject([
      { id: '2036082537949434164', at: '2026-03-23T14:08:00.000Z', views: 1_610_996 },
    ]);
    expect(await checked('x', 'not_any_more')).toMatchObject({ status: 'suspended' });
  });

  it('Instagram: a profile, an unused name, a challenge', async () => {
    expect(await entry('instagram', 'robertdowneyjr')).toMatchObject({
      id: '1518284433',
      followers: 52_979_346,
      following: 5,
      posts: 419,
      verified: true,
    });
    expect(await checked('instagram', 'nobody.at.all')).toMatchObject({ exists: false, status: 'absent' });
    const challenged = await get('/accounts/instagram/challenged');
    expect(challenged.data).toMatchObject({ exists: null, status: 'unknown' });
  });

  it('TikTok: a profile of the older layout', async () => {
    expect(await entry('tiktok', 'tiktok')).toMatchObject({
      id: '107955',
      followers: 50_100_000,
      following: 496,
      posts: 118,
      verified: true,
    });
    expect((await posts('tiktok', 'tiktok')).length).toBeGreaterThan(0);
  });

  it('YouTube: a channel by its ID, with what its feed adds; an unused handle', async () => {
    const channel = await entry('youtube', CHANNEL);
    expect(channel).toMatchObject({
      handle: 'kurzgesagt',
      followers: 25_000_000,
      posts: 337,
      verified: true,
      created_at: '2013-07-09T20:17:20.000Z',
      links: ['https://shop.kgs.link/cool'],
    });
    expect(await entry('youtube', 'kurzgesagt')).toEqual(channel);
    expect(await posts('youtube', 'kurzgesagt')).toHaveLength(15);
    expect(await checked('youtube', 'nobodyatall')).toMatchObject({ exists: false, status: 'absent' });
  });

  it('Telegram: a channel, a preview, an unused name', async () => {
    expect(await entry('telegram', 'nexta_live')).toMatchObject({
      display_name: 'NEXTA Live',
      followers: 1_474_933,
      verified: false,
    });
    expect(await entry('telegram', 'topwar_official')).toMatchObject({ followers: 109_000 });
    expect(await posts('telegram', 'topwar_official')).toHaveLength(12);
    expect(await checked('telegram', 'nexta_live1432')).toMatchObject({ exists: false, status: 'absent' });
  });

  it('Bluesky: a profile and its feed', async () => {
    expect(await entry('bluesky', 'shinyakato.dev')).toMatchObject({
      id: 'did:plc:iijrtk7ocored6zuziwmqq3c',
      followers: 4_945,
      following: 31_769,
      posts: 3_358,
    });
    expect(await entry('bluesky', 'did:plc:iijrtk7ocored6zuziwmqq3c')).toMatchObject({ followers: 4_945 });
    expect((await get('/directory/bluesky/shinyakato.dev/posts?limit=100')).data).toHaveLength(23);
  });

  it('LinkedIn: a page of 2015 is no person', async () => {
    expect((await get('/accounts/linkedin/jeffweiner08')).data).toMatchObject({
      exists: null,
      status: 'unknown',
    });
  });
});
