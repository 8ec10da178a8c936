import { z } from 'zod';
import { PLATFORMS, type Platform, platformSchema } from '../../kernel/platform.ts';
import { type EventData, type EventOf, event, eventOf } from '../log/event-definition.ts';
import { instant, list, text } from '../log/event-fields.ts';
import { keptSchema } from './kept.ts';
import { MOVED_BOUNDS, movedPostSchema, ORDERS, POSTS_BOUNDS, postSchema, spanSchema } from './post.ts';
import { movedSchema, profileSchema } from './profile.ts';

/** The stream of an account; the handle is normalized. */
export const accountStream = (platform: Platform, handle: string): string => `account-${platform}:${handle}`;

/** Each platform’s own text, which rows share in place of a part of their stream’s name. */
const KNOWN: ReadonlyMap<string, Platform> = new Map(PLATFORMS.map((platform) => [platform, platform]));

/** The account of a stream. */
export const accountOf = (stream: string): { readonly platform: Platform; readonly handle: string } => {
  const colon = stream.indexOf(':');
  const name = stream.slice('account-'.length, colon);
  // Hot path of every fold: only an unknown platform goes through the schema, for its message.
  const platform = KNOWN.get(name) ?? platformSchema.parse(name);
  return { platform, handle: stream.slice(colon + 1) };
};

/** When and how the platform was read. */
const read = {
  /** When the platform was read; the age of an answer counts from here. */
  observed_at: instant,
  source: z.enum(['crawler', 'live']),
  surface: text(100),
};

/** Values that the reading did not show and that are known from earlier ones; absent if there are none. */
const kept = keptSchema.optional();

export const accountEvents = {
  /** A full profile. */
  AccountSighted: event({ ...read, status: z.enum(['active', 'private']), profile: profileSchema, kept }),
  /** The last full profile again, except for `moved`. */
  AccountUnchanged: event({ ...read, moved: movedSchema, kept }),
  /** The platform reports that the account does not exist, or not any more or at present. Always conclusive. */
  AccountUnavailable: event({ ...read, status: z.enum(['absent', 'suspended', 'deactivated']) }),
  /** New posts, and figures of known posts that changed. */
  PostsSighted: eventOf(
    z
      .strictObject({
        ...read,
        /** Whole: new ones, and known ones that were edited. */
        posts: list(postSchema, POSTS_BOUNDS),
        moved: list(movedPostSchema, MOVED_BOUNDS),
        order: z.enum(ORDERS),
        span: spanSchema.nullable(),
      })
      .refine(({ posts, moved }) => posts.length + moved.length > 0, { error: 'must hold a post' }),
  ),
};

export type AccountEvent = EventOf<typeof accountEvents>;
export type AccountEventData = EventData<typeof accountEvents>;
export const ACCOUNT_STATUSES = [
  'active',
  'private',
  'suspended',
  'deactivated',
  'absent',
  'unknown',
] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];
