import { describe, expect, test } from 'vitest';
import { recordingOf } from '../../../src/crawlers/http/recording.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { fixture, haveFixtures } from './fixtures.ts';
import { page, parseWith, shown, verdict } from './pages.ts';

const read = (platform: Platform, surface: string, name: string, path: string, status = 200) =>
  parseWith(adapterOf(platform), surface, name, fixture(`${platform}/${path}`), { status });

const RECORDED = [
  ['x', 'graphql', 'rtwlz', 'user-tweets.json'],
  ['instagram', 'web_profile_info', 'robertdowneyjr', 'web-profile-info.ok.json'],
  ['instagram', 'web_profile_info', 'robertdowneyjr', 'medias.json'],
  ['tiktok', 'page', 'tiktok', 'profile.legacy-next-data.html'],
  ['youtube', 'browse', 'kurzgesagt', 'browse.ok.json'],
  ['youtube', 'browse', 'UCbfnHqxXs_K3kvaH-WlNlig', 'browse.age-restricted.json'],
  ['telegram', 'preview', 'topwar_official', 'preview.html'],
  ['bluesky', 'feed', 'shinyakato.dev', 'get-author-feed.json'],
] as const;

describe.skipIf(!haveFixtures)('recorded pages', () => {
  test.for(RECORDED)('are read alike without their secrets: %s %s %s', ([platform, surface, name, path]) => {
    const body = fixture(`${platform}/${path}`);
    const kept = recordingOf({ platform, url: 'https://example.org/' }, page(body)).page.body;
    const adapter = adapterOf(platform);
    expect(parseWith(adapter, surface, name, kept)).toEqual(parseWith(adapter, surface, name, body));
  });

  test('X: the older shape of a user', () => {
    const reading = shown(read('x', 'graphql', 'x', 'user-by-screen-name.ok.json'));
    expect(reading.profile).toMatchObject({
      id: '783214',
      display_name: 'X',
      followers: 68_941_492,
      following: 1,
      posts: 15_550,
      verified: true,
      created_at: '2007-02-20T14:35:54.000Z',
      location: 'everywhere',
      links: ['https://x.com'],
    });
    expect(reading.posts).toBeNull();
    expect(reading.warnings).toEqual([]);
  });

  test('X: the newer shape of a user', () => {
    expect(shown(read('x', 'graphql', 'xdevelopers', 'user-by-login.2026.json')).profile).toMatchObject({
      id: '2244994945',
      followers: 695_695,
      following: 762,
      posts: 4_319,
      verified: true,
      created_at: '2013-12-14T04:35:55.000Z',
      links: ['https://docs.x.com/'],
    });
  });

  test('X: a suspended user', () => {
    expect(verdict(read('x', 'graphql', 'somebody', 'user-by-screen-name.suspended.json'))).toBe('suspended');
  });

  test('X: tweets are read as recorded', () => {
    const reading = shown(read('x', 'graphql', 'rtwlz', 'user-tweets.json'));
    expect(reading.profile).toMatchObject({
      id: '2924333576',
      followers: 69_618,
      links: ['http://walzr.com'],
    });
    expect(reading.posts).toHaveLength(1);
    expect(reading.posts?.[0]).toMatchObject({
      id: '2036082537949434164',
      at: '2026-03-23T14:08:00.000Z',
      media: 'video',
      views: 1_610_996,
    });
    expect(verdict(read('x', 'graphql', 'another', 'user-tweets.json'))).toBe('unknown:layout_changed');
  });

  test('Instagram: a profile is read as recorded', () => {
    const reading = shown(
      read('instagram', 'web_profile_info', 'robertdowneyjr', 'web-profile-info.ok.json'),
    );
    expect(reading.profile).toMatchObject({
      id: '1518284433',
      followers: 52_979_346,
      following: 5,
      posts: 419,
      verified: true,
      created_at: null,
    });
    // 419 posts, none of them shown.
    expect(reading.posts).toBeNull();
  });

  test('Instagram: a null user, a challenge', () => {
    expect(verdict(read('instagram', 'web_profile_info', 'nobody', 'web-profile-info.null-user.json'))).toBe(
      'absent',
    );
    for (const status of [200, 400]) {
      expect(verdict(read('instagram', 'web_profile_info', 'nobody', 'challenge.json', status))).toBe(
        'unknown:challenge',
      );
    }
  });

  test('Instagram: posts are read as recorded', () => {
    const { profile, posts } = shown(read('instagram', 'web_profile_info', 'robertdowneyjr', 'medias.json'));
    expect(profile).toMatchObject({ id: '1518284433', posts: 453, followers: null });
    expect(posts).toHaveLength(12);
    expect(posts?.[0]).toMatchObject({
      id: '2224305748263047050',
      media: 'video',
      likes: 695_047,
      views: 2_726_827,
    });
    expect(posts?.[2]).toMatchObject({ media: 'photo', likes: 1_265_682, views: null });
  });

  test('TikTok: the older layout', () => {
    const { profile, posts } = shown(read('tiktok', 'page', 'tiktok', 'profile.legacy-next-data.html'));
    expect(profile).toMatchObject({
      id: '107955',
      followers: 50_100_000,
      following: 496,
      posts: 118,
      verified: true,
    });
    expect(profile.created_at).toBe('2015-02-28T17:22:29.000Z');
    expect(posts?.[0]).toMatchObject({ id: '6912598122988326149' });
  });

  test('YouTube: a channel is read as recorded', () => {
    expect(shown(read('youtube', 'browse', 'kurzgesagt', 'browse.ok.json')).profile).toMatchObject({
      id: 'UCsXVk37bltHxD1rDPwtNM8Q',
      handle: 'kurzgesagt',
      followers: 25_000_000,
      posts: 337,
      verified: true,
      links: ['https://shop.kgs.link/cool'],
    });
    expect(verdict(read('youtube', 'browse', 'another', 'browse.ok.json'))).toBe('unknown:layout_changed');
  });

  test('YouTube: a gate of age, a removed channel', () => {
    const gated = shown(read('youtube', 'browse', 'UCbfnHqxXs_K3kvaH-WlNlig', 'browse.age-restricted.json'));
    expect(gated.profile).toMatchObject({ display_name: 'Laphroaig Whisky', followers: null, posts: null });
    expect(verdict(read('youtube', 'browse', 'UCoaO4U_p7G7AwalqSbGCZOA', 'browse.unavailable.json'))).toBe(
      'suspended',
    );
  });

  test('YouTube: handles resolved and not', () => {
    expect(verdict(read('youtube', 'resolve_url', 'nobody', 'resolve-url.not-found.json', 404))).toBe(
      'absent',
    );
    expect(shown(read('youtube', 'resolve_url', 'some', 'resolve-url.ok.json')).profile.id).toBe(
      'UCwWhs_6x42TyRM4Wstoq8HA',
    );
  });

  test('YouTube: feeds are read as recorded', () => {
    const { profile, posts } = shown(read('youtube', 'feed', 'UCsXVk37bltHxD1rDPwtNM8Q', 'feed.ok.xml'));
    expect(profile.created_at).toBe('2013-07-09T20:17:20.000Z');
    expect(posts).toHaveLength(15);
    expect(posts?.[0]).toMatchObject({ id: 'zg40FHOAqC0', likes: 58_314, views: 1_086_938 });
    // The error page of a feed says nothing of its channel.
    expect(verdict(read('youtube', 'feed', 'UCTGjY2I-ZUGnwVoWAGRd7XQ', 'feed.unavailable.html', 404))).toBe(
      'unknown:http_error',
    );
    expect(verdict(read('youtube', 'feed', 'UCTGjY2I-ZUGnwVoWAGRd7XQ', 'feed.unavailable.html'))).toBe(
      'unknown:layout_changed',
    );
  });

  test('Telegram: a channel, and an unused name', () => {
    const { profile } = shown(read('telegram', 'landing', 'nexta_live', 'landing.channel.html'));
    expect(profile).toMatchObject({ display_name: 'NEXTA Live', followers: 1_474_933, verified: false });
    expect(profile.bio).toMatch(/^Крупнейший русскоязычный канал\n\nНаписать нам: @nextamail_bot\n/);
    expect(verdict(read('telegram', 'landing', 'nexta_live1432', 'landing.missing.html'))).toBe('absent');
    expect(verdict(read('telegram', 'landing', 'another_one', 'landing.missing.html'))).toBe(
      'unknown:layout_changed',
    );
  });

  test('Telegram: a preview is read as recorded', () => {
    const { profile, posts } = shown(read('telegram', 'preview', 'topwar_official', 'preview.html'));
    expect(profile).toMatchObject({
      display_name: 'Военное обозрение',
      followers: 109_000,
      links: ['http://topwar.ru/'],
    });
    expect(posts).toHaveLength(12);
    expect(posts?.at(-1)).toMatchObject({
      id: '70989',
      at: '2023-02-28T07:47:53.000Z',
      views: 37_200,
      media: 'photo',
    });
    expect(posts?.[0]).toMatchObject({ id: '71008', kind: 'repost', media: 'video', views: 14_900 });
  });

  test('Bluesky: a profile and its feed', () => {
    const { profile } = shown(read('bluesky', 'profile', 'shinyakato.dev', 'get-profile.ok.json'));
    expect(profile).toMatchObject({
      id: 'did:plc:iijrtk7ocored6zuziwmqq3c',
      followers: 4_945,
      following: 31_769,
      posts: 3_358,
      created_at: null,
      links: ['https://github.com/myConsciousness/atproto.dart'],
    });
    const feed = shown(read('bluesky', 'feed', 'shinyakato.dev', 'get-author-feed.json'));
    // 25 entries, two of them reposts.
    expect(feed.posts).toHaveLength(23);
    expect(feed.posts?.every(({ views }) => views === null)).toBe(true);
  });

  test('Bluesky: the grammar of handles', () => {
    const cases = (path: string) =>
      fixture(path)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
    const { parseHandle } = adapterOf('bluesky');
    for (const line of cases('bluesky/handles.valid.txt'))
      expect(parseHandle(line), line).toBe(line.toLowerCase());
    for (const line of cases('bluesky/handles.invalid.txt')) expect(parseHandle(line), line).toBeNull();
  });

  test('LinkedIn: a layout of 2015 is no person', () => {
    expect(verdict(read('linkedin', 'person', 'jeffweiner08', 'person.2015-layout.html'))).toBe(
      'unknown:layout_changed',
    );
  });
});
