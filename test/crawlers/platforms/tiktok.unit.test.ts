import { describe, expect, test } from 'vitest';
import { tiktok } from '../../../src/crawlers/platforms/tiktok/index.ts';
import { handle, parseWith, script, shown, verdict } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const parse = (surface: string, body: string | object, more = {}) =>
  parseWith(tiktok, surface, 'sample', body, more);

test('a page has exact counts', () => {
  const { profile, posts } = shown(
    parse('page', s.tiktokPage(s.tiktokDetail({}, { bioLink: { link: 'sample.example' } }))),
  );
  expect(profile).toMatchObject({
    id: '99',
    handle: 'sample',
    followers: 1234,
    following: 56,
    posts: 7,
    verified: false,
    created_at: '2015-02-28T17:22:29.000Z',
    bio: 'Hello',
    links: ['https://sample.example'],
  });
  expect(posts).toBeNull();
});

test.for<[unknown, string | null]>([
  [1425144149, '2015-02-28T17:22:29.000Z'],
  ['1425144149', '2015-02-28T17:22:29.000Z'],
  [0, null],
  [undefined, null],
])('an account with the number %j was created at %s', ([createTime, at]) => {
  const reading = shown(parse('page', s.tiktokPage(s.tiktokDetail({}, { createTime }))));
  expect(reading.profile.created_at).toBe(at);
  expect(reading.warnings).toEqual([]);
});

test('rounded counts are used where there are no exact ones', () => {
  const { userInfo } = s.tiktokDetail();
  const reading = shown(
    parse('page', s.tiktokPage({ statusCode: 0, userInfo: { ...userInfo, statsV2: undefined } })),
  );
  expect(reading.profile.followers).toBe(1200);
});

test.for<[string, string, object, string]>([
  ['10221', s.tiktokPage({ statusCode: 10221 }), {}, 'unknown:ambiguous'],
  ['10202', s.tiktokPage({ statusCode: 10202 }), {}, 'absent'],
  ['10221 with HTTP 500', s.tiktokPage({ statusCode: 10221 }), { status: 500 }, 'unknown:http_error'],
  ['10222', s.tiktokPage({ statusCode: 10222 }), {}, 'private'],
  ['10222 with a user', s.tiktokPage(s.tiktokDetail({ statusCode: 10222 })), {}, 'private'],
  ['a private flag', s.tiktokPage(s.tiktokDetail({}, { privateAccount: true })), {}, 'private'],
  ['10231', s.tiktokPage({ statusCode: 10231 }), {}, 'unknown:region'],
  ['10204', s.tiktokPage({ statusCode: 10204 }), {}, 'unknown:http_error'],
  ['10223', s.tiktokPage({ statusCode: 10223 }), {}, 'unknown:restricted'],
  ['10225', s.tiktokPage({ statusCode: 10225 }), {}, 'unknown:restricted'],
  ['an unknown code', s.tiktokPage({ statusCode: 99999 }), {}, 'unknown:layout_changed'],
  ['no user', s.tiktokPage({ statusCode: 0 }), {}, 'unknown:layout_changed'],
  [
    'a script of another page',
    script('id="__UNIVERSAL_DATA_FOR_REHYDRATION__"', { __DEFAULT_SCOPE__: {} }),
    {},
    'unknown:layout_changed',
  ],
  [
    'a challenge',
    '<html><p id="wci" class="_wafchallengeid"></p>Please wait...</html>',
    {},
    'unknown:challenge',
  ],
  ['the log-in', '<html>', { url: 'https://www.tiktok.com/login?redirect=x' }, 'unknown:login_wall'],
  ['another layout', '<html><div id="app"></div></html>', {}, 'unknown:layout_changed'],
])('a page of TikTok is read for what it shows: %s', ([, body, more, expected]) => {
  expect(verdict(parse('page', body, more))).toBe(expected);
});

test('an item list has only the account’s posts', () => {
  const item = (id: string, uniqueId: string) => ({
    id,
    desc: 'Hi',
    createTime: 1609464681,
    author: { uniqueId, id: '99' },
    stats: { playCount: 10, diggCount: 0, commentCount: 2, shareCount: 3 },
  });
  const { posts, profile } = shown(parse('page', { itemList: [item('1', 'sample'), item('2', 'other')] }));
  expect(profile.id).toBe('99');
  expect(posts).toEqual([
    expect.objectContaining({
      id: '1',
      at: '2021-01-01T01:31:21.000Z',
      views: 10,
      likes: 0,
      replies: 2,
      reposts: 3,
      quotes: null,
    }),
  ]);
});

describe('embed', () => {
  test('has its overflowed counts corrected', () => {
    expect(shown(parse('embed', s.tiktokEmbed())).profile.followers).toBe(2_200_000_000);
  });

  test('is found whatever the case of its key', () => {
    expect(shown(parse('embed', s.tiktokEmbed({}, '/embed/@Sample/'))).profile.id).toBe('99');
  });

  test('is inconclusive with status 400', () => {
    expect(verdict(parse('embed', '', { status: 400 }))).toBe('unknown:http_error');
  });

  test('answers where the page does not', async () => {
    const http = stubHttp({
      '/embed/': { body: s.tiktokEmbed() },
      '/@sample': { body: '', url: 'https://www.tiktok.com/login' },
    });
    const reading = shown(await tiktok.read(handle('sample'), { http, posts: true }));
    expect(reading.surface).toBe('embed');
  });

  test('is not requested where the page proves something', async () => {
    const http = stubHttp({ '/@sample': { body: s.tiktokPage({ statusCode: 10202 }) } });
    expect(verdict(await tiktok.read(handle('sample'), { http, posts: true }))).toBe('absent');
    expect(http.asked).toHaveLength(1);
  });
});

test('a layout between the older and the newer one is read too', () => {
  const { user, stats } = s.tiktokDetail().userInfo;
  const state = {
    UserModule: { users: { sample: user }, stats: { sample: stats } },
    UserPage: { statusCode: 0 },
  };
  expect(shown(parse('page', script('id="SIGI_STATE"', state))).profile.followers).toBe(1200);
});

test.for(['a code', 'a flag', 'the older flag'])(
  'figures that strangers cannot see are unknown for a private account: marked by %s',
  (mark) => {
    const user = { 'a code': {}, 'a flag': { privateAccount: true }, 'the older flag': { secret: true } }[
      mark
    ];
    const { userInfo } = s.tiktokDetail({}, user);
    const none = { followerCount: '0', followingCount: '3', videoCount: '0' };
    const body = {
      statusCode: mark === 'a code' ? 10222 : 0,
      items: [],
      userInfo: { ...userInfo, statsV2: none },
    };
    const reading = shown(parse('page', s.tiktokPage(body)));
    expect(reading).toMatchObject({ status: 'private', posts: null });
    expect(reading.profile).toMatchObject({ followers: 0, following: 3, posts: null });
    const counted = { ...body, userInfo: { ...userInfo, statsV2: { ...none, videoCount: '4' } } };
    expect(shown(parse('page', s.tiktokPage(counted))).profile.posts).toBe(4);
  },
);
