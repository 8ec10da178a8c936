import type { HttpRequest } from '../../http/port.ts';
import type { Address } from '../adapter.ts';

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
