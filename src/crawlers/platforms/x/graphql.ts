import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address, Surface, UnknownReason } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import {
  at,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  parseJson,
  textAt,
} from '../shared/json-access.ts';
import {
  existence,
  layoutChanged,
  otherStatus,
  type Parsed,
  present,
  proven,
  retryAfterOf,
  statusReason,
  unknown,
  unnamed,
} from '../shared/reading-outcomes.ts';
import { nameOf, surfaceOf } from '../shared/surface.ts';
import { inOrder } from '../shared/timeline.ts';
import { instructionsOf, ownPosts } from './tweet.ts';
import { userOf } from './user.ts';

export const errorOf = (reply: Json, page: Page): Parsed | null => {
  const error = listAt(reply, 'errors')[0];
  if (error === undefined) return null;
  const code = Number(at(error, 'code') ?? at(error, 'extensions', 'code'));
  const reason = ERROR_REASON[code] ?? 'http_error';
  return unknown(reason, `X answered: ${textAt(error, 'message') ?? `error ${code}`}`, retryAfterOf(page));
};

/** Detail for an empty timeline of an unknown account. */
export const EMPTY_TIMELINE = 'The timeline is empty and names no account';

/** The meaning of X's reason for showing no user; null if it is unknown. */
export const refusalReason = (reason: string): UnknownReason | null => {
  if (Object.hasOwn(REFUSALS, reason)) return REFUSALS[reason] as UnknownReason;
  if (/withheld|country/i.test(reason)) return 'region';
  return /logged|nsfw|age/i.test(reason) ? 'login_wall' : null;
};

/** Error codes of X that explain a rejected request. */
const ERROR_REASON: Readonly<Record<number, UnknownReason>> = {
  32: 'login_wall',
  37: 'login_wall',
  64: 'login_wall',
  88: 'rate_limited',
  89: 'login_wall',
  215: 'login_wall',
  239: 'login_wall',
  326: 'challenge',
  353: 'login_wall',
};

/** X's reasons for showing a user only to some readers, with their meanings. */
const REFUSALS: Readonly<Record<string, UnknownReason>> = {
  NsfwLoggedOut: 'login_wall',
  NsfwViewerIsUnderage: 'login_wall',
  NsfwViewerHasNoStatedAge: 'login_wall',
  LoggedOut: 'login_wall',
  BlockedBy: 'restricted',
  Blocking: 'restricted',
  NoReason: 'http_error',
  Unavailable: 'http_error',
  Offboarded: 'http_error',
};

/** `UserUnavailable` has its reason in one of two fields; only suspension and deactivation are conclusive. */
const unavailable = (result: Json, address: Address): Parsed => {
  const reason = textAt(result, 'reason') ?? textAt(result, 'unavailable_reason') ?? '';
  if (reason === 'Suspended') return proven('suspended');
  if (reason === 'Deactivated') return proven('deactivated');
  if (reason === 'Protected' && address.kind === 'handle') {
    return unnamed(existence(address.handle, 'private', ['private']));
  }
  const message = `X shows the user as unavailable: ${reason || (textAt(result, 'message') ?? 'no reason')}`;
  return unknown(refusalReason(reason) ?? 'layout_changed', message);
};

/** Only a user query can lack its user; any other content is a response to another query. */
const lacksUser = (reply: JsonObject, data: JsonObject): boolean =>
  Object.keys(reply).every((key) => key === 'data' || key === 'extensions' || key === 'errors') &&
  Object.keys(data).every((key) => key === 'user') &&
  (data.user === undefined || data.user === null);

/** The user node under any of its names; in old responses it is the root itself. */
const resultOf = (data: JsonObject): Json => {
  const holders = [data.user, data.user_result, data.user_results, listAt(data, 'users')[0]];
  const found = holders.map((holder) => at(holder, 'result')).find(isObject);
  return found ?? (isObject(at(data, 'user', 'legacy')) ? data.user : undefined);
};

const parse = (page: Page, address: Address): Parsed => {
  if (page.status === 404) return layoutChanged('HTTP 404: the query id is out of date');
  const reply = parseJson(page.body);
  const blocked =
    statusReason(page) ?? (page.status === 200 ? null : errorOf(reply, page)) ?? otherStatus(page);
  if (blocked !== null) return blocked;
  const data = at(reply, 'data');
  if (!isObject(reply) || !isObject(data))
    return errorOf(reply, page) ?? layoutChanged('The reply has no data');
  if (lacksUser(reply, data)) return errorOf(reply, page) ?? proven('absent');
  const result = resultOf(data);
  if (!isObject(result))
    return errorOf(reply, page) ?? layoutChanged('The reply has no user that could be read');
  if (textAt(result, '__typename') === 'UserUnavailable') return unavailable(result, address);
  return parseUser(result, address);
};

