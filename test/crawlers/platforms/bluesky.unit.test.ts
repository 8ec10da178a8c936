import { describe, expect, test } from 'vitest';
import { bluesky } from '../../../src/crawlers/platforms/bluesky/index.ts';
import { handle, page, parseWith, shown, verdict } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const parse = (surface: string, body: string | object, more = {}, name = 'sample.example') =>
  parseWith(bluesky, surface, name, body, more);

test('a profile of Bluesky is read whole', () => {
  const whole = { verification: { verifiedStatus: 'valid' }, pronouns: 'they/them' };
  expect(shown(parse('profile', s.blueskyProfile(whole))).profile).toEqual({
    id: s.DID,
    handle: 'sample.example',
    display_name: 'A Sample',
    followers: 1234,
    following: 56,
    posts: 0,
    verified: true,
    created_at: '2023-04-28T22:04:37.957Z',
    bio: 'Hello, see https://sample.example/x.',
    avatar_url: null,
    location: null,
    links: ['https://sample.example/x'],
    pronouns: 'they/them',
  });
  // Without pronouns it has none: that is measured.
  const plain = shown(parse('profile', s.blueskyProfile()));
  expect([plain.profile.pronouns, plain.measured.includes('pronouns')]).toEqual([null, true]);
  expect(
    shown(parse('profile', s.blueskyProfile({ verification: { verifiedStatus: 'invalid' } }))).profile
      .verified,
  ).toBe(false);
});

test('a reading by DID finds whatever handle the account has now', () => {
  expect(
    shown(parse('profile', s.blueskyProfile({ handle: 'renamed.example' }), {}, s.DID)).profile.handle,
  ).toBe('renamed.example');
  expect(
    shown(parse('profile', s.blueskyProfile({ handle: 'handle.invalid' }), {}, s.DID)).profile.handle,
  ).toBe(s.DID);
});

test.for<[string, object, number, string]>([
  ['a missing profile', { error: 'InvalidRequest', message: 'Profile not found' }, 400, 'absent'],
  ['a takedown', { error: 'AccountTakedown', message: 'Account has been suspended' }, 400, 'suspended'],
  ['a deactivation', { error: 'AccountDeactivated', message: 'Account is deactivated' }, 400, 'deactivated'],
  [
    'a bad actor',
    { error: 'InvalidRequest', message: 'Error: actor must be a valid did or a handle' },
    400,
    'unknown:http_error',
  ],
  [
    'a missing profile with 500',
    { error: 'InvalidRequest', message: 'Profile not found' },
    500,
    'unknown:http_error',
  ],
  ['a limit', { error: 'RateLimitExceeded' }, 429, 'unknown:rate_limited'],
  ['another object', { did: s.DID }, 200, 'unknown:layout_changed'],
])('an answer of Bluesky is read for what it shows: %s', ([, body, status, expected]) => {
  for (const surface of ['profile', 'feed']) expect(verdict(parse(surface, body, { status }))).toBe(expected);
});

describe('an owner who opts out of being shown', () => {
  const labels = [{ val: '!no-unauthenticated' }];

  test('exists, and nothing else is kept', () => {
    for (const reading of [
      parse('profile', s.blueskyProfile({ labels })),
      parse('feed', {
        feed: [s.blueskyItem('a', { author: { did: s.DID, handle: 'sample.example', labels } })],
      }),
    ]) {
      const { profile, posts } = shown(reading);
      expect(profile).toMatchObject({
        handle: 'sample.example',
        id: null,
        display_name: null,
        followers: null,
        bio: null,
        verified: null,
        links: [],
      });
      expect(posts).toBeNull();
    }
  });

  test('keeps the handle when requested by DID', () => {
    const address = { kind: 'id', id: s.DID } as const;
    const surface = bluesky.surfaces.find(({ name }) => name === 'profile');
    const answer = page(JSON.stringify(s.blueskyProfile({ labels })), {
      url: `https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=${s.DID}`,
    });
    expect(surface?.parse(answer, address)).toMatchObject({ profile: { handle: 'sample.example' } });
  });

  test('is not asked for posts', async () => {
    const http = stubHttp({ getProfile: { body: JSON.stringify(s.blueskyProfile({ labels })) } });
    expect(shown(await bluesky.read(handle('sample.example'), { http, posts: true })).posts).toBeNull();
    expect(http.asked).toHaveLength(1);
  });
});

