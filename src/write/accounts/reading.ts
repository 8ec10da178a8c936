import { z } from 'zod';

const count = z.int().nonnegative().nullable();
const text = z.string().nullable();

/** ISO 8601 UTC with milliseconds. */
export const instant = z.iso.datetime({ precision: 3 });

/**
 * A public profile as one reading saw it. `null` is unknown (the surface does not show it, or it could not be
 * read), `0` and `''` are what the platform says.
 */
export const profileSchema = z.strictObject({
  /** The platform's native id; null where it has none or the surface hides it. */
  id: text,
  /** Normal form by the platform's grammar. */
  handle: z.string().min(1),
  display_name: text,
  followers: count,
  following: count,
  posts: count,
  verified: z.boolean().nullable(),
  created_at: instant.nullable(),
  bio: text,
  avatar_url: text,
  location: text,
  /** Absolute http(s) addresses that the profile shows, in order, each once. */
  links: z.array(z.string()),
});

export type Profile = z.infer<typeof profileSchema>;

export const postSchema = z.strictObject({
  id: z.string().min(1),
  url: text,
  at: instant.nullable(),
  kind: z.enum(['original', 'reply', 'repost', 'quote']),
  media: z.enum(['none', 'photo', 'video', 'link', 'other']).nullable(),
  text,
  likes: count,
  replies: count,
  reposts: count,
  quotes: count,
  views: count,
});

export type Post = z.infer<typeof postSchema>;

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
