import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { MAX_KEY } from '../accounts/post.ts';
import { event } from '../log/event-definition.ts';
import { instant, key, list, text } from '../log/event-fields.ts';

/**
 * The stream of an account's follower lists. Apart from the account's own: a list takes thousands of events, and
 * no decision on the account needs them.
 */
export const followsStream = (platform: Platform, handle: string): string => `follows-${platform}:${handle}`;

/** Handle of the account whose lists a stream has. */
export const followsOwner = (stream: string): string => stream.slice(stream.indexOf(':') + 1);

const memberSchema = z.strictObject({
  /** Native ID. */
  id: key(MAX_KEY),
  /** Normalized; null if the platform shows none. */
  handle: key(MAX_KEY).nullable(),
});

export type FollowsMember = z.infer<typeof memberSchema>;

/** With its members an event stays below a tenth of the most restrictive log's limit. */
export const MEMBERS_BOUNDS = {
  max: 500,
  maxChars: 50_000,
  charsOf: ({ id, handle }: FollowsMember): number => id.length + (handle?.length ?? 0),
};

export const FOLLOW_DIRECTIONS = ['followers', 'following'] as const;

export type FollowDirection = (typeof FOLLOW_DIRECTIONS)[number];

export const followsEvents = {
  /** A part of an account's follower list. Parts with the same `sweep` are one reading of the list. */
  FollowsSighted: event({
    observed_at: instant,
    source: z.enum(['crawler', 'live']),
    surface: text(100),
    direction: z.enum(FOLLOW_DIRECTIONS),
    /** Native ID of the account whose list it is. */
    owner: key(MAX_KEY),
    sweep: z.uuid(),
    /** Number of this part in its sweep, from 0. */
    page: z.int().nonnegative().max(1_000_000),
    members: list(memberSchema, MEMBERS_BOUNDS),
    order: z.enum(['newest_first', 'unknown']),
    /** Whether the list ended here: who is in no part of the sweep does not follow any more. */
    done: z.boolean(),
    /** Whether reading stopped here although the list continues. */
    capped: z.boolean(),
  }),
};