test('a feed has its own posts, without reposts and views', () => {
  const feed = [
    s.blueskyItem('1', { embed: { $type: 'app.bsky.embed.images#view' } }),
    s.blueskyItem('2', {
      embed: {
        $type: 'app.bsky.embed.record#view',
        record: { uri: `at://${s.DID}/app.bsky.feed.post/9`, author: { handle: 'cited.example' } },
      },
    }),
    s.blueskyItem('3', { record: { text: 'Re', reply: {} } }),
    s.blueskyItem('4', {}, { reason: { $type: 'app.bsky.feed.defs#reasonRepost' } }),
    s.blueskyItem('5', { author: { did: 'did:plc:x', handle: 'other.example' } }),
    s.blueskyItem('6', {}, { reason: { $type: 'app.bsky.feed.defs#reasonPin' } }),
  ];
  const { posts } = shown(parse('feed', { feed }));
  expect(posts?.map(({ url, kind, media }) => [url?.split('/').at(-1), kind, media])).toEqual([
    ['1', 'original', 'photo'],
    ['2', 'quote', 'none'],
    ['3', 'reply', 'none'],
    ['6', 'original', 'none'],
  ]);
  expect(posts?.[0]).toMatchObject({
    likes: 1,
    replies: 0,
    reposts: 2,
    quotes: 3,
    views: null,
    at: '2024-01-02T03:04:05.000Z',
  });
});

test.for([
  ['feed.post', 'viewRecord', true],
  ['feed.post', 'viewBlocked', true],
  ['feed.post', 'viewDetached', true],
  ['feed.generator', 'generatorView', false],
  ['graph.list', 'listView', false],
  ['graph.starterpack', 'starterPackViewBasic', false],
  ['labeler.service', 'labelerView', false],
] as const)('an embedded record is a quote only if it is a post: %s as %s', ([collection, type, isQuote]) => {
  const uri = `at://did:plc:bbbbbbbbbbbbbbbbbbbbbbbb/app.bsky.${collection}/1`;
  const view = { $type: `app.bsky.feed.defs#${type}`, uri, author: { handle: 'cited.example' }, record: {} };
  const record = { record: { uri } };
  const embeds = [
    { embed: { $type: 'app.bsky.embed.record#view', record: view } },
    { record: { text: 'Hi', embed: { $type: 'app.bsky.embed.record', ...record } } },
    {
      embed: {
        $type: 'app.bsky.embed.recordWithMedia#view',
        media: { $type: 'app.bsky.embed.images#view' },
        record: { record: view },
      },
    },
  ];
  const feed = embeds.map((embed, n) => s.blueskyItem(String(n), embed));
  for (const { kind, target } of shown(parse('feed', { feed })).posts ?? []) {
    expect(kind).toBe(isQuote ? 'quote' : 'original');
    expect(target?.post ?? null).toBe(isQuote ? uri : null);
  }
  const reply = s.blueskyItem('r', { ...embeds[0], record: { text: 'Re', reply: {} } });
  expect(shown(parse('feed', { feed: [reply] })).posts?.[0]?.target?.post ?? null).toBe(isQuote ? uri : null);
});

test.for<[object | undefined, boolean]>([
  [undefined, false],
  [{ verifiedStatus: 'valid', trustedVerifierStatus: 'none' }, true],
  [{ verifiedStatus: 'none', trustedVerifierStatus: 'valid' }, true],
  [{ verifiedStatus: 'invalid', trustedVerifierStatus: 'invalid' }, false],
])('an actor with the verification %j has a badge: %s', ([verification, verified]) => {
  const profile = s.blueskyProfile({ verification });
  expect(shown(parse('profile', profile)).profile.verified).toBe(verified);
  const author = { did: s.DID, handle: 'sample.example', verification };
  const { profile: seen } = shown(parse('feed', { feed: [s.blueskyItem('a', { author })] }));
  expect(seen.verified).toBe(verification === undefined ? null : verified);
});

test('an account that lost its handle is read under its DID, with its posts', async () => {
  const author = { did: s.DID, handle: 'handle.invalid' };
  const http = stubHttp({
    getProfile: { body: JSON.stringify(s.blueskyProfile({ handle: 'handle.invalid' })) },
    getAuthorFeed: { body: JSON.stringify({ feed: [s.blueskyItem('a', { author })] }) },
  });
  const reading = shown(await bluesky.read(handle('sample.example'), { http, posts: true }));
  expect(reading.profile).toMatchObject({ id: s.DID, handle: s.DID });
  expect(reading.posts).toHaveLength(1);
  expect(http.asked[1]).toContain(encodeURIComponent(s.DID));
});

test('a read adds the feed, whose failure does no harm', async () => {
  const getProfile = { body: JSON.stringify(s.blueskyProfile()) };
  const ok = stubHttp({
    getProfile,
    getAuthorFeed: { body: JSON.stringify({ feed: [s.blueskyItem('1')] }) },
  });
  expect(shown(await bluesky.read(handle('sample.example'), { http: ok, posts: true })).posts).toHaveLength(
    1,
  );
  const bad = stubHttp({ getProfile, getAuthorFeed: { status: 502 } });
  const reading = shown(await bluesky.read(handle('sample.example'), { http: bad, posts: true }));
  expect(reading.warnings.join()).toContain('feed: http_error');
});
