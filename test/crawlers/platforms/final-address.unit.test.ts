import { describe, expect, it } from 'vitest';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { page, parseWith, verdict } from './pages.ts';
import * as s from './samples.ts';

type Case = readonly [
  platform: Platform,
  surface: string,
  name: string,
  body: string | object,
  status: number,
];

const CLAIMS: readonly (readonly [Case, own: readonly string[], other: readonly string[]])[] = [
  [
    ['linkedin', 'person', 'sample', '<title>Profile Not Found | LinkedIn</title>', 404],
    [
      'https://www.linkedin.com/in/sample',
      'https://linkedin.com/in/SAMPLE/',
      'https://at.linkedin.com/in/sample?trk=x',
      'https://www.linkedin.com/in/sample/de',
      'https://www.linkedin.com/IN/Sample',
    ],
    [
      'https://www.linkedin.com/in/other',
      'https://www.linkedin.com/consent',
      'https://www.linkedin.com/company/sample',
      'https://www.linkedin.com/posts/sample_x',
      'https://www.linkedin.com/in/',
      'https://www.linkedin.com.evil.example/in/sample',
      'https://example.org/in/sample',
    ],
  ],
  [
    ['linkedin', 'company', 'company:sample', s.linkedinPage([s.linkedinCompany]), 200],
    ['https://www.linkedin.com/company/sample/', 'https://www.linkedin.com/school/sample/'],
    ['https://www.linkedin.com/company/other', 'https://www.linkedin.com/in/sample'],
  ],
  [
    ['instagram', 'page', 'sample', s.instagramMissing, 404],
    [
      'https://www.instagram.com/sample/',
      'https://instagram.com/Sample?hl=en',
      'https://www.instagram.com/api/v1/users/web_profile_info/?username=SAMPLE',
    ],
    [
      'https://www.instagram.com/other/',
      'https://www.instagram.com/sample/p/ABC/',
      'https://www.instagram.com/p/sample/',
      'https://www.instagram.com/api/v1/users/web_profile_info/?username=other',
      'https://www.instagram.com/legal/terms/',
    ],
  ],
  [
    ['tiktok', 'page', 'sample', s.tiktokPage({ statusCode: 10202 }), 200],
    [
      'https://www.tiktok.com/@sample',
      'https://m.tiktok.com/@Sample/?lang=en',
      'https://www.tiktok.com/%40sample',
      'https://www.tiktok.com/embed/@sample',
    ],
    [
      'https://www.tiktok.com/@other',
      'https://www.tiktok.com/@sample/video/1',
      'https://www.tiktok.com/foryou',
    ],
  ],
  [
    ['youtube', 'resolve_url', 'sample', { error: { code: 404, status: 'NOT_FOUND' } }, 404],
    [
      'https://www.youtube.com/youtubei/v1/navigation/resolve_url?prettyPrint=false',
      'https://m.youtube.com/@Sample/videos',
    ],
    [
      'https://www.youtube.com/@other',
      'https://www.youtube.com/watch?v=1',
      'https://consent.youtube.com/m?continue=x',
    ],
  ],
  [
    ['youtube', 'browse', s.CHANNEL, s.youtubeAlert('This channel does not exist.'), 200],
    [
      `https://www.youtube.com/channel/${s.CHANNEL}`,
      'https://www.youtube.com/youtubei/v1/browse',
      // Handle and ID can't be compared.
      'https://www.youtube.com/@sample',
    ],
    [`https://www.youtube.com/channel/UC${'b'.repeat(22)}`, 'https://www.youtube.com/'],
  ],
  [
    ['telegram', 'landing', 'sample', s.telegramMissing, 200],
    [
      'https://t.me/Sample',
      'https://telegram.me/s/sample?before=3',
      'https://sample.t.me/',
      'https://www.t.me/sample',
    ],
    ['https://t.me/other', 'https://t.me/sample/5', 'https://telegram.org/', 'https://other.t.me/'],
  ],
  [
    ['bluesky', 'profile', 'sample.example', { error: 'InvalidRequest', message: 'Profile not found' }, 400],
    [
      'https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=Sample.Example',
      'https://api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?limit=1&actor=sample.example',
      'https://bsky.app/profile/sample.example',
    ],
    [
      'https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=other.example',
      'https://bsky.app/profile/sample.example/post/1',
      'https://public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle?handle=other.example',
      'https://public.api.bsky.app/xrpc/app.bsky.actor.getProfiles?actors=other.example',
      'https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile',
    ],
  ],
  [
    ['x', 'graphql', 'sample', { data: {} }, 200],
    [
      `https://api.x.com/graphql/a/UserByScreenName?variables=${encodeURIComponent('{"screen_name":"SAMPLE"}')}`,
      'https://x.com/i/api/graphql/a/UserByScreenName',
      'https://twitter.com/sample',
      'https://mobile.x.com/Sample/with_replies',
      'https://syndication.twitter.com/srv/timeline-profile/screen-name/sample',
    ],
    [
      `https://api.x.com/graphql/a/UserByScreenName?variables=${encodeURIComponent('{"screen_name":"other"}')}`,
      'https://x.com/other',
      'https://x.com/sample/status/1',
      'https://x.com/i/flow/consent',
      'https://api.x.com/graphql/a/Viewer',
      'https://syndication.twitter.com/srv/timeline-profile/screen-name/other',
    ],
  ],
];

describe.for(CLAIMS)('%o', ([[platform, surface, name, body, status], own, other]) => {
  const at = (url: string) => parseWith(adapterOf(platform), surface, name, body, { url, status });

  it('is conclusive from every address of the account', () => {
    for (const url of own) expect(at(url).status, url).not.toBe('unknown');
  });

  it('is inconclusive from any other address', () => {
    for (const url of other) expect(at(url).status, url).toBe('unknown');
    expect(verdict(at(other[0] as string))).toBe('unknown:other_address');
  });
});

describe('a page that names no account', () => {
  const missing = (head: string) =>
    parseWith(
      adapterOf('linkedin'),
      'person',
      'sample',
      `<html><head>${head}<title>Profile Not Found | LinkedIn</title></head></html>`,
      { status: 404 },
    );

  it('is marked as such', () => {
    expect(missing('')).toMatchObject({ status: 'absent', unnamed: true });
  });

  it.for([
    '<link rel="canonical" href="https://at.linkedin.com/in/sample/">',
    '<meta property="og:url" content="https://www.linkedin.com/in/Sample">',
  ])('is not marked if it presents itself as the account’s: %s', (head) => {
    expect(missing(head)).toMatchObject({ status: 'absent' });
    expect(missing(head)).not.toHaveProperty('unnamed');
  });

  it('is inconclusive if it presents itself as another account’s', () => {
    const head = '<link href="https://www.linkedin.com/in/other" rel="canonical">';
    expect(verdict(missing(head))).toBe('unknown:other_address');
  });
});

describe('data of an account', () => {
  it('is ignored from another account’s address too', () => {
    const { surfaces } = adapterOf('x');
    const asked = { kind: 'handle', handle: 'sample' } as const;
    const read = (url: string) => surfaces[0]?.parse(page(s.xPage(), { url }), asked).status;
    expect(read('https://x.com/Sample/')).toBe('present');
    expect(read('https://x.com/other')).toBe('unknown');
  });
});
