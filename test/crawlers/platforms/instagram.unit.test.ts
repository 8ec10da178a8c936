import { describe, expect, test } from 'vitest';
import { instagram } from '../../../src/crawlers/platforms/instagram/index.ts';
import { handle, parseWith, script, shown, verdict } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const parse = (surface: string, body: string | object, more = {}) =>
  parseWith(instagram, surface, 'sample', body, more);

test('a page has the profile and its own posts', () => {
  const node = (code: string, username: string, more: object = {}) => ({
    node: {
      code,
      media_type: 2,
      caption: { text: 'Hi' },
      user: { username },
      taken_at: 1_700_000_000,
      like_count: 3,
      ...more,
    },
  });
  const edges = [
    node('B7eUksNFA-K', 'sample', { view_count: 9 }),
    node('B7cWmQcB3RE', 'stranger'),
    node('B7cOJYHFnzL', 'SAMPLE', { media_type: 1, like_count: -1 }),
  ];
  const { profile, posts } = shown(
    parse(
      'page',
      s.instagramPage(
        s.instagramUser({
          bio_links: [{ url: 'https://sample.example' }],
          external_url: 'https://l.instagram.com/?u=https%3A%2F%2Fsample.example%2F&e=x',
          polaris_ordered_timeline_connection: { edges },
        }),
      ),
    ),
  );
  expect(profile).toMatchObject({
    id: '77',
    handle: 'sample',
    followers: 1234,
    following: 56,
    posts: null,
    verified: true,
    created_at: null,
    links: ['https://sample.example'],
  });
  expect(posts?.map(({ id, media, likes, views }) => [id, media, likes, views])).toEqual([
    ['2224305748263047050', 'video', 3, 9],
    ['2223714533029346507', 'photo', null, null],
  ]);
});

