import { PLATFORMS, type Platform } from '../kernel/platform.ts';

/** Categories whose streams are named after a platform: `account-x:nasa`, `members-x:seed-x`, `engine-x:reports`. */
const CATEGORIES: ReadonlySet<string> = new Set(['account-', 'follows-', 'members-', 'engine-']);
const KNOWN: ReadonlySet<string> = new Set(PLATFORMS);

/** Whether every stream of a category belongs to one platform. */
export const isOfPlatforms = (category: string): boolean => CATEGORIES.has(category);

/**
 * The platform that a stream belongs to; null if its category has none, as pools; undefined if this program does not
 * know the platform.
 */
export const platformOf = (stream: string): Platform | null | undefined => {
  const dash = stream.indexOf('-') + 1;
  if (!CATEGORIES.has(stream.slice(0, dash))) return null;
  const colon = stream.indexOf(':', dash);
  const name = stream.slice(dash, colon === -1 ? undefined : colon);
  return KNOWN.has(name) ? (name as Platform) : undefined;
};

/** Stream prefixes of categories, narrowed to some of the platforms. */
export const platformPrefixes = (
  categories: readonly string[],
  platforms: readonly string[],
): readonly string[] =>
  categories.flatMap((category) =>
    isOfPlatforms(category) ? platforms.map((platform) => `${category}${platform}:`) : [category],
  );
