import type { Platform } from '../../../kernel/platform.ts';
import type { Address } from './grammar.ts';
import { grammarOf } from './index.ts';

/** A post, and the account that its URL names. */
export interface PostAddress {
  readonly account: Address;
  /** The ID of the post, or its end: Bluesky's begin with the account and a collection. */
  readonly post: string;
}

/** Paths of posts, by what follows the account. URLs of other platforms name no account, or write IDs in another way. */
const PATHS = {
  x: /^\/[^/]+\/status(?:es)?\/([1-9]\d{0,19})(?:\/|$)/,
  tiktok: /^\/(?:@|%40)[^/]+\/(?:video|photo)\/([1-9]\d{0,19})(?:\/|$)/,
  telegram: /^\/(?:s\/)?[^/]+\/(\d{1,15})(?:\/|$)/,
  bluesky: /^\/profile\/[^/]+\/post\/([A-Za-z0-9._~-]{1,512})(?:\/|$)/,
} as const satisfies Partial<Record<Platform, RegExp>>;

export type PostPlatform = keyof typeof PATHS;

export const POST_PLATFORMS = Object.keys(PATHS) as [PostPlatform, ...PostPlatform[]];

/** The post of a URL of a platform; null for any other URL. */
export const postOfUrl = (platform: PostPlatform, url: URL): PostAddress | null => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const account = grammarOf(platform).addressOf(url);
  const post = PATHS[platform].exec(url.pathname)?.[1];
  return account === null || post === undefined ? null : { account, post };
};

/** Paths of posts that name no account. */
const NAMELESS = { x: /^\/i\/(?:web\/)?status\/([1-9]\d{0,19})(?:\/|$)/ } as const;

/** The post of a URL that names no account; null for any other URL. */
export const namelessPostOf = (platform: PostPlatform, url: URL): Pick<PostAddress, 'post'> | null => {
  if (platform !== 'x' || !url.protocol.startsWith('http')) return null;
  const isOfSite = grammarOf(platform).addressOf(new URL('/a', url)) !== null;
  const post = isOfSite ? NAMELESS[platform].exec(url.pathname)?.[1] : undefined;
  return post === undefined ? null : { post };
};

/** Whether an ID is that of the post. */
export const isPost = (platform: PostPlatform, { post }: Pick<PostAddress, 'post'>, id: string): boolean =>
  platform === 'bluesky' ? id.endsWith(`/${post}`) : id === post;