test.for<[string, string, string | object, object, string]>([
  ['a null user', 'page', s.instagramPage(null), {}, 'absent'],
  ['a bare 404', 'page', '', { status: 404 }, 'unknown:http_error'],
  ["Instagram's own 404", 'page', s.instagramMissing, { status: 404 }, 'absent'],
  [
    'the same under its bare name',
    'page',
    '<title>Instagram</title><h2>Sorry, this page isn&#39;t available.</h2>',
    { status: 404 },
    'absent',
  ],
  [
    'the words under another name',
    'page',
    "<title>Error</title><h2>Sorry, this page isn't available.</h2>",
    { status: 404 },
    'unknown:http_error',
  ],
  ['its words with HTTP 200', 'page', s.instagramMissing, {}, 'unknown:layout_changed'],
  [
    "an edge's 404",
    'page',
    '<html><head><title>404 Not Found</title></head><body><center>nginx</center></body></html>',
    { status: 404 },
    'unknown:http_error',
  ],
  [
    'a null user of a query that failed',
    'page',
    script('type="application/json"', {
      data: { xig_user_by_username: null },
      errors: [{ message: 'Execution error', code: 1675030 }],
    }),
    {},
    'unknown:layout_changed',
  ],
  [
    'a null user of a query that was one too many',
    'page',
    script('type="application/json"', {
      data: { xig_user_by_username: null },
      errors: [{ message: 'Rate limit exceeded', code: 1675004 }],
    }),
    {},
    'unknown:rate_limited',
  ],
  [
    'a page whose query was one too many, without its field',
    'page',
    script('type="application/json"', { data: null, errors: [{ summary: 'Limit', code: 1675004 }] }),
    {},
    'unknown:rate_limited',
  ],
  [
    'a page that asks to wait',
    'page',
    '<html><body><h1>Please wait a few minutes before you try again.</h1></body></html>',
    {},
    'unknown:rate_limited',
  ],
  [
    'a reply to a query about the viewer',
    'web_profile_info',
    { data: { viewer: {}, user: null } },
    {},
    'unknown:layout_changed',
  ],
  [
    'a reply to a query with extensions',
    'web_profile_info',
    { data: { user: null }, extensions: { is_final: true }, status: 'ok' },
    {},
    'unknown:layout_changed',
  ],
  ['a private user', 'page', s.instagramPage(s.instagramUser({ is_private: true })), {}, 'private'],
  [
    'the log-in',
    'page',
    '<html>',
    { url: 'https://www.instagram.com/accounts/login/?next=/sample/' },
    'unknown:login_wall',
  ],
  ['the front page', 'page', '<html>', { url: 'https://www.instagram.com/' }, 'unknown:login_wall'],
  [
    'an unfollowed redirect to the log-in',
    'page',
    '',
    { status: 302, headers: { location: '/accounts/login/' } },
    'unknown:login_wall',
  ],
  ['a challenge', 'page', '', { url: 'https://www.instagram.com/challenge/1/2/' }, 'unknown:challenge'],
  ['no data', 'page', '<html><p>hi</p></html>', {}, 'unknown:layout_changed'],
  ['HTTP 429', 'page', '', { status: 429 }, 'unknown:rate_limited'],
  ['a null user', 'web_profile_info', { data: { user: null }, status: 'ok' }, {}, 'absent'],
  ['a bare 404', 'web_profile_info', '', { status: 404 }, 'unknown:http_error'],
  ["Instagram's own 404", 'web_profile_info', s.instagramMissing, { status: 404 }, 'absent'],
  [
    'its own 404 in JSON',
    'web_profile_info',
    { message: 'User not found', status: 'fail' },
    { status: 404 },
    'absent',
  ],
  [
    'a 404 with other JSON',
    'web_profile_info',
    { error: 'not found' },
    { status: 404 },
    'unknown:http_error',
  ],
  [
    'a null user of a call that failed',
    'web_profile_info',
    { data: { user: null }, status: 'fail' },
    {},
    'unknown:layout_changed',
  ],
  ['a missing user', 'web_profile_info', { data: {}, status: 'ok' }, {}, 'unknown:layout_changed'],
  [
    'require_login',
    'web_profile_info',
    { message: 'Please wait a few minutes before you try again.', require_login: true, status: 'fail' },
    { status: 401 },
    'unknown:login_wall',
  ],
  [
    'feedback_required',
    'web_profile_info',
    { message: 'feedback_required', status: 'fail' },
    { status: 400 },
    'unknown:challenge',
  ],
  [
    'challenge_required',
    'web_profile_info',
    { message: 'challenge_required', status: 'fail' },
    { status: 400 },
    'unknown:challenge',
  ],
  [
    'checkpoint_required',
    'web_profile_info',
    { message: 'checkpoint_required', status: 'fail' },
    { status: 400 },
    'unknown:challenge',
  ],
  [
    'a wish for a log-in',
    'web_profile_info',
    { message: 'You must be logged in to continue' },
    { status: 400 },
    'unknown:login_wall',
  ],
  ['another 400', 'web_profile_info', {}, { status: 400 }, 'unknown:http_error'],
  ['HTML in place of JSON', 'web_profile_info', '<html></html>', {}, 'unknown:layout_changed'],
  ['a private user', 'web_profile_info', s.instagramInfo({ is_private: true }), {}, 'private'],
])('an answer of Instagram is read for what it shows: %s on %s', ([, surface, body, more, expected]) => {
  expect(verdict(parse(surface, body, more))).toBe(expected);
});

test.for<[string, (user: object) => string | object]>([
  ['page', (user) => s.instagramPage(user)],
  ['web_profile_info', (user) => s.instagramInfo(user)],
  ['web_profile_info', (user) => ({ user, status: 'ok' })],
])('figures of a gated account are unknown to strangers: on %s', ([surface, bodyOf]) => {
  const none = {
    follower_count: 0,
    following_count: 0,
    media_count: 0,
    edge_followed_by: { count: 0 },
    edge_follow: { count: 0 },
    edge_owner_to_timeline_media: { count: 0, edges: [] },
    polaris_ordered_timeline_connection: { edges: [] },
    biography: '',
  };
  for (const gate of [{ gating: { gating_type: 'appealable' } }, { country_block: true }]) {
    const reading = shown(parse(surface, bodyOf({ ...s.instagramUser(), ...none, ...gate })));
    expect(reading.profile).toMatchObject({ followers: null, following: null, posts: null, bio: null });
    expect(reading.posts).toBeNull();
    expect(reading.measured).not.toContain('bio');
  }
  const open = shown(parse(surface, bodyOf({ ...s.instagramUser(), ...none, gating: null })));
  expect(open.profile).toMatchObject({ followers: 0, following: 0, posts: 0, bio: '' });
});

