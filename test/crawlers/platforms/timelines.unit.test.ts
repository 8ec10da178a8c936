import { describe, expect, test } from 'vitest';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import { createX } from '../../../src/crawlers/platforms/x/index.ts';
import { handle, parseWith, shown } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const json = (value: unknown) => ({ body: JSON.stringify(value) });
const idsOf = (posts: readonly { id: string }[] | null) => (posts ?? []).map(({ id }) => id);
const window = { pages: 5, since: null };

describe('X with a session', () => {
  const page = { body: s.xPage({ identifier: '42' }) };
  const session = () => createX();

  test('reads posts from the timeline, in order and with views, without the embed', async () => {
    const http = stubHttp({ UserTweets: json(s.xTweets([s.xItem('9', 9)], 'C2')), '/x.com/': page });
    const reading = shown(await session().read(handle('sample'), { http, posts: true }));
    expect(reading).toMatchObject({ postOrder: 'time', postsSince: '2024-01-09T12:00:00.000Z' });
    expect(reading.posts).toMatchObject([{ id: '9', views: 70, likes: 1 }]);
    expect(reading.measured).toContain('private');
    expect(http.asked).toHaveLength(2);
  });

  test('pages back to the start of the window, and states since when no post is missing', async () => {
    const http = stubHttp({
      '%22C2%22': json(s.xTweets([s.xItem('7', 7), s.xItem('6', 6)], 'C3')),
      '%22C3%22': json(s.xTweets([s.xItem('5', 5)], 'C4')),
      UserTweets: json(s.xTweets([s.xItem('9', 9), s.xItem('8', 8)], 'C2', [s.xItem('1', 1)])),
      '/x.com/': page,
    });
    const since = '2024-01-06T13:00:00.000Z';
    const reading = shown(
      await session().read(handle('sample'), { http, posts: true, window: { pages: 9, since } }),
    );
    expect(idsOf(reading.posts)).toEqual(['1', '9', '8', '7', '6']);
    expect(reading.postsSince).toBe('2024-01-06T12:00:00.000Z');
  });

  test('knows at the end of the timeline that no post is missing, and follows no cursor twice', async () => {
    const answers = { UserTweets: json(s.xTweets([s.xItem('9', 9)], 'C2')), '/x.com/': page };
    const ended = stubHttp({ '%22C2%22': json(s.xTweets([], 'C3')), ...answers });
    const whole = shown(await session().read(handle('sample'), { http: ended, posts: true, window }));
    // An empty page names no account: after others it is the end.
    expect(idsOf(whole.posts)).toEqual(['9']);
    expect(whole).toMatchObject({ postsSince: null, warnings: [] });
    const circling = stubHttp({ '%22C2%22': json(s.xTweets([s.xItem('8', 8)], 'C2')), ...answers });
    await session().read(handle('sample'), { http: circling, posts: true, window });
    expect(circling.asked.filter((url) => url.includes('UserTweets'))).toHaveLength(2);
  });

  test('falls back to the embed while the sessions are limited, without a warning', async () => {
    const http = stubHttp({
      UserTweets: new FetchError('session_limited', 'all rest', { retryAfterMs: 600_000 }),
      syndication: { body: s.xTimeline([s.xTweet()]) },
      '/x.com/': page,
    });
    const reading = shown(await session().read(handle('sample'), { http, posts: true }));
    expect(idsOf(reading.posts)).toEqual(['1001']);
    expect(reading.warnings).toEqual([]);
  });

  test('asks the session first in a live read, and public surfaces only without one', async () => {
    const user = json(s.xUser({}));
    const options = { posts: false, preferSession: true };
    const first = stubHttp({ UserByScreenName: user, '/x.com/': page });
    expect(await session().read(handle('sample'), { http: first, ...options })).toMatchObject({
      surface: 'graphql',
    });
    expect(first.asked).toHaveLength(1);
    const without = stubHttp({ '/x.com/': page, syndication: { status: 404 } });
    expect(await session().read(handle('sample'), { http: without, ...options })).toMatchObject({
      surface: 'page',
    });
  });

  test('distinguishes an account without posts from a protected one', async () => {
    const empty = json(s.xTweets([], null));
    const read = async (hidden: boolean) => {
      const user = json(s.xUser({ privacy: { protected: hidden } }));
      const http = stubHttp({ UserTweets: empty, UserByScreenName: user, '/x.com/': page });
      return shown(await session().read(handle('sample'), { http, posts: true }));
    };
    expect(await read(true)).toMatchObject({ status: 'private', posts: null });
    expect(await read(false)).toMatchObject({ status: 'present', posts: [], postsSince: null });
  });

  test('reads language, tags and the posts that a post answers or cites', () => {
    const body = s.xTweets(
      [
        s.xItem('9', 9, {
          lang: 'de',
          in_reply_to_status_id_str: '5',
          in_reply_to_screen_name: 'Other',
          entities: {
            hashtags: [{ text: 'Süß' }, { text: 'süß' }],
            urls: [{ expanded_url: 'https://a.example' }],
            user_mentions: [{ screen_name: 'Other' }],
          },
        }),
        s.xItem('8', 8, {
          lang: 'qme',
          retweeted_status_result: {
            result: { rest_id: '4', core: { user_results: { result: { core: { screen_name: 'Third' } } } } },
          },
        }),
        s.xItem('7', 7, { is_quote_status: true, quoted_status_id_str: '3' }),
      ],
      null,
    );
    const { posts } = shown(parseWith(createX(), 'graphql', 'sample', body));
    expect(posts).toMatchObject([
      {
        kind: 'reply',
        lang: 'de',
        hashtags: ['süß'],
        links: 1,
        mentions: ['other'],
        reply_to: { post: '5', account: 'other' },
        target: null,
      },
      { kind: 'repost', lang: null, hashtags: [], target: { post: '4', account: 'third' }, likes: null },
      { kind: 'quote', target: { post: '3', account: null } },
    ]);
  });
});

