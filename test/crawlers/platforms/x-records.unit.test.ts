import { describe, expect, it } from 'vitest';
import { createX } from '../../../src/crawlers/platforms/x/index.ts';
import { parseWith, shown } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const x = createX();
const parse = (surface: string, body: string | object) => parseWith(x, surface, 'sample', body);

const START = 'A long post …';
const WHOLE = 'A long post &amp; its end https://t.co/b @Named #Tag';

const note = {
  note_tweet: {
    note_tweet_results: {
      result: {
        text: WHOLE,
        entity_set: {
          hashtags: [{ text: 'Tag' }],
          urls: [{ url: 'https://t.co/b', expanded_url: 'https://b.example' }],
          user_mentions: [{ screen_name: 'Named' }],
        },
      },
    },
  },
};

const tweet = (id: string, name: string, legacy: object, more: object = {}) => ({
  __typename: 'Tweet',
  rest_id: id,
  core: { user_results: { result: { rest_id: '42', core: { screen_name: name } } } },
  legacy: {
    id_str: id,
    full_text: START,
    entities: { hashtags: [], urls: [], user_mentions: [] },
    ...legacy,
  },
  ...more,
});

const ofTimeline = (result: object) => {
  const entries = [{ content: { itemContent: { tweet_results: { result } } } }];
  const timeline = { timeline: { instructions: [{ type: 'TimelineAddEntries', entries }] } };
  return shown(parse('graphql', { data: { user: { result: { __typename: 'User', timeline } } } })).posts?.[0];
};

describe('a long post of X', () => {
  const own = { text: 'A long post & its end https://t.co/b @Named #Tag', links: 1, hashtags: ['tag'] };

  it('has text and entities of its note on every surface', async () => {
    const long = tweet('1', 'Sample', {}, note);
    const limited = { __typename: 'TweetWithVisibilityResults', tweet: long };
    const expected = { ...own, mentions: ['named'], media: 'link' };
    expect(ofTimeline(long)).toMatchObject(expected);
    expect(ofTimeline(limited)).toMatchObject(expected);
    const quoting = tweet('1', 'Sample', { is_quote_status: true, quoted_status_id_str: '2' }, note);
    expect(ofTimeline(quoting)).toMatchObject({ ...expected, kind: 'quote' });
    const http = stubHttp({
      TweetResultByRestId: { body: JSON.stringify({ data: { tweetResult: { result: long } } }) },
    });
    expect(await x.readPost?.('1', { http })).toMatchObject({ status: 'present', post: expected });
  });

  it('has them in a repost as well, after its author’s name', () => {
    const original = tweet('2', 'Third', {}, note);
    for (const result of [original, { __typename: 'TweetWithVisibilityResults', tweet: original }]) {
      const legacy = { full_text: `RT @Third: ${START}`, retweeted_status_result: { result } };
      expect(ofTimeline(tweet('1', 'Sample', legacy))).toMatchObject({
        ...own,
        kind: 'repost',
        text: `RT @Third: ${own.text}`,
        mentions: ['third', 'named'],
        target: { post: '2', account: 'third' },
      });
    }
  });

  it('that is quoted leaves the quoting post its own text', () => {
    const quoted = { result: tweet('2', 'Third', {}, note) };
    const legacy = { is_quote_status: true, full_text: 'Short' };
    expect(ofTimeline(tweet('1', 'Sample', legacy, { quoted_status_result: quoted }))).toMatchObject({
      text: 'Short',
      hashtags: [],
      mentions: [],
      target: { post: '2', account: 'third' },
    });
  });

  it('has unknown tags where only its beginning is shown', () => {
    const cut = s.xTweet({ note_tweet: { id: 'x' }, full_text: `${START} https://t.co/self` });
    const whole = s.xTweet({ note_tweet: { id: 'x' }, id_str: '1002' });
    const { posts } = shown(parse('syndication', s.xTimeline([cut, whole])));
    expect(posts).toMatchObject([
      { hashtags: null, links: null, mentions: null, media: null },
      { hashtags: [], links: 0, mentions: [], media: 'none' },
    ]);
  });

  it('a post with a poll is not without media', () => {
    expect(ofTimeline(tweet('1', 'Sample', {}, { card: { rest_id: 'card://1' } }))?.media).toBe('other');
  });
});