describe('a post of several authors', () => {
  const by = (username: string, coauthors: readonly string[] = []) => ({
    node: {
      code: 'B7eUksNFA-K',
      shortcode: 'B7eUksNFA-K',
      owner: { username },
      user: { username },
      coauthor_producers: coauthors.map((name) => ({ username: name })),
    },
  });

  test.for<[string, (edges: object[]) => string | object]>([
    ['page', (edges) => s.instagramPage(s.instagramUser({ polaris_ordered_timeline_connection: { edges } }))],
    ['web_profile_info', (edges) => s.instagramInfo({ edge_owner_to_timeline_media: { count: 1, edges } })],
    [
      'web_profile_info',
      (edges) => ({ user: s.instagramUser(), items: edges.map((edge) => (edge as { node: object }).node) }),
    ],
  ])('is listed and marked on %s', ([surface, bodyOf]) => {
    const marked = shown(parse(surface, bodyOf([by('partner', ['other', 'SAMPLE'])])));
    expect(marked.posts).toHaveLength(1);
    expect(marked.coauthored?.size).toBe(1);
    const own = shown(parse(surface, bodyOf([by('sample')])));
    expect([own.posts?.length, own.coauthored]).toEqual([1, new Set()]);
    expect(shown(parse(surface, bodyOf([by('partner', ['other'])]))).posts).toEqual([]);
    const { id } = own.profile;
    const byId = { node: { ...by('partner').node, coauthor_producers: [{ id }] } };
    expect(shown(parse(surface, bodyOf([byId]))).coauthored?.size).toBe(1);
  });

  test('may be missing in a list that does not name its posts’ authors', () => {
    const timelineOf = (node: object) =>
      s.instagramInfo({
        edge_owner_to_timeline_media: { count: 1, edges: [{ node }], page_info: { has_next_page: false } },
      });
    const { coauthor_producers: _, ...unsaid } = by('partner').node;
    const read = (node: object) => shown(parse('web_profile_info', timelineOf(node)));
    expect([read(by('partner').node).postsSince, read(unsaid).postsSince]).toEqual([null, undefined]);
    expect(read(unsaid).posts).toEqual([]);
  });

  test('misses nothing only if every post could be read', () => {
    const edges = [{ node: { owner: { username: 'sample' } } }];
    const timeline = { count: 1, edges, page_info: { has_next_page: false } };
    const reading = shown(
      parse('web_profile_info', s.instagramInfo({ edge_owner_to_timeline_media: timeline })),
    );
    expect(reading.posts).toEqual([]);
    expect('postsSince' in reading).toBe(false);
  });
});

test.for<[object, number | null]>([
  [{ video_view_count: 14, video_play_count: 410 }, 410],
  [{ view_count: 14, play_count: 410 }, 410],
  [{ view_count: 14, play_count: 0 }, 14],
  [{ video_view_count: 14, video_play_count: null }, 14],
  [{ video_play_count: -1, video_view_count: -1 }, null],
  [{}, null],
])('views are the largest of %j', ([counts, views]) => {
  const node = { shortcode: 'B7eUksNFA-K', is_video: true, owner: { username: 'sample' }, ...counts };
  const timeline = { edge_owner_to_timeline_media: { count: 1, edges: [{ node }] } };
  expect(shown(parse('web_profile_info', s.instagramInfo(timeline))).posts?.[0]?.views).toBe(views);
});

test.for([
  ['PolarisLoginRoute', 'unknown:login_wall'],
  ['PolarisEmailSignupRoute', 'unknown:login_wall'],
  ['PolarisChallengeRoute', 'unknown:challenge'],
  ['PolarisHttpGatedContentPageRoute', 'unknown:restricted'],
  ['PolarisErrorRoute', 'absent'],
  ['PolarisProfilePostsTabRoute', 'unknown:layout_changed'],
] as const)('a page of the route %s is %s', ([route, expected]) => {
  const said = script('type="application/json" data-sjs', { canonicalRouteName: `comet.igweb.${route}` });
  expect(verdict(parse('page', said))).toBe(expected);
  // An account that is shown is there, whatever the route's name.
  expect(verdict(parse('page', said + s.instagramPage(s.instagramUser())))).toBe('present');
  // What an owner writes is no statement of the page.
  const quoted = s.instagramUser({ biography: `"canonicalRouteName":"comet.igweb.${route}"` });
  expect(verdict(parse('page', s.instagramPage(quoted)))).toBe('present');
});

