import { z } from 'zod';
import { PLATFORMS, type Platform, platformSchema } from '../../kernel/platform.ts';
import { boundedEvent, type EventData, type EventOf, event } from '../log/event-definition.ts';
import { address, count, instant, key, list, text } from '../log/event-fields.ts';
import { MAX_KEY, POSTS_BOUNDS, postSchema, profileSchema } from './reading.ts';

/** The stream of an account; the handle is in normal form. */
export const accountStream = (platform: Platform, handle: string): string => `account-${platform}:${handle}`;

const KNOWN: ReadonlySet<string> = new Set(PLATFORMS);

/** The account that a stream is about. */
export const accountOf = (stream: string): { readonly platform: Platform; readonly handle: string } => {
  const colon = stream.indexOf(':');
  const platform = stream.slice('account-'.length, colon) as Platform;
  // Folds ask for every event; only what is no platform goes through the schema, for its message.
  if (!KNOWN.has(platform)) platformSchema.parse(platform);
  return { platform, handle: stream.slice(colon + 1) };
};

/** When and how the platform was read. */
const read = {
  /** When the platform was read, which is what staleness counts from. */
  observed_at: instant,
  source: z.enum(['crawler', 'live']),
  surface: text(100),
};

const counted = count.nullable();

/** What moves from day to day without the account having changed. */
const movedSchema = z.strictObject({
  followers: counted.optional(),
  following: counted.optional(),
  posts: counted.optional(),
  /** Addresses of pictures are signed and expire. */
  avatar_url: address(4_096).nullable().optional(),
});

export type Moved = z.infer<typeof movedSchema>;

export const accountEvents = {
  /** Somebody named the account; nobody has looked yet. */
  AccountDiscovered: boundedEvent({
    observed_at: instant,
    via: z.enum(['seed', 'mention', 'link', 'follow', 'demand']),
    /** The pool that recruited it. */
    pool: key(100),
    /** The account that named it, as a stream; null for seeds and demand. */
    from: key(2 * MAX_KEY).nullable(),
  }),
  /** A pool took up an account that had been read before any pool had it. The first pool that recruits it keeps it. */
  AccountRecruited: event({
    observed_at: instant,
    via: z.enum(['seed', 'mention', 'link', 'follow', 'demand']),
    pool: key(100),
    /** The account that named it, as a stream; null for seeds and demand. */
    from: key(2 * MAX_KEY).nullable(),
  }),
  /** A whole reading. */
  AccountSighted: boundedEvent({ ...read, status: z.enum(['active', 'private']), profile: profileSchema }),
  /** The last whole reading again, but for what moved. */
  AccountUnchanged: boundedEvent({ ...read, moved: movedSchema }),
  /** The platform says that there is no such account (any more, or at present). Always proven. */
  AccountUnavailable: boundedEvent({ ...read, status: z.enum(['absent', 'suspended', 'deactivated']) }),
  /** Posts that are new, or whose figures moved. */
  PostsSighted: boundedEvent({ ...read, posts: list(postSchema, POSTS_BOUNDS, 1) }),
};

export type AccountEvent = EventOf<typeof accountEvents>;
export type AccountEventData = EventData<typeof accountEvents>;
export type AccountStatus = 'active' | 'private' | 'suspended' | 'deactivated' | 'absent' | 'unknown';
