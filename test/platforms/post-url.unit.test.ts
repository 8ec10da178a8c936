import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/kernel/platform.ts';
import { isPost, POST_PLATFORMS, postOfUrl } from '../../src/platforms/index.ts';

const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';

const of = (platform: Platform, url: string) => postOfUrl(platform, new URL(url));
const handle = (name: string) => ({ kind: 'handle', handle: name });

describe('the URL of a post', () => {
  it.each([
    ['x', 'https://x.com/NASA/status/1580000000000000000?s=20', handle('nasa'), '1580000000000000000'],
    ['x', 'https://mobile.twitter.com/nasa/status/12/photo/1', handle('nasa'), '12'],
    [
      'tiktok',
      'https://www.tiktok.com/@nasa/video/7300000000000000000',
      handle('nasa'),
      '7300000000000000000',
    ],
    ['tiktok', 'https://www.tiktok.com/@nasa/photo/73', handle('nasa'), '73'],
    ['telegram', 'https://t.me/durov_chan/42', handle('durov_chan'), '42'],
    ['telegram', 'https://t.me/s/durov_chan/42?single', handle('durov_chan'), '42'],
    ['bluesky', 'https://bsky.app/profile/nasa.example/post/3kabc', handle('nasa.example'), '3kabc'],
    ['bluesky', `https://bsky.app/profile/${DID}/post/3kabc`, { kind: 'id', id: DID }, '3kabc'],
  ] as const)('names account and post on %s: %s', (platform, url, account, post) => {
    expect(of(platform, url)).toEqual({ account, post });
  });

  it('is refused without an account or post, of another platform, or by another protocol', () => {
    for (const url of [
      'https://x.com/i/status/12',
      'https://x.com/nasa',
      'https://x.com/nasa/status/0012',
      'https://x.com/nasa/status/abc',
      'https://example.com/nasa/status/12',
      'ftp://x.com/nasa/status/12',
    ])
      expect(of('x', url), url).toBeNull();
    expect(of('telegram', 'https://t.me/durov_chan')).toBeNull();
    expect(of('bluesky', 'https://bsky.app/profile/nasa.example/lists/3kabc')).toBeNull();
    for (const platform of POST_PLATFORMS) expect(of(platform, 'https://a.example/')).toBeNull();
  });

  it('is a post’s if its ID is equal, or on Bluesky ends with it', () => {
    const address = { account: { kind: 'id', id: DID }, post: '3kabc' } as const;
    expect(isPost('bluesky', address, `at://${DID}/app.bsky.feed.post/3kabc`)).toBe(true);
    expect(isPost('bluesky', address, `at://${DID}/app.bsky.feed.post/x3kabc`)).toBe(false);
    expect(isPost('x', { ...address, post: '12' }, '12')).toBe(true);
    expect(isPost('x', { ...address, post: '12' }, '912')).toBe(false);
  });
});