describe('TikTok', () => {
  const tiktok = adapterOf('tiktok');
  const page = { body: s.tiktokPage(s.tiktokDetail({}, { secUid: 'MS4w' })) };

  test('reads posts from the list, page after page', async () => {
    const first = s.tiktokItems(
      [s.tiktokItem('1', 1_600_000_000, { isPinnedItem: true }), s.tiktokItem('9', 1_700_000_900)],
      { hasMore: true, cursor: '30' },
    );
    const http = stubHttp({
      'cursor=30': json(s.tiktokItems([s.tiktokItem('8', 1_700_000_800)])),
      item_list: json(first),
      '/@sample': page,
    });
    const one = shown(await tiktok.read(handle('sample'), { http, posts: true }));
    expect(idsOf(one.posts)).toEqual(['1', '9']);
    expect(one.postsSince).toBe('2023-11-14T22:28:20.000Z');
    expect(one.posts?.[0]).toMatchObject({ views: 10, likes: 4, hashtags: ['fun'], links: 0 });
    const all = shown(await tiktok.read(handle('sample'), { http, posts: true, window }));
    expect(idsOf(all.posts)).toEqual(['1', '9', '8']);
    expect(all.postsSince).toBeNull();
  });

  test('uses the embed’s selection where the list is refused', async () => {
    const embed = { body: s.tiktokEmbed() };
    const http = stubHttp({ item_list: { body: '' }, '/embed/': embed, '/@sample': page });
    const reading = shown(await tiktok.read(handle('sample'), { http, posts: true }));
    expect(reading.warnings.join()).toContain('item_list: layout_changed');
    expect(reading.postsSince).toBeUndefined();
  });

  test('knows that an account with an empty list has no posts', async () => {
    const http = stubHttp({ item_list: json(s.tiktokItems([])), '/@sample': page });
    expect(shown(await tiktok.read(handle('sample'), { http, posts: true }))).toMatchObject({
      posts: [],
      postsSince: null,
    });
  });

  test('asks for posts only where they are wanted', async () => {
    const http = stubHttp({ '/@sample': page });
    expect(shown(await tiktok.read(handle('sample'), { http, posts: false })).posts).toBeNull();
    expect(http.asked).toHaveLength(1);
  });
});

