import { describe, expect, it } from 'vitest';
import type { Http, Page } from '../../../src/crawlers/http/port.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';

const { visibility, registration } = adapterOf('x');
if (visibility === undefined || registration === undefined) throw new Error('X has both');

const answering = (body: unknown, status = 200): Http => ({
  fetch: async ({ url }): Promise<Page> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { url, status, headers: {}, body: text, bytes: text.length };
  },
  close: async () => undefined,
});

const tweet = (id: string, author: string | null, answers: string | null = null) => ({
  itemType: 'TimelineTweet',
  tweet_results: {
    result: {
      __typename: 'Tweet',
      rest_id: id,
      core: {
        user_results: {
          result:
            author === null
              ? {}
              : {
                  rest_id: author,
                  core: { screen_name: `u${author}` },
                  relationship_counts: { followers: 7 },
                },
        },
      },
      legacy: { id_str: id, ...(answers === null ? {} : { in_reply_to_status_id_str: answers }) },
    },
  },
});
const entry = (itemContent: object) => ({ content: { itemContent } });
const searched = (...items: object[]) => ({
  data: {
    search_by_raw_query: {
      search_timeline: {
        timeline: { instructions: [{ type: 'TimelineAddEntries', entries: items.map(entry) }] },
      },
    },
  },
});
const thread = (...items: object[]) => ({
  data: {
    threaded_conversation_with_injections_v2: {
      instructions: [{ type: 'TimelineAddEntries', entries: items.map(entry) }],
    },
  },
});
const cursor = (cursorType: string, value: string) => ({
  itemType: 'TimelineTimelineCursor',
  cursorType,
  value,
});

describe('a search of X', () => {
  it('lists posts with their authors, or none', async () => {
    expect(
      await visibility.search('u1', answering(searched(tweet('10', '1'), tweet('11', '2', '9')))),
    ).toEqual({
      status: 'present',
      posts: [
        { id: '10', author: '1', handle: 'u1', followers: 7, verified: null, answers: null },
        { id: '11', author: '2', handle: 'u2', followers: 7, verified: null, answers: '9' },
      ],
    });
    expect(await visibility.search('u1', answering(searched()))).toEqual({ status: 'present', posts: [] });
  });

  it.each([
    ['a post without an author', searched(tweet('10', null)), 200, 'layout_changed'],
    ['no timeline', { data: { search_by_raw_query: {} } }, 200, 'layout_changed'],
    ['nothing', '', 200, 'layout_changed'],
    [
      'an error beside a part',
      { ...searched(), errors: [{ code: 131, message: 'Dependency' }] },
      200,
      'http_error',
    ],
    ['a limit', { errors: [{ code: 88, message: 'Rate limit exceeded.' }] }, 429, 'rate_limited'],
    ['an unknown query', '{}', 404, 'layout_changed'],
  ])('is inconclusive for an answer with %s', async (_, body, status, reason) => {
    expect(await visibility.search('u1', answering(body, status))).toMatchObject({
      status: 'unknown',
      reason,
    });
  });
});

describe('the suggestions of X', () => {
  it('list accounts by ID, and say nothing without users', async () => {
    const users = [{ id_str: '1' }, { id_str: '2' }];
    expect(await visibility.suggestions('u', answering({ num_results: 2, users }))).toEqual({
      status: 'present',
      accounts: ['1', '2'],
    });
    for (const body of [{ num_results: 0 }, { users: [{}], num_results: 1 }, [], 'x'])
      expect(await visibility.suggestions('u', answering(body))).toMatchObject({ status: 'unknown' });
  });
});

describe('a thread of X', () => {
  it('lists replies to its post only, with cursors of the next and the hidden ones', async () => {
    const page = thread(
      tweet('9', '5'),
      tweet('10', '1', '9'),
      tweet('12', '2', '10'),
      cursor('Bottom', 'more'),
      cursor('ShowMoreThreadsPrompt', 'hidden'),
    );
    expect(await visibility.thread('9', null, answering(page))).toEqual({
      status: 'present',
      replies: [{ id: '10', author: '1', handle: 'u1', followers: 7, verified: null, answers: '9' }],
      cursor: 'more',
      hidden: 'hidden',
    });
  });

  it('is inconclusive if the first page lacks the post or cannot be read', async () => {
    for (const page of [
      thread(tweet('10', '1', '9')),
      thread(tweet('9', '5'), tweet('10', null, '9')),
      { data: {} },
    ])
      expect(await visibility.thread('9', null, answering(page))).toMatchObject({
        status: 'unknown',
        reason: 'layout_changed',
      });
    expect(await visibility.thread('9', 'more', answering(thread(tweet('10', '1', '9'))))).toMatchObject({
      status: 'present',
    });
  });

  it('leaves out tombstones of deleted posts', async () => {
    const gone = { tweet_results: { result: { __typename: 'TweetTombstone' } } };
    expect(await visibility.thread('9', null, answering(thread(tweet('9', '5'), gone)))).toMatchObject({
      status: 'present',
      replies: [],
    });
  });
});

describe('the form of registration of X', () => {
  it.each([
    [
      { valid: true, reason: 'available' },
      { status: 'present', state: 'available' },
    ],
    [
      { valid: false, reason: 'taken' },
      { status: 'present', state: 'taken' },
    ],
    [
      { valid: false, reason: 'is_banned_word' },
      { status: 'present', state: 'reserved' },
    ],
    [
      { valid: false, reason: 'invalid_username' },
      { status: 'present', state: 'invalid' },
    ],
    [
      { valid: false, reason: 'improper_format' },
      { status: 'present', state: 'invalid' },
    ],
    [{ valid: false, reason: 'try_again_later' }, { status: 'unknown' }],
    [{ valid: true }, { status: 'unknown' }],
    [{ reason: 'available' }, { status: 'unknown' }],
    [{}, { status: 'unknown' }],
    ['', { status: 'unknown' }],
  ])('%j is read as %j', async (body, expected) => {
    expect(await registration.read('zz', answering(body))).toMatchObject(expected);
  });
});

describe('the form of registration of Bluesky', () => {
  it('a name that breaks the rules is invalid, unlike one that Bluesky reserves', async () => {
    const form = adapterOf('bluesky').registration;
    const refused = answering({ error: 'InvalidHandle', message: 'Invalid handle' }, 400);
    expect(await form?.read('a.bsky.social', refused)).toMatchObject({ status: 'present', state: 'invalid' });
  });
});