const PICTURE = 'https://pbs.twimg.com/profile_images/1/a';

describe('the picture of an account of X', () => {
  it.for([
    ['_normal.jpg', '_400x400.jpg'],
    ['_bigger.jpg', '_400x400.jpg'],
    ['_mini.png', '_400x400.png'],
    ['_200x200.jpg', '_400x400.jpg'],
    ['_400x400.jpg', '_400x400.jpg'],
    ['.jpg', '_400x400.jpg'],
  ])('has one size on every surface: %s', ([size, kept]) => {
    const url = `${PICTURE}${size}`;
    const user = { rest_id: '42', core: { screen_name: 'Sample' }, avatar: { image_url: url } };
    const older = { rest_id: '42', legacy: { screen_name: 'Sample', profile_image_url_https: url } };
    const meta = `<html><head><meta property="og:title" content="A Sample (@Sample) on X"><meta property="og:image" content="${url}"></head></html>`;
    for (const reading of [
      parse('page', s.xPage({ image: { contentUrl: url } })),
      parse('page', meta),
      parse('graphql', { data: { user: { result: user } } }),
      parse('graphql', { data: { user: { result: older } } }),
      parse('syndication', s.xTimeline([s.xTweet({}, { profile_image_url_https: url })])),
    ])
      expect(shown(reading).profile.avatar_url).toBe(`${PICTURE}${kept}`);
  });
});

describe('the badge of an account of X', () => {
  const user = (more: object) => ({ rest_id: '42', core: { screen_name: 'Sample', name: 'A' }, ...more });

  it.for<[object, boolean | null]>([
    [{}, null],
    [{ is_blue_verified: false }, false],
    [{ is_blue_verified: false, verification: { is_blue_verified: true } }, true],
    [{ is_blue_verified: false, verification: { verified_type: 'Government' } }, true],
    [{ is_blue_verified: false, verification: { verified_type: 'None' } }, false],
    [{ verification: { verified: false }, legacy: { is_blue_verified: true } }, true],
  ])('is any that its node %j has: %s', ([node, verified]) => {
    expect(shown(parse('graphql', { data: { user: { result: user(node) } } })).profile.verified).toBe(
      verified,
    );
  });
});

describe('links of an account of X', () => {
  it('include those of its bio', () => {
    const bio = { description: 'See https://b.example/x' };
    const read = shown(parse('page', s.xPage(bio)));
    expect(read.profile.links).toEqual(['https://sample.example/', 'https://b.example/x']);
    expect(read.measured).toContain('links');
    const node = {
      rest_id: '42',
      core: { screen_name: 'Sample' },
      legacy: {
        description: 'See https://t.co/b and https://c.example',
        entities: {
          url: { urls: [{ expanded_url: 'https://a.example' }] },
          description: { urls: [{ url: 'https://t.co/b', expanded_url: 'https://b.example' }] },
        },
      },
    };
    expect(shown(parse('graphql', { data: { user: { result: node } } })).profile.links).toEqual([
      'https://a.example',
      'https://b.example',
      'https://c.example',
    ]);
  });

  it('are incomplete where the bio has shortened ones', () => {
    const read = shown(parse('page', s.xPage({ description: 'See https://t.co/b' })));
    expect(read.profile.links).toEqual(['https://sample.example/']);
    expect(read.measured).not.toContain('links');
  });
});

describe('a pinned post of X', () => {
  it('is marked on every surface that shows posts', () => {
    const legacy = { screen_name: 'Sample', pinned_tweet_ids_str: ['1001', '5'] };
    const user = { user_results: { result: { rest_id: '42', legacy } } };
    const entries = ['1002', '1001'].map((id) => ({
      content: { itemContent: { tweet_results: { result: { ...tweet(id, 'Sample', {}), core: user } } } },
    }));
    const timeline = { timeline: { instructions: [{ type: 'TimelineAddEntries', entries }] } };
    const listed = parse('graphql', { data: { user: { result: { __typename: 'User', timeline } } } });
    const embedded = parse('syndication', s.xTimeline([s.xTweet({}, { pinned_tweet_ids_str: ['1001'] })]));
    for (const reading of [listed, embedded]) expect([...(shown(reading).pinned ?? [])]).toEqual(['1001']);
  });
});
