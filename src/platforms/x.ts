import { z } from 'zod';
import {
  type Address,
  isHost,
  isProfile,
  named,
  type PlatformDescriptor,
  type Subject,
  tabs,
} from './descriptor.ts';

/** Names from before 2007 may be longer than new ones. */
const HANDLE = /^[A-Za-z0-9_]{1,20}$/;

/**
 * The milliseconds of snowflakes count from this time. The lowest 22 bits are machine and sequence (Twitter, "Announcing
 * Snowflake", 2010).
 */
const EPOCH_MS = 1_288_834_974_657n;
/** IDs of users became snowflakes in 2015, when they jumped from ten digits to eighteen. Smaller IDs are sequential numbers. */
const FIRST_SNOWFLAKE = 10n ** 17n;

/** First path segments of the site's own pages. */
const RESERVED = new Set(
  'i home search explore settings intent share hashtag login logout signup tos privacy about compose messages notifications jobs download account oauth who_to_follow'.split(
    ' ',
  ),
);

const HOSTS = new Set([
  'x.com',
  'www.x.com',
  'mobile.x.com',
  'twitter.com',
  'www.twitter.com',
  'mobile.twitter.com',
]);

export const profileUrl = (handle: string): string => `https://x.com/${handle}`;

export const parseHandle = (input: string): string | null => {
  const bare = input.startsWith('@') ? input.slice(1) : input;
  return HANDLE.test(bare) ? bare.toLowerCase() : null;
};

const parseId = (input: string): string | null => (/^[1-9]\d{0,19}$/.test(input) ? input : null);

export const addressOf = (url: URL): Address | null => {
  if (!HOSTS.has(url.hostname)) return null;
  const [, first = '', second = '', third = ''] = url.pathname.split('/');
  if (first === 'i' && second === 'user') {
    const id = parseId(third);
    return id === null ? null : { kind: 'id', id };
  }
  const handle = RESERVED.has(first.toLowerCase()) ? null : parseHandle(first);
  return handle === null ? null : { kind: 'handle', handle };
};

const TABS = tabs('with_replies media highlights articles likes affiliates superfollows');

const textOrNone = z.string().optional().catch(undefined);
const variablesSchema = z.object({
  screen_name: textOrNone,
  screenName: textOrNone,
  userId: textOrNone,
  rest_id: textOrNone,
});

const variablesIn = (url: URL) => {
  try {
    return variablesSchema.safeParse(JSON.parse(url.searchParams.get('variables') ?? '')).data;
  } catch {
    return undefined;
  }
};

/** The variables of a GraphQL call are in its address or its body. Only calls for a user are about one account. */
const ofVariables = (url: URL, parts: readonly string[]): Subject => {
  if (parts.at(-1)?.startsWith('User') !== true) return null;
  const variables = variablesIn(url);
  const name = variables?.screen_name ?? variables?.screenName;
  if (name !== undefined) return named(parseHandle, name);
  const id = variables?.userId ?? variables?.rest_id;
  if (id === undefined) return 'unsaid';
  const own = parseId(id);
  return own === null ? null : { kind: 'id', id: own };
};

const subjectOf = (url: URL, parts: readonly string[]): Subject => {
  if (!isHost(url, 'x.com') && !isHost(url, 'twitter.com')) return null;
  if (url.hostname.startsWith('syndication.')) {
    const [, , by, name] = parts;
    return by === 'screen-name' && parts.length === 4 ? named(parseHandle, name ?? null) : null;
  }
  if (parts.includes('graphql')) return ofVariables(url, parts);
  if (parts[0] === 'i') return parts.length === 3 ? addressOf(url) : null;
  return isProfile(parts, 1, TABS) ? addressOf(url) : null;
};

export const x: PlatformDescriptor = {
  platform: 'x',
  name: 'X',
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://x.com/{handle}',
  parseHandle,
  parseId,
  // A handle may consist of digits, so only an explicit ID is an ID.
  isBareId: () => false,
  profileUrl,
  addressOf,
  subjectOf,
  registrable: /^\w{1,15}$/,
  postUrls: {
    path: /^\/[^/]+\/status(?:es)?\/([1-9]\d{0,19})(?:\/|$)/,
    nameless: /^\/i\/(?:web\/)?status\/([1-9]\d{0,19})(?:\/|$)/,
  },
  // 95 % of impressions come within a day (Pfeffer, Matter and Sargsyan, "The half-life of a tweet", ICWSM 2023). Posts of large
  // accounts resurface later.
  ripeHours: 72,
  msOfId: (id) => (id < FIRST_SNOWFLAKE ? null : Number((id >> 22n) + EPOCH_MS)),
  follows: { hasNumericIds: true },
  isSearchable: true,
  hasMentions: true,
  isInDirectory: true,
};
