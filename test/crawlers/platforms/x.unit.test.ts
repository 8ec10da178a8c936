import { describe, expect, test } from 'vitest';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import { createX } from '../../../src/crawlers/platforms/x/index.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import { handle, parseWith, script, shown, verdict } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const x = createX();
const parse = (surface: string, body: string | object, more = {}) =>
  parseWith(x, surface, 'sample', body, more);

describe('page', () => {
  test('has everything but the badge', () => {
    const { profile, posts } = shown(parse('page', s.xPage()));
    expect(profile).toEqual({
      ...emptyProfile('sample'),
      id: '42',
      display_name: 'A Sample',
      followers: 1234,
      following: 56,
      posts: 0,
      verified: null,
      created_at: '2010-05-01T12:00:00.000Z',
      bio: 'Hello @friend_1',
      avatar_url: 'https://pbs.twimg.com/a.jpg',
      location: 'Graz',
      links: ['https://sample.example/'],
    });
    expect(posts).toBeNull();
  });

  test('is found among other blocks and in a graph', () => {
    const body =
      script('type="application/ld+json"', { '@type': 'WebSite' }) +
      script("type='application/ld+json' nonce=1", {
        '@graph': [{ '@type': ['X', 'ProfilePage'], ...{ mainEntity: s.xLinkedData().mainEntity } }],
      });
    expect(shown(parse('page', body)).profile.followers).toBe(1234);
  });

  test.for([
    ['without a profile', '<html>nothing</html>', {}, 'unknown:layout_changed'],
    ['of the log-in', '<html>', { url: 'https://x.com/i/flow/login' }, 'unknown:login_wall'],
    [
      'that circles around the log-in',
      '',
      { status: 302, headers: { location: '/i/flow/login' } },
      'unknown:login_wall',
    ],
    ['of a check', '<html>', { url: 'https://x.com/account/access' }, 'unknown:challenge'],
    ['of a challenge', '<title>Just a moment...</title>', {}, 'unknown:challenge'],
    ['with 403 and a challenge', 'cf-chl', { status: 403 }, 'unknown:challenge'],
    ['with 404', '', { status: 404 }, 'unknown:http_error'],
    ['with 451', '', { status: 451 }, 'unknown:region'],
  ] as const)('is inconclusive with %s', ([, body, more, expected]) => {
    expect(verdict(parse('page', body, more))).toBe(expected);
  });
});

describe('syndication', () => {
  test('has the badge and posts, reposts marked and without counts', () => {
    const body = s.xTimeline([
      s.xTweet(),
      s.xTweet({ id_str: '1002', full_text: 'RT @other: hi', retweeted_status: {}, favorite_count: 0 }),
      s.xTweet({ id_str: '1003', in_reply_to_status_id_str: '9' }),
      s.xTweet({ id_str: '1004', is_quote_status: true, entities: { media: [{ type: 'photo' }] } }),
      s.xTweet({ id_str: '1005' }, { screen_name: 'Other', id_str: '43' }),
    ]);
    const { profile, posts } = shown(parse('syndication', body));
    expect(profile).toMatchObject({
      id: '42',
      followers: 1234,
      verified: true,
      created_at: '2010-05-01T12:00:00.000Z',
    });
    expect(posts?.map(({ id, kind, likes }) => [id, kind, likes])).toEqual([
      ['1001', 'original', 5],
      ['1002', 'repost', null],
      ['1003', 'reply', 5],
      ['1004', 'quote', 5],
    ]);
    expect(posts?.[0]).toMatchObject({
      url: 'https://x.com/Sample/status/1001',
      text: 'Fish & chips',
      replies: 0,
      views: null,
      media: 'none',
    });
    expect(posts?.[3]?.media).toBe('photo');
  });

  test.for([
    ['404', '', 404, 'unknown:http_error'],
    ['401', '', 401, 'unknown:login_wall'],
    ['403', '', 403, 'unknown:http_error'],
    ['403 with words', '<html><body>Not authorized.</body></html>', 403, 'unknown:http_error'],
    ['403 with a challenge', 'cf-chl-opt', 403, 'unknown:challenge'],
    ['429', '', 429, 'unknown:rate_limited'],
    ['an empty timeline', s.xTimeline([]), 200, 'present'],
    ['a protected header', s.xTimeline([], { user: { protected: true } }), 200, 'private'],
    ['no header', s.xTimeline([], {}), 200, 'unknown:layout_changed'],
  ] as const)('an answer is read for what it shows: %s', ([, body, status, expected]) => {
    expect(verdict(parse('syndication', body, { status }))).toBe(expected);
  });
});

