import type { Platform } from '../../kernel/platform.ts';

/** The domain of accounts of Bluesky that have none of their own: most handles end with it, so that it distinguishes none. */
const SHARED_DOMAIN = '.bsky.social';

/** The part of a handle that is compared with others: all of it, of Bluesky without the domain that most accounts share. */
export const comparedName = (platform: Platform, handle: string): string => {
  const name = handle.toLowerCase();
  return platform === 'bluesky' && name.endsWith(SHARED_DOMAIN) ? name.slice(0, -SHARED_DOMAIN.length) : name;
};
