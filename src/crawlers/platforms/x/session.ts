import type { HttpRequest } from '../../http/port.ts';
import type { Address } from '../adapter.ts';

/** Session settings for X's GraphQL surface. */
export interface XSettings {
  readonly bearerToken?: string | undefined;
  readonly guestToken?: string | undefined;
  /** Cookie header of a logged-in session, with its CSRF token. */
  readonly cookie?: string | undefined;
  readonly csrfToken?: string | undefined;
  /** Query IDs by operation; X changes them occasionally. */
  readonly queryIds?: Readonly<Record<string, string>> | undefined;
}

const DEFAULT_QUERY_IDS = {
  UserByScreenName: 'xmU6X_CKVnQ5lSrCbAmJsg',
  UserByRestId: 'q9yeu7UlEs2YVx_-Z8Ps7Q',
  UserTweets: 'E3opETHurmVJflFsUBVuUQ',
  Followers: 'DMcBoZkXf9axSfV2XND0Ig',
  Following: '7FEKOPNAvxWASt6v9gfCXw',
} as const;

export type XOperation = keyof typeof DEFAULT_QUERY_IDS;

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

export const hasSession = ({ bearerToken }: XSettings): boolean =>
  bearerToken !== undefined && bearerToken !== '';

export const graphqlRequest = (
  settings: XSettings,
  operation: XOperation,
  variables: Readonly<Record<string, unknown>>,
): HttpRequest => {
  const id = settings.queryIds?.[operation] ?? DEFAULT_QUERY_IDS[operation];
  const url = new URL(`https://api.x.com/graphql/${id}/${operation}`);
  url.searchParams.set('variables', JSON.stringify(variables));
  url.searchParams.set('features', JSON.stringify(FEATURES));
  const optional = {
    'x-guest-token': settings.guestToken,
    cookie: settings.cookie,
    'x-csrf-token': settings.csrfToken,
  };
  return {
    platform: 'x',
    url: url.href,
    headers: {
      authorization: `Bearer ${settings.bearerToken}`,
      ...Object.fromEntries(
        Object.entries(optional).filter((entry): entry is [string, string] => !!entry[1]),
      ),
    },
  };
};

/** The request for a page of a user's posts, which takes the native ID. */
export const tweetsRequest = (
  settings: XSettings,
  userId: string,
  count: number,
  cursor: string | null,
): HttpRequest =>
  graphqlRequest(settings, 'UserTweets', {
    userId,
    count,
    includePromotedContent: false,
    withVoice: true,
    ...(cursor === null ? {} : { cursor }),
  });

/** The request for a user's data. */
export const userRequest = (settings: XSettings, address: Address): HttpRequest =>
  address.kind === 'handle'
    ? graphqlRequest(settings, 'UserByScreenName', { screen_name: address.handle })
    : graphqlRequest(settings, 'UserByRestId', { userId: address.id });
