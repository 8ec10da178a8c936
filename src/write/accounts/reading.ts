import { z } from 'zod';
import { repaired } from '../log/codec/repair.ts';
import { address, count, instant, key, link, list, text } from '../log/event-fields.ts';
import { MAX_KEY } from './post.ts';

const counted = count.nullable();

/**
 * A public profile as one reading saw it. `null` is unknown (not shown, or unreadable); `0` and `''` are values of
 * the platform.
 */
export const profileSchema = z.strictObject({
  /** The platform's native ID; null if it has none or the surface hides it. */
  id: key(MAX_KEY).nullable(),
  /** Normalized by the platform's grammar. */
  handle: key(MAX_KEY),
  display_name: text(1_000).nullable(),
  followers: counted,
  following: counted,
  posts: counted,
  verified: z.boolean().nullable(),
  created_at: instant.nullable(),
  bio: text(10_000).nullable(),
  avatar_url: address(4_096).nullable(),
  location: text(500).nullable(),
  /** Absolute http(s) URLs that the profile shows, in order, deduplicated. */
  links: list(link, { max: 100, maxChars: 20_000, charsOf: (one) => one.length }),
});

export type Profile = z.infer<typeof profileSchema>;

/** A profile within an event's bounds: sanitized of what no store accepts, and truncated where too long. */
export const boundedProfile = (profile: Profile): Profile => repaired(profileSchema, profile) as Profile;

/** A profile of which only the handle is known. */
export const emptyProfile = (handle: string): Profile => ({
  id: null,
  handle,
  display_name: null,
  followers: null,
  following: null,
  posts: null,
  verified: null,
  created_at: null,
  bio: null,
  avatar_url: null,
  location: null,
  links: [],
});
