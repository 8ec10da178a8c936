import { z } from 'zod';
import { repaired } from '../log/codec/repair.ts';
import { address, count, instant, key, link, list, text } from '../log/event-fields.ts';

/** Longest normal form of a handle, and longest native id or id of a post. */
export const MAX_KEY = 256;

const counted = count.nullable();

/**
 * A public profile as one reading saw it. `null` is unknown (the surface does not show it, or it could not be
 * read), `0` and `''` are what the platform says.
 */
export const profileSchema = z.strictObject({
  /** The platform's native id; null where it has none or the surface hides it. */
  id: key(MAX_KEY).nullable(),
  /** Normal form by the platform's grammar. */
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
  /** Absolute http(s) addresses that the profile shows, in order, each once. */
  links: list(link, { max: 100, maxChars: 20_000, charsOf: (one) => one.length }),
});

export type Profile = z.infer<typeof profileSchema>;

export const postSchema = z.strictObject({
  id: key(MAX_KEY),
  url: address(4_096).nullable(),
  at: instant.nullable(),
  kind: z.enum(['original', 'reply', 'repost', 'quote']),
  media: z.enum(['none', 'photo', 'video', 'link', 'other']).nullable(),
  text: text(20_000).nullable(),
  likes: counted,
  replies: counted,
  reposts: counted,
  quotes: counted,
  views: counted,
});

export type Post = z.infer<typeof postSchema>;

/**
 * Posts of one event. With a whole profile they still fit into one append of the smallest log, in whatever script they
 * are written.
 */
export const POSTS_BOUNDS = {
  max: 200,
  maxChars: 100_000,
  charsOf: ({ id, url, text }: Post): number => id.length + (url?.length ?? 0) + (text?.length ?? 0),
};

/** A profile as an event may hold it: cleaned of what no store takes, and cut where it is too long. */
export const boundedProfile = (profile: Profile): Profile => repaired(profileSchema, profile) as Profile;

/** The same of posts. */
export const boundedPosts = (posts: readonly Post[]): readonly Post[] =>
  repaired(z.array(postSchema), posts) as Post[];

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