test.for<[string, string, object, string]>([
  ['page', '<title>Restricted profile • Instagram</title>', {}, 'unknown:restricted'],
  [
    'page',
    '<title>Instagram</title><h2>Restricted profile</h2><p>You must be 18 years old or over to see this profile</p>',
    { status: 404 },
    'unknown:restricted',
  ],
  ['page', '<title>Restricted profile (@other) • Instagram</title>', {}, 'unknown:layout_changed'],
  ['page', '<p>This profile isn&#039;t available in your country.</p>', {}, 'unknown:region'],
  [
    'web_profile_info',
    '{"message":"geoblock_required","description":"Not available","status":"fail"}',
    { status: 400 },
    'unknown:region',
  ],
  [
    'web_profile_info',
    '{"message":"You must be 18 years old to see this profile","status":"fail"}',
    { status: 404 },
    'unknown:restricted',
  ],
])('a known refusal on %s is not a changed layout: %s', ([surface, body, more, expected]) => {
  expect(verdict(parse(surface, body, more))).toBe(expected);
});

test('an account with no posts has none, and one with hidden posts has unknown ones', () => {
  expect(shown(parse('web_profile_info', s.instagramInfo())).posts).toEqual([]);
  const hidden = { edge_owner_to_timeline_media: { count: 5, edges: [] } };
  expect(shown(parse('web_profile_info', s.instagramInfo(hidden))).posts).toBeNull();
});

describe('read', () => {
  const info = {
    body: JSON.stringify(
      s.instagramInfo({
        edge_owner_to_timeline_media: { count: 1, edges: [{ node: { id: '5', shortcode: 'B7eUksNFA-K' } }] },
      }),
    ),
  };

  test('falls back to the page where the call is a wall', async () => {
    const http = stubHttp({
      web_profile_info: { body: '', url: 'https://www.instagram.com/accounts/login/' },
      'com/sample/': { body: s.instagramPage(s.instagramUser()) },
    });
    const reading = shown(await instagram.read(handle('sample'), { http, posts: true }));
    expect(reading).toMatchObject({ surface: 'page', profile: { followers: 1234 } });
    expect(reading.warnings.join()).toContain('web_profile_info: login_wall');
  });

  test('asks for posts only where they are wanted', async () => {
    const answers = { web_profile_info: info, 'com/sample/': { body: s.instagramPage(s.instagramUser()) } };
    const without = stubHttp(answers);
    expect(shown(await instagram.read(handle('sample'), { http: without, posts: false })).posts).toBeNull();
    expect(without.asked).toHaveLength(1);
    const both = stubHttp(answers);
    const reading = shown(await instagram.read(handle('sample'), { http: both, posts: true }));
    expect(reading).toMatchObject({ surface: 'web_profile_info', profile: { followers: 1234, posts: 1 } });
    expect(reading.posts).toHaveLength(1);
    // The call shows the profile as well: the page is not asked.
    expect(both.asked).toHaveLength(1);
  });
});

describe('other shapes of the call', () => {
  const likes = 'edge_liked_by';

  test.for<[string, object]>([
    ['graphql', { graphql: (s.instagramInfo() as { data: object }).data }],
    ['flat', { user: { ...s.instagramUser(), media_count: 0 }, status: 'ok' }],
  ])('are read: %s', ([, body]) => {
    expect(shown(parse('web_profile_info', body)).profile).toMatchObject({
      id: '77',
      followers: 1234,
      posts: 0,
    });
  });

  test('include a connection of posts alone', () => {
    const node = { code: 'B7eUksNFA-K', user: { username: 'sample', pk: '77' }, [likes]: { count: 3 } };
    const body = { data: { xdt_api__v1__feed__user_timeline_graphql_connection: { edges: [{ node }] } } };
    const reading = shown(parse('web_profile_info', body));
    expect(reading.profile).toMatchObject({ id: '77', followers: null });
    expect(reading.posts?.[0]).toMatchObject({ id: '2224305748263047050', likes: 3 });
  });
});

