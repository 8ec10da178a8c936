import { boundedPosts } from '../../../write/accounts/post.ts';
import { boundedProfile } from '../../../write/accounts/profile.ts';
import { FetchError, type Http, type HttpRequest, type Page } from '../../http/port.ts';
import type { PostReading, UnknownReason } from '../adapter.ts';
import { agreedAnswer } from '../shared/confirmation.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, idAt, isObject, type Json, parseJson, textAt } from '../shared/json-access.ts';
import { REASON_OF } from '../shared/read-surfaces.ts';
import { otherStatus, statusReason } from '../shared/reading-outcomes.ts';
import { isAnswerTo } from '../shared/surface.ts';
import { errorOf, graphqlRequest, refusalReason, type XOperations } from './graphql.ts';
import { postOf } from './tweet.ts';
import { userOf } from './user.ts';

/** Reads one tweet. Needs a session; one of a guest will do. */
export const createReadPost =
  (operations: XOperations) =>
  (id: string, { http }: { readonly http: Http }): Promise<PostReading> =>
    agreedAnswer<PostReading>({
      request: graphqlRequest(operations, 'TweetResultByRestId', {
        tweetId: id,
        withCommunity: false,
        includePromotedContent: false,
        withVoice: false,
      }),
      ask: (request) => readOnce(http, request, id),
      isVerdict: ({ status }) => status !== 'present' && status !== 'unknown',
      unconfirmed: (first, other) =>
        unknown('unconfirmed', `X says ${first.status} of the tweet, and then ${other.status}`),
    });

const surface = 'graphql';

const unknown = (reason: UnknownReason, detail: string, retryAfterMs?: number | null): PostReading => ({
  status: 'unknown',
  surface,
  warnings: [],
  reason,
  detail: detail.slice(0, 300),
  ...(retryAfterMs == null ? {} : { retryAfterMs }),
});

const proven = (status: 'absent' | 'suspended' | 'private'): PostReading => ({
  status,
  surface,
  warnings: [],
});

/** Why X does not show the tweet. */
const unavailable = (result: Json): PostReading => {
  const reason = textAt(result, 'reason') ?? '';
  if (reason === 'Suspended') return proven('suspended');
  if (reason === 'Protected') return proven('private');
  if (reason === 'Deleted' || reason === 'NotFound' || reason === 'Deactivated') return proven('absent');
  return unknown(
    refusalReason(reason) ?? 'layout_changed',
    `X shows the tweet as unavailable: ${reason || 'no reason'}`,
  );
};

const parse = (page: Page, id: string): PostReading => {
  if (page.status === 404) return unknown('layout_changed', 'HTTP 404: the query id is out of date');
  const reply = parseJson(page.body);
  const blocked =
    statusReason(page) ?? (page.status === 200 ? null : errorOf(reply, page)) ?? otherStatus(page);
  if (blocked?.status === 'unknown') return unknown(blocked.reason, blocked.detail, blocked.retryAfterMs);
  const data = at(reply, 'data');
  const holder = at(data, 'tweetResult') ?? at(data, 'tweet_result');
  if (!isObject(holder)) {
    const error = errorOf(reply, page);
    return error?.status === 'unknown'
      ? unknown(error.reason, error.detail, error.retryAfterMs)
      : unknown('layout_changed', 'The reply has no tweet');
  }
  const result = at(holder, 'result');
  // Deleted tweets, and those that never were, have an empty result.
  if (result === undefined && Object.keys(holder).length === 0) return proven('absent');
  const kind = textAt(result, '__typename');
  if (kind === 'TweetUnavailable') return unavailable(result);
  if (kind === 'TweetTombstone') return unknown('login_wall', 'X shows a notice in place of the tweet');
  const tweet = at(result, 'tweet') ?? result;
  if (idAt(tweet, 'rest_id') !== id) return unknown('layout_changed', 'The reply is about another tweet');
  const fields = new Fields();
  const user = userOf(at(tweet, 'core', 'user_results', 'result'), fields);
  const [post] =
    user === null ? [] : boundedPosts([postOf(tweet, user.profile.handle, fields)].flatMap((p) => p ?? []));
  if (user === null || post === undefined)
    return unknown('layout_changed', 'The reply shows no tweet with its author');
  return {
    status: 'present',
    surface,
    post,
    profile: boundedProfile(user.profile),
    measured: user.measured,
    isPrivate: user.isPrivate,
    warnings: fields.warnings,
  };
};

const readOnce = async (http: Http, request: HttpRequest, id: string): Promise<PostReading> => {
  let page: Page;
  try {
    page = await http.fetch(request);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return unknown(REASON_OF[error.reason], error.message, error.retryAfterMs);
  }
  if (!isAnswerTo(request, page))
    return unknown('other_address', 'The answer came from another address than the tweet’s');
  try {
    return parse(page, id);
  } catch (error) {
    return unknown('layout_changed', `The reply could not be read: ${String(error)}`);
  }
};