describe('graphql', () => {
  test.for<[string, object, string]>([
    ['no user node', { data: {} }, 'absent'],
    [
      'no user node but an error',
      { data: {}, errors: [{ code: 88, message: 'Rate limit exceeded' }] },
      'unknown:rate_limited',
    ],
    [
      'an error alone',
      { errors: [{ code: 32, message: 'Could not authenticate you' }] },
      'unknown:login_wall',
    ],
    ['a reply about something else', { data: { tweetResult: {} } }, 'unknown:layout_changed'],
    ['a user without a result', { data: { user: {} } }, 'unknown:layout_changed'],
    [
      'suspended by reason',
      { data: { user: { result: { __typename: 'UserUnavailable', reason: 'Suspended' } } } },
      'suspended',
    ],
    [
      'suspended by the other field',
      { data: { user: { result: { __typename: 'UserUnavailable', unavailable_reason: 'Suspended' } } } },
      'suspended',
    ],
    [
      'unavailable for no reason',
      { data: { user: { result: { __typename: 'UserUnavailable' } } } },
      'unknown:layout_changed',
    ],
    ['protected', s.xUser({ privacy: { protected: true } }), 'private'],
    [
      'protected, older',
      s.xUser({ core: undefined, privacy: undefined, legacy: { screen_name: 'sample', protected: true } }),
      'private',
    ],
  ])('an answer is read for what it shows: %s', ([, body, expected]) => {
    expect(verdict(parse('graphql', body))).toBe(expected);
  });

  test.for<[object, boolean | null]>([
    [{ is_blue_verified: true }, true],
    [{ verification: { verified_type: 'Government' } }, true],
    [{ legacy: { verified_type: 'Business', verified: false } }, true],
    [{ verification: { verified: true } }, null],
    [{ verification: undefined, legacy: { verified: true } }, null],
    [{ verification: { is_blue_verified: false } }, false],
  ])('the badge of %j is %s', ([user, verified]) => {
    expect(shown(parse('graphql', s.xUser({ verification: undefined, ...user }))).profile.verified).toBe(
      verified,
    );
  });

  test('a count may be text, 0 is measured, and a missing one is unknown', () => {
    const { profile } = shown(
      parse(
        'graphql',
        s.xUser({ relationship_counts: { followers: '1,234', following: 0 }, tweet_counts: {} }),
      ),
    );
    expect(profile).toMatchObject({ followers: 1234, following: 0, posts: null });
  });

  test('a timeline has the account’s own posts, with views only where they are counted', () => {
    const core = (name: string) => ({
      user_results: { result: { rest_id: '42', core: { screen_name: name } } },
    });
    const item = (id: string, more: object = {}, name = 'Sample') => ({
      content: {
        itemContent: {
          tweet_results: { result: { rest_id: id, core: core(name), legacy: { full_text: 'x' }, ...more } },
        },
      },
    });
    const body = {
      data: {
        user: {
          result: {
            __typename: 'User',
            timeline_v2: {
              timeline: {
                instructions: [
                  {
                    type: 'TimelinePinEntry',
                    entry: item('1', { views: { state: 'EnabledWithCount', count: '7' } }),
                  },
                  {
                    type: 'TimelineAddEntries',
                    entries: [
                      item('2', { views: { state: 'Enabled', count: '9' } }),
                      item('3', {}, 'Other'),
                      {
                        content: { itemContent: { promotedMetadata: {}, ...item('4').content.itemContent } },
                      },
                      { content: { items: [{ item: item('5').content }] } },
                      {
                        content: {
                          itemContent: {
                            tweet_results: {
                              result: {
                                __typename: 'TweetWithVisibilityResults',
                                tweet: {
                                  rest_id: '6',
                                  core: core('Sample'),
                                  legacy: { full_text: 'y', retweeted_status_result: {} },
                                },
                              },
                            },
                          },
                        },
                      },
                    ],
                  },
                ],
              },
            },
          },
        },
      },
    };
    const { posts } = shown(parse('graphql', body));
    expect(posts?.map(({ id, views, kind }) => [id, views, kind])).toEqual([
      ['1', 7, 'original'],
      ['2', null, 'original'],
      ['5', null, 'original'],
      ['6', null, 'repost'],
    ]);
  });
});

test('a user in the older, flat shape is read', () => {
  const body = { data: { user: { rest_id: '42', legacy: { screen_name: 'sample', followers_count: 5 } } } };
  expect(shown(parse('graphql', body)).profile).toMatchObject({ id: '42', followers: 5 });
});

