import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { parseWith, shown, verdict } from './pages.ts';

/** Pages and replies whose structure reports of the public describe; names, IDs and texts are invented. */
const read = (platform: Platform, surface: string, name: string, file: string) =>
  parseWith(
    adapterOf(platform),
    surface,
    name,
    readFileSync(join(import.meta.dirname, 'cases', file), 'utf8'),
  );

describe('a reported answer', () => {
  it('of a trusted verifier of Bluesky shows a badge', () => {
    const reading = read('bluesky', 'profile', 'verifier.example', 'bluesky-trusted-verifier.profile.json');
    expect(shown(reading).profile).toMatchObject({ verified: true, followers: 34_961 });
  });

  it('of a Bluesky post with an embedded feed shows no quote', () => {
    const { posts } = shown(read('bluesky', 'feed', 'club.example', 'bluesky-embedded-feed.feed.json'));
    expect(posts).toMatchObject([{ kind: 'original', target: null }]);
  });

  it('of a Bluesky account that lost its handle shows the account', () => {
    const file = 'bluesky-handle-invalid.profile.json';
    const did = 'did:plc:dddddddddddddddddddddddd';
    expect(shown(read('bluesky', 'profile', 'handle.invalid', file)).profile).toMatchObject({
      id: did,
      handle: did,
    });
    expect(shown(read('bluesky', 'profile', did, file)).profile).toMatchObject({ handle: did, posts: 33 });
  });

  it('of a private TikTok account does not count its videos', () => {
    const reading = shown(read('tiktok', 'page', 'closed.account', 'tiktok-private-10222.page.html'));
    expect(reading).toMatchObject({
      status: 'private',
      posts: null,
      profile: { followers: 7, following: 57, posts: null },
    });
    expect(reading.measured).not.toContain('posts');
  });

  it('of a banned TikTok account proves nothing, since unused names get it too', () => {
    const reading = read('tiktok', 'page', 'closed.account', 'tiktok-banned-10221.page.html');
    expect(verdict(reading)).toBe('unknown:ambiguous');
  });

  it('of a gated Instagram account shows neither figures nor bio', () => {
    const reading = shown(
      read('instagram', 'web_profile_info', 'gated_brand_', 'instagram-age-gated.user-info.json'),
    );
    expect(reading).toMatchObject({ status: 'present', posts: null });
    expect(reading.profile).toMatchObject({
      display_name: 'Gated Brand',
      followers: null,
      following: null,
      posts: null,
      bio: null,
      links: [],
    });
    expect(reading.measured).toEqual(['private', 'display_name', 'avatar_url']);
  });

  it('with Instagram’s log-in or error page identifies itself', () => {
    const page = (file: string) => read('instagram', 'page', 'some_name_1', file);
    expect(verdict(page('instagram-login-route.page.html'))).toBe('unknown:login_wall');
    expect(page('instagram-error-route.page.html')).toMatchObject({ status: 'absent', unnamed: true });
  });

  it('of an Instagram account lists posts of several authors, and plays as views', () => {
    const reading = shown(
      read('instagram', 'web_profile_info', 'brand', 'instagram-collab-and-reel-views.web-profile-info.json'),
    );
    expect(reading.posts?.map(({ views }) => views)).toEqual([892_753, 410_000]);
    expect([...(reading.coauthored ?? [])]).toEqual([reading.posts?.[0]?.id]);
    expect(reading.postsSince).toBeNull();
  });

  it('with long posts of X has text and entities from one record', () => {
    const { posts } = shown(read('x', 'graphql', 'acme', 'x-long-post.user-tweets.json'));
    expect(posts?.[0]).toMatchObject({
      links: 1,
      hashtags: ['ελλάδα', 'release'],
      mentions: ['somebody'],
      media: 'link',
    });
    expect(posts?.[0]?.text).toMatch(/#Release$/);
    expect(posts?.[1]).toMatchObject({
      text: 'A post whose note is empty #one',
      hashtags: ['one'],
      links: 0,
    });
  });

  it('of a four-character Telegram name shows its channel', () => {
    const reading = read('telegram', 'landing', 'abcd', 'telegram-4-characters.landing.html');
    expect(shown(reading).profile).toMatchObject({ handle: 'abcd', followers: 12_345 });
  });

  it('of a Telegram message that the preview cannot show has unknown media', () => {
    const reading = read('telegram', 'preview', 'channel_x', 'telegram-unsupported-media.preview.html');
    expect(shown(reading).posts).toMatchObject([{ media: null, text: 'live photo', views: 1_200 }]);
  });

  it('of a LinkedIn company shows its facts in any language', () => {
    const reading = shown(read('linkedin', 'company', 'company:empresa', 'linkedin-company.pt.company.html'));
    expect(reading.profile).toMatchObject({ followers: 21_034, location: 'Lisboa, Lisboa' });
    expect(reading.facts?.facts).toMatchObject({
      industry: 'Desenvolvimento de software',
      size: '1.001-5.000 funcionários',
      headquarters: 'Lisboa, Lisboa',
      website: 'https://news.empresa.com/',
      employees: 2208,
    });
    expect(reading.warnings).toEqual([]);
  });
});