describe('a page with profile and timeline in separate scripts', () => {
  const script = (user: object) =>
    `<script type="application/json" data-sjs>${JSON.stringify({ require: [[{ xig_user_by_username: user }]] })}</script>`;
  const node = { node: { code: 'B7eUksNFA-K', media_type: 1, user: { username: 'sample' } } };
  const timeline = { polaris_ordered_timeline_connection: { edges: [node] } };
  const profile = script(s.instagramUser());

  test.for([
    ['first the profile', profile + script({ id: '77', ...timeline })],
    ['first the timeline', script({ id: '77', ...timeline }) + profile],
    ['a timeline that only its posts name', profile + script(timeline)],
    ['with nulls for what the other has', profile + script({ pk: '77', follower_count: null, ...timeline })],
    [
      'both in one script',
      `<script type="application/json">${JSON.stringify([{ xig_user_by_username: s.instagramUser() }, { xig_user_by_username: { id: '77', ...timeline } }])}</script>`,
    ],
  ] as const)('has both: %s', ([, body]) => {
    const { profile: read, posts } = shown(parse('page', body));
    expect(read).toMatchObject({ id: '77', followers: 1234 });
    expect(posts?.map(({ url }) => url)).toEqual(['https://www.instagram.com/p/B7eUksNFA-K/']);
  });

  test('ignores another account’s timeline', () => {
    expect(shown(parse('page', profile + script({ id: '78', ...timeline }))).posts).toBeNull();
  });
});

describe('a page with figures in its meta tags only', () => {
  const meta = (description: string, title = 'A Sample (@sample) • Instagram photos and videos') =>
    `<html><head><meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
    <meta property="og:image" content="https://scontent.cdninstagram.com/a.jpg"></head><body></body></html>`;

  test.for([
    [
      '1.2M Followers, 345 Following, 678 Posts - See Instagram photos and videos from A Sample (@sample)',
      1_200_000,
      345,
      678,
    ],
    ['1,234 Followers, 1 Following, 0 Posts – A Sample (@sample) on Instagram: &quot;Hi&quot;', 1234, 1, 0],
    ['12 Tsd. Follower, 56 gefolgt, 7 Beiträge – Sieh dir Instagram-Fotos an', 12_000, 56, 7],
    ['3 M seguidores, 20 seguidos, 9 publicaciones - Ver fotos', 3_000_000, 20, 9],
    ['37,2K Abonnenten', 37_200, null, null],
    ['3 B takipçi, 56 takip, 78 gönderi - x', 3_000, 56, 78],
    ['1 234 abonnés, 56 suivi(e)s, 78 publications - x', 1234, 56, 78],
    ['フォロワー1.2万人、フォロー中56人、投稿78件 - x', 12_000, 56, 78],
  ] as const)('shows those: %s', ([description, followers, following, posts]) => {
    const reading = shown(parse('page', meta(description)));
    expect(reading.profile).toMatchObject({
      display_name: 'A Sample',
      followers,
      following,
      posts,
      id: null,
    });
    expect(reading.warnings).toEqual([]);
  });

  test.for([
    ['{"rootView":{"props":{"profile_id":"787132","page_logging":{"name":"profilePage_787132"}}}}', '787132'],
    ['{"page_id":"profilePage_787132"}', '787132'],
    ['{"profile_id":"787132"},{"profile_id":"5"}', null],
    ['{"bio":"\\"profile_id\\":\\"787132\\""}', null],
    ['{}', null],
  ] as const)('has the ID that its scripts repeat: %s', ([text, id]) => {
    const body = meta('1 Followers, 2 Following, 3 Posts').replace(
      '<body>',
      `<body><script type="application/json">${text}</script>`,
    );
    expect(shown(parse('page', body)).profile.id).toBe(id);
  });

  test('warns of a figure with an unknown word', () => {
    const reading = shown(parse('page', meta('12 volgelinge, 5 Following, 6 Posts - See')));
    expect(reading.profile).toMatchObject({ followers: null, following: 5, posts: 6 });
    expect(reading.warnings.join()).toContain('volgelinge');
  });

  test('says nothing about anybody else', () => {
    const other = meta('1 Followers, 2 Following, 3 Posts', 'Other (@other) • Instagram photos and videos');
    expect(verdict(parse('page', other))).toBe('unknown:layout_changed');
    expect(verdict(parse('page', meta('Create an account or log in', 'Instagram')))).toBe(
      'unknown:layout_changed',
    );
  });

  test('is completed by the exact figures of the call', async () => {
    const http = stubHttp({
      '/sample/': { body: meta('1.2M Followers, 345 Following, 678 Posts - See') },
      web_profile_info: { body: JSON.stringify(s.instagramInfo({ edge_followed_by: { count: 1_234_567 } })) },
    });
    const reading = shown(await instagram.read(handle('sample'), { http, posts: false }));
    expect(reading.profile).toMatchObject({ followers: 1_234_567, posts: 0 });
  });
});