describe('read', () => {
  const page = { body: s.xPage() };
  const embed = { body: s.xTimeline([s.xTweet()]) };
  const user = { body: JSON.stringify(s.xUser()) };
  const options = (http: ReturnType<typeof stubHttp>) => ({ http, posts: true });

  test('adds the badge and posts of the embed to the page', async () => {
    const reading = shown(
      await x.read(handle('sample'), options(stubHttp({ '/x.com/': page, syndication: embed }))),
    );
    expect(reading).toMatchObject({
      surface: 'page',
      warnings: [],
      profile: { verified: true, location: 'Graz' },
    });
    expect(reading.posts).toHaveLength(1);
  });

  test('is not spoiled by a failing embed', async () => {
    const reading = shown(
      await x.read(handle('sample'), options(stubHttp({ '/x.com/': page, syndication: { status: 429 } }))),
    );
    expect(reading.profile).toMatchObject({ followers: 1234, verified: null });
    expect(reading.warnings.join()).toContain('syndication: rate_limited');
  });

  test('takes the embed’s refusal as no proof, and leaves privacy unknown', async () => {
    const answers = { '/x.com/': page, syndication: { status: 403 } };
    const reading = shown(await x.read(handle('sample'), options(stubHttp(answers))));
    expect(reading).toMatchObject({ status: 'present', profile: { followers: 1234 } });
    expect(reading.measured).not.toContain('private');
    const nobody = await x.read(
      handle('sample'),
      options(stubHttp({ '/x.com/': { body: '<html></html>' }, syndication: { status: 403 } })),
    );
    expect(nobody.status).toBe('unknown');
  });

  test('with a session resolves what the embed’s refusal means', async () => {
    const withSession = createX();
    const answers = { '/x.com/': page, syndication: { status: 403 } };
    const hidden = { body: JSON.stringify(s.xUser({ privacy: { protected: true } })) };
    const closed = await withSession.read(
      handle('sample'),
      options(stubHttp({ ...answers, UserByScreenName: hidden })),
    );
    expect(closed).toMatchObject({ status: 'private', profile: { followers: 1234, location: 'Graz' } });
    const open = await withSession.read(
      handle('sample'),
      options(stubHttp({ ...answers, UserByScreenName: user })),
    );
    expect(shown(open).measured).toContain('private');
    expect(open.status).toBe('present');
  });

  test('without a session says that only a session could tell', async () => {
    const http = stubHttp({ '/x.com/': { body: '<html></html>' }, syndication: { status: 404 } });
    expect(verdict(await x.read(handle('sample'), options(http)))).toBe('unknown:not_configured');
    expect(http.asked.some((url) => url.includes('graphql'))).toBe(false);
  });

  test('without a session says what blocked it', async () => {
    const http = stubHttp({
      '/x.com/': new FetchError('timeout', 'late'),
      syndication: { status: 429, headers: { 'retry-after': '60' } },
    });
    const reading = await x.read(handle('sample'), options(http));
    expect(reading).toMatchObject({ status: 'unknown', reason: 'rate_limited', retryAfterMs: 60_000 });
  });

  test('treats a 429 without a wait as less than a wall', async () => {
    const wall = { url: 'https://x.com/i/flow/login' };
    const http = stubHttp({ '/x.com/': wall, syndication: { status: 429 } });
    expect(verdict(await x.read(handle('sample'), options(http)))).toBe('unknown:login_wall');
  });

  test('with a session proves absence, or finds what the others did not', async () => {
    const withSession = createX();
    const silent = { '/x.com/': { body: '<html></html>' }, syndication: { status: 404 } };
    const gone = stubHttp({ ...silent, UserByScreenName: { body: '{"data":{}}' } });
    expect(verdict(await withSession.read(handle('sample'), options(gone)))).toBe('absent');
    const there = stubHttp({ ...silent, UserByScreenName: user, UserTweets: { status: 500 } });
    const reading = shown(await withSession.read(handle('sample'), options(there)));
    expect(reading).toMatchObject({ surface: 'graphql', profile: { followers: 1234 } });
    expect(reading.warnings.join()).toContain('graphql: http_error');
  });

  test('by id needs a session', async () => {
    expect(verdict(await x.read({ kind: 'id', id: '42' }, options(stubHttp({}))))).toBe(
      'unknown:not_configured',
    );
    const reading = await createX().read(
      { kind: 'id', id: '42' },
      { http: stubHttp({ UserByRestId: user }), posts: false },
    );
    expect(shown(reading).profile.handle).toBe('sample');
  });
});

describe('a page of X with open-graph tags only', () => {
  const shell = (title: string, more = '') =>
    `<html><head><meta property="og:title" content="${title}"><meta property="og:description" content="Hello there">
    <meta property="og:image" content="https://pbs.twimg.com/profile_images/1/a_400x400.jpg">${more}</head><body><div id="react-root"></div></body></html>`;

  test.for([
    'A Sample (@Sample) on X',
    'A Sample (@Sample) / X',
    'A Sample (@Sample)',
    'A Sample (@Sample) auf X',
    'A Sample (@Sample) на X',
    'A Sample (@Sample) sur Twitter',
    'A Sample (@Sample)さん / X',
  ])('shows the account: %s', (title) => {
    expect(shown(parseWith(x, 'page', 'sample', shell(title))).profile).toMatchObject({
      handle: 'sample',
      display_name: 'A Sample',
      bio: 'Hello there',
      avatar_url: 'https://pbs.twimg.com/profile_images/1/a_400x400.jpg',
      followers: null,
    });
  });

  test('shows no other account, and no author of a post', () => {
    expect(verdict(parseWith(x, 'page', 'sample', shell('Other (@other) on X')))).toBe(
      'unknown:layout_changed',
    );
    const post = shell(
      'A Sample (@Sample) on X',
      '<meta property="og:url" content="https://x.com/Sample/status/1">',
    );
    expect(verdict(parseWith(x, 'page', 'sample', post))).toBe('unknown:layout_changed');
  });
});