describe('Bluesky', () => {
  const bluesky = adapterOf('bluesky');
  const getProfile = json(s.blueskyProfile());
  const item = (rkey: string, day: number, more: object = {}, around: object = {}) =>
    s.blueskyItem(rkey, { record: { text: 'Hi', createdAt: `2024-01-0${day}T00:00:00Z`, ...more } }, around);

  test('reads replies too, and pages back', async () => {
    const http = stubHttp({
      'cursor=two': json({ feed: [item('6', 6)] }),
      getAuthorFeed: json({
        feed: [item('1', 1, {}, { reason: { $type: 'x#reasonPin' } }), item('8', 8)],
        cursor: 'two',
      }),
      getProfile,
    });
    const one = shown(await bluesky.read(handle('sample.example'), { http, posts: true }));
    expect(http.asked.at(-1)).toContain('filter=posts_with_replies');
    expect(one).toMatchObject({ postOrder: 'time', postsSince: '2024-01-08T00:00:00.000Z' });
    const all = shown(await bluesky.read(handle('sample.example'), { http, posts: true, window }));
    expect(idsOf(all.posts).map((id) => id.split('/').at(-1))).toEqual(['1', '8', '6']);
    expect(all.postsSince).toBeNull();
  });

  test('reads tags by their byte offsets in the text', () => {
    const facet = (byteStart: number, byteEnd: number, feature: object) => ({
      index: { byteStart, byteEnd },
      features: [feature],
    });
    const record = {
      text: 'ü @other.example #Tag',
      langs: ['en'],
      facets: [
        facet(3, 17, { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:x' }),
        facet(18, 22, { $type: 'app.bsky.richtext.facet#tag', tag: 'Tag' }),
        facet(0, 1, { $type: 'app.bsky.richtext.facet#link', uri: 'https://a.example' }),
      ],
      reply: { parent: { uri: `at://${s.DID}/app.bsky.feed.post/5` } },
    };
    const { posts } = shown(parseWith(bluesky, 'feed', 'sample.example', { feed: [item('6', 6, record)] }));
    expect(posts?.[0]).toMatchObject({
      lang: 'en',
      hashtags: ['tag'],
      links: 1,
      mentions: ['other.example'],
      reply_to: { post: `at://${s.DID}/app.bsky.feed.post/5`, account: s.DID },
    });
  });
});

describe('Telegram', () => {
  const telegram = adapterOf('telegram');

  test('pages back by the number of the oldest message', async () => {
    const http = stubHttp({
      'before=4': { body: s.telegramPreview(s.telegramMessage('sample/1', '')) },
      '/s/': {
        body: s.telegramPreview(s.telegramMessage('sample/4', '') + s.telegramMessage('sample/5', '')),
      },
      't.me/sample': { body: s.telegramLanding(s.extra('1 234 subscribers')) },
    });
    const reading = shown(await telegram.read(handle('sample'), { http, posts: true, window }));
    expect(idsOf(reading.posts)).toEqual(['5', '4', '1']);
    expect(reading.postsSince).toBeNull();
  });

  test('reads what a message answers or forwards', () => {
    const answer = '<a class="tgme_widget_message_reply" href="https://t.me/sample/3">old</a>';
    const forward =
      '<div class="tgme_widget_message_forwarded_from">Forwarded from <a class="tgme_widget_message_forwarded_from_name" href="https://t.me/other/42">Other</a></div>';
    const messages = s.telegramMessage('sample/4', forward) + s.telegramMessage('sample/5', answer);
    const { posts } = shown(parseWith(telegram, 'preview', 'sample', s.telegramPreview(messages)));
    expect(posts).toMatchObject([
      { kind: 'reply', reply_to: { post: '3', account: 'sample' }, target: null },
      { kind: 'repost', reply_to: null, target: { post: '42', account: 'other' } },
    ]);
  });
});

test('Instagram: a pinned post does not extend the span', () => {
  const node = (shortcode: string, taken: number, more: object = {}) => ({
    node: { shortcode, taken_at_timestamp: taken, edge_liked_by: { count: 3 }, ...more },
  });
  const body = s.instagramInfo({
    edge_owner_to_timeline_media: {
      count: 9,
      page_info: { has_next_page: true, end_cursor: 'x' },
      edges: [
        node('AAAAAB', 1_000_000_000, { pinned_for_users: [{ id: '77' }] }),
        node('AAAAAC', 1_700_000_000),
      ],
    },
  });
  const reading = shown(parseWith(adapterOf('instagram'), 'web_profile_info', 'sample', body));
  expect(reading).toMatchObject({ postOrder: 'time', postsSince: '2023-11-14T22:13:20.000Z' });
  expect(reading.postsCursor).toBeUndefined();
});

test('a failing page ends paging back with a warning, and keeps what was read', async () => {
  const http = stubHttp({
    'before=4': new FetchError('timeout', 'late'),
    '/s/': { body: s.telegramPreview(s.telegramMessage('sample/4', '')) },
    't.me/sample': { body: s.telegramLanding(s.extra('1 234 subscribers')) },
  });
  const reading = shown(await adapterOf('telegram').read(handle('sample'), { http, posts: true, window }));
  expect(idsOf(reading.posts)).toEqual(['4']);
  expect(reading.warnings.join()).toContain('preview: timeout');
});

test('a page of pinned posts alone says nothing about earlier times', async () => {
  const pinned = json(s.xTweets([], 'C2', [s.xItem('1', 1)]));
  const http = stubHttp({ UserTweets: pinned, '/x.com/': { body: s.xPage({ identifier: '42' }) } });
  const reading = shown(await createX().read(handle('sample'), { http, posts: true }));
  expect(idsOf(reading.posts)).toEqual(['1']);
  expect(reading.postsSince).toBeUndefined();
});

test('an empty page with a successor is not the end of a list', () => {
  const more = s.tiktokItems([], { hasMore: true, cursor: '17' });
  const list = parseWith(adapterOf('tiktok'), 'item_list', 'sample', more);
  expect(list).toMatchObject({ status: 'unknown', detail: expect.not.stringContaining('names no account') });
  const feed = parseWith(adapterOf('bluesky'), 'feed', 'sample.example', { feed: [], cursor: 'c' });
  expect(feed).toMatchObject({ status: 'unknown', detail: expect.not.stringContaining('names no account') });
});

test('a post with more links than an event holds is stored anyway', () => {
  const urls = Array.from({ length: 1_200 }, (_, n) => ({ expanded_url: `https://a.example/${n}` }));
  const body = s.xTweets([s.xItem('9', 9, { entities: { hashtags: [], user_mentions: [], urls } })], null);
  const { posts } = shown(parseWith(createX(), 'graphql', 'sample', body));
  expect(posts?.[0]?.links).toBe(1_000);
});
