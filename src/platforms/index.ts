import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import { bluesky } from './bluesky.ts';
import type { Address, PlatformDescriptor } from './descriptor.ts';
import { instagram } from './instagram.ts';
import { linkedin } from './linkedin.ts';
import { telegram } from './telegram.ts';
import { tiktok } from './tiktok.ts';
import { x } from './x.ts';
import { youtube } from './youtube.ts';

const DESCRIPTORS: Readonly<Record<Platform, PlatformDescriptor>> = {
  x,
  instagram,
  tiktok,
  youtube,
  telegram,
  bluesky,
  linkedin,
};

export const descriptorOf = (platform: Platform): PlatformDescriptor => DESCRIPTORS[platform];

/** The names of all platforms as people write them: `X, Instagram, … and LinkedIn`. */
export const platformNames = (platforms: readonly Platform[] = PLATFORMS): string => {
  const names = platforms.map((platform) => DESCRIPTORS[platform].name);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
};

const platformsThat = (are: (descriptor: PlatformDescriptor) => boolean) =>
  PLATFORMS.filter((platform) => are(DESCRIPTORS[platform])) as [Platform, ...Platform[]];

/** Platforms whose accounts are in the directory. */
export const DIRECTORY_PLATFORMS = platformsThat(({ isInDirectory }) => isInDirectory);

export const isInDirectory = (platform: Platform): boolean => DESCRIPTORS[platform].isInDirectory;

/** Platforms with public follower lists. */
export const FOLLOWS_PLATFORMS = platformsThat(({ follows }) => follows !== undefined);

/** Platforms where withheld accounts can be detected. */
export const SEARCHABLE_PLATFORMS = platformsThat(({ isSearchable }) => isSearchable === true);

/** Platforms whose post URLs are understood. */
export const POST_PLATFORMS = platformsThat(({ postUrls }) => postUrls !== undefined);

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

/** The canonical form of a profile URL whose account only its platform can resolve; null for any other URL. */
export const indirectUrlOf = (
  url: URL,
): { readonly platform: Platform; readonly profileUrl: string } | null => {
  if (!isWeb(url)) return null;
  for (const platform of PLATFORMS) {
    const profileUrl = DESCRIPTORS[platform].indirectUrl?.(url) ?? null;
    if (profileUrl !== null) return { platform, profileUrl };
  }
  return null;
};

/** The account of a profile URL of any platform; null for any other URL. */
export const accountOfUrl = (url: URL): { readonly platform: Platform; readonly address: Address } | null => {
  if (!isWeb(url)) return null;
  for (const platform of PLATFORMS) {
    const address = DESCRIPTORS[platform].addressOf(url);
    if (address !== null) return { platform, address };
  }
  return null;
};

/** A post and the account that its URL names. */
export interface PostAddress {
  readonly account: Address;
  /** The ID of the post, or its end. */
  readonly post: string;
}

/** The post of a URL of this platform; null for any other URL. */
export const postOfUrl = (platform: Platform, url: URL): PostAddress | null => {
  const { addressOf, postUrls } = DESCRIPTORS[platform];
  if (!isWeb(url)) return null;
  const account = addressOf(url);
  const post = postUrls?.path.exec(url.pathname)?.[1];
  return account === null || post === undefined ? null : { account, post };
};

/** The post of a URL that names no account; null for any other URL. */
export const namelessPostOf = (platform: Platform, url: URL): Pick<PostAddress, 'post'> | null => {
  const { addressOf, postUrls } = DESCRIPTORS[platform];
  if (!isWeb(url) || postUrls?.nameless === undefined) return null;
  const isOfSite = addressOf(new URL('/a', url)) !== null;
  const post = isOfSite ? postUrls.nameless.exec(url.pathname)?.[1] : undefined;
  return post === undefined ? null : { post };
};

/** Whether an ID belongs to the post. */
export const isPost = (platform: Platform, { post }: Pick<PostAddress, 'post'>, id: string): boolean =>
  DESCRIPTORS[platform].postUrls?.isEndOfId === true ? id.endsWith(`/${post}`) : id === post;

/**
 * The handle in the name of an account's stream and in the profiles of events. An account without a handle (a YouTube channel that
 * never chose one, a Bluesky account whose domain no longer resolves) is named there by its native ID, and its handle is null.
 */
export const handleIn = (platform: Platform, name: string): string | null =>
  DESCRIPTORS[platform].streamId?.test(name) === true ? null : name;

/** Whether an account that is known by its ID alone has a stream. It has one where IDs name accounts without a handle. */
export const hasStream = (platform: Platform, id: string): boolean => handleIn(platform, id) === null;

/** Whether the rules of a platform allow this handle to be registered today. Older and bought handles may differ. */
export const isRegistrable = (platform: Platform, handle: string): boolean =>
  DESCRIPTORS[platform].registrable?.test(handle) ?? true;

/** The form in which a handle is compared across platforms; null without a handle. */
export const comparableHandle = (platform: Platform, name: string | null): string | null => {
  const handle = name === null ? null : handleIn(platform, name);
  if (handle === null) return null;
  return DESCRIPTORS[platform].comparable?.(handle) ?? handle;
};

/** The part of a handle that is compared with handles of the same platform: without the end that most share. */
export const comparedName = (platform: Platform, handle: string): string => {
  const name = handle.toLowerCase();
  const { sharedEnd } = DESCRIPTORS[platform];
  return sharedEnd !== undefined && name.endsWith(sharedEnd) ? name.slice(0, -sharedEnd.length) : name;
};

const HOUR_MS = 3_600_000;

/** Age from which the figures of a post count as final in medians. */
export const ripeMsOf = (platform: Platform): number => DESCRIPTORS[platform].ripeHours * HOUR_MS;
