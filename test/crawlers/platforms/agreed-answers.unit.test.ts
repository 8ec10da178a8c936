import { describe, expect, it } from 'vitest';
import type { Http } from '../../../src/crawlers/http/port.ts';
import { createX } from '../../../src/crawlers/platforms/x/index.ts';
import { page } from './pages.ts';
import * as s from './samples.ts';

const gone = { data: { user: { result: { __typename: 'UserUnavailable', reason: 'Suspended' } } } };
const listed = s.xFollowers([{ id: '1', handle: 'Ann' }], '17|9');
const none = { data: { tweetResult: {} } };
const timeline = s.xTweets([s.xItem('9', 9)], 'C2');
const single = { data: { tweetResult: s.xItem('9', 9).tweet_results } };
const hidden = { data: { user: { result: { __typename: 'UserUnavailable', reason: 'Protected' } } } };

/** HTTP that gives one answer after the other, and the last one from then on. */
const inTurn = (...answers: readonly object[]) => {
  let asked = 0;
  const http: Http = {
    fetch: async ({ url }) => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      return page(JSON.stringify(answer), { url });
    },
    close: async () => undefined,
  };
  return { http, asked: () => asked };
};

const { readPosts, readPost, readFollows } = createX();

describe.for([
  ['posts', gone, timeline, (http: Http) => readPosts?.('42', { http, cursor: null, limit: 20 })],
  ['a single post', none, single, (http: Http) => readPost?.('9', { http })],
  ['followers', hidden, listed, (http: Http) => readFollows?.('42', 'followers', { http, cursor: null })],
] as const)('an answer about %s that names no account', ([, refusal, shown, read]) => {
  it('counts if the next ones agree', async () => {
    const { http, asked } = inTurn(refusal);
    expect(['suspended', 'absent', 'private']).toContain((await read(http))?.status);
    expect(asked()).toBe(3);
  });

  it('gives way to one that shows the account', async () => {
    const { http, asked } = inTurn(refusal, shown);
    expect(await read(http)).toMatchObject({ status: 'present' });
    expect(asked()).toBe(2);
  });

  it('is inconclusive if another one fails', async () => {
    expect(await read(inTurn(refusal, { errors: [{ code: 88 }] }).http)).toMatchObject({ status: 'unknown' });
  });
});