const parseUser = (result: JsonObject, address: Address): Parsed => {
  const fields = new Fields();
  const instructions = instructionsOf(result);
  const timeline = instructions === null ? null : ownPosts(instructions, address, fields);
  const user = userOf(result, fields) ?? timeline?.user ?? null;
  if (user === null) {
    // An empty timeline of a user without posts does not name the user.
    const bare = timeline !== null && timeline.strangers === 0 && timeline.posts.length === 0;
    if (bare && textAt(result, '__typename') === 'User') return layoutChanged(EMPTY_TIMELINE);
    return layoutChanged(`The reply shows nothing of ${nameOf(address)}`);
  }
  const { handle, id } = user.profile;
  const same = address.kind === 'handle' ? handle === address.handle : id === address.id;
  if (!same) return layoutChanged(`The reply is about ${handle}, not about ${nameOf(address)}`);
  const listing = timeline === null ? {} : inOrder(timeline);
  return present(user.profile, timeline?.posts ?? null, fields, user.measured, user.isPrivate, listing);
};

export const graphql = surfaceOf(
  'x',
  'graphql',
  'json',
  (url) => /(^|\.)(x|twitter)\.com$/.test(url.hostname) && url.pathname.includes('/graphql/'),
  () => null,
  parse,
);

/** The surface, whose requests a session sends. */
export const graphqlWith = (operations: XOperations): Surface => ({
  ...graphql,
  request: (address) => userRequest(operations, address),
});

/** Query IDs and names of X's GraphQL operations. X changes them occasionally: settings replace them. */
const DEFAULT_OPERATIONS = {
  UserByScreenName: 'xmU6X_CKVnQ5lSrCbAmJsg/UserByScreenName',
  UserByRestId: 'q9yeu7UlEs2YVx_-Z8Ps7Q/UserByRestId',
  UserTweets: 'E3opETHurmVJflFsUBVuUQ/UserTweets',
  TweetResultByRestId: 'Vg2Akr5FzUmF0sTplA5k6g/TweetResultByRestId',
  Followers: 'DMcBoZkXf9axSfV2XND0Ig/Followers',
  Following: '7FEKOPNAvxWASt6v9gfCXw/Following',
  SearchTimeline: '4fpceYZ6-YQCx_JSl_Cn_A/SearchTimeline',
  TweetDetail: '_8aYOgEDz35BrBcBal1-_w/TweetDetail',
} as const;

export const X_OPERATIONS = Object.keys(DEFAULT_OPERATIONS) as readonly XOperation[];

export type XOperation = keyof typeof DEFAULT_OPERATIONS;

/** `<query ID>/<name>` by operation, where X's are others than the default ones. */
export type XOperations = Readonly<Partial<Record<XOperation, string>>>;

/** A request of the GraphQL surface; a session sends it. */
export const graphqlRequest = (
  operations: XOperations,
  operation: XOperation,
  variables: Readonly<Record<string, unknown>>,
  session: string | null = null,
): HttpRequest => {
  const url = new URL(`https://api.x.com/graphql/${operations[operation] ?? DEFAULT_OPERATIONS[operation]}`);
  url.searchParams.set('variables', JSON.stringify(variables));
  url.searchParams.set('features', JSON.stringify(FEATURES));
  return {
    platform: 'x',
    url: url.href,
    session: { operation, ...(session === null ? {} : { id: session }) },
  };
};

/** The request for a page of a user's posts, which takes the native ID. */
export const tweetsRequest = (
  operations: XOperations,
  userId: string,
  count: number,
  cursor: string | null,
  session: string | null = null,
): HttpRequest =>
  graphqlRequest(
    operations,
    'UserTweets',
    {
      userId,
      count,
      includePromotedContent: false,
      withVoice: true,
      ...(cursor === null ? {} : { cursor }),
    },
    session,
  );

/** The request for a user's data. */
export const userRequest = (operations: XOperations, address: Address): HttpRequest =>
  address.kind === 'handle'
    ? graphqlRequest(operations, 'UserByScreenName', { screen_name: address.handle })
    : graphqlRequest(operations, 'UserByRestId', { userId: address.id });

/** X rejects queries that omit a known feature switch. */
const FEATURES = {
  hidden_profile_subscriptions_enabled: true,
  responsive_web_graphql_exclude_directive_enabled: true,
  responsive_web_graphql_skip_user_profile_image_extensions_enabled: false,
  responsive_web_graphql_timeline_navigation_enabled: true,
  rweb_tipjar_consumption_enabled: true,
  verified_phone_label_enabled: false,
  view_counts_everywhere_api_enabled: true,
  longform_notetweets_consumption_enabled: true,
  creator_subscriptions_tweet_preview_api_enabled: true,
};
