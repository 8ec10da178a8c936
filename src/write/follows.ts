/** Follower lists: their events, and the command that records a page. */

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { uuidV5 } from '../kernel/ids.ts';
import type { Platform } from '../kernel/platform.ts';
import { MAX_KEY } from './accounts/post.ts';
import { type EventData, event, fitting, instant, key, list, text } from './log/event-definition.ts';
import type { EventLog, NewEvent } from './log/port.ts';

/**
 * The stream of an account's follower lists. It is separate from the account's own stream: a list takes thousands of events, and no
 * decision on the account needs them.
 */
export const followsStream = (platform: Platform, handle: string): string => `follows-${platform}:${handle}`;

/** Handle of the account whose lists a stream holds. */
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
    /** Whether the list ended here. An account that is in no part of the sweep no longer follows. */
    done: z.boolean(),
    /** Whether reading stopped here although the list continues. */
    capped: z.boolean(),
  }),
};

/** Members that may be missing from a complete list: suspended accounts, and those that left while it was read. */
const SLACK = 10;
const SLACK_SHARE = 0.05;

/**
 * Whether a list is incomplete although the platform shows no further page. Platforms end long lists early, and accounts beyond
 * that end may still follow.
 * @param stated number of members on the account's profile; null if unknown.
 */
export const endsEarly = (members: number, stated: number | null): boolean =>
  stated !== null && stated - members > Math.max(SLACK, stated * SLACK_SHARE);

export type FollowsData = EventData<typeof followsEvents>['FollowsSighted'];

/** A page of a follower list as it was read, of any length. */
export interface FollowsPart extends Omit<FollowsData, 'page' | 'members'> {
  readonly members: readonly FollowsMember[];
}

/** Splits members into groups that fit into one event each. An empty page gives one empty group. */
const groupsOf = (members: readonly FollowsMember[]): (readonly FollowsMember[])[] => {
  const groups: (readonly FollowsMember[])[] = [];
  for (let from = 0; from < members.length || groups.length === 0; ) {
    const fit = Math.max(1, fitting(members.slice(from), MEMBERS_BOUNDS));
    groups.push(members.slice(from, from + fit));
    from += fit;
  }
  return groups;
};

/** The sweep that a page became part of, and the number of its events so far. */
export interface RecordedPart {
  readonly sweep: string;
  /** Number of the sweep's events before this page and after it. */
  readonly first: number;
  readonly pages: number;
}

/** Number of events of a stream that are searched for a page: other sweeps may have added as many in the meantime. */
const LOOK_BACK = 1_000;

/** The newest events of a sweep. */
export const eventsOfSweep = async (
  log: EventLog,
  platform: Platform,
  handle: string,
  sweep: string,
): Promise<readonly FollowsData[]> => {
  const newest = await log.readStream(followsStream(platform, handle), {
    direction: 'backwards',
    limit: LOOK_BACK,
  });
  return newest.map(({ data }) => data as FollowsData).filter(({ sweep: id }) => id === sweep);
};

/** A part without the time and source of its reading. */
const contentsOf = ({ observed_at: _, source: __, surface: ___, ...contents }: FollowsData) => contents;

const eventsOf = (
  part: FollowsPart,
  firstPage: number,
): readonly (NewEvent & { readonly data: FollowsData })[] => {
  const groups = groupsOf(part.members);
  return groups.map((members, n) => {
    const page = firstPage + n;
    const isLast = n === groups.length - 1;
    const data: FollowsData = {
      ...part,
      page,
      members: [...members],
      done: isLast && part.done,
      capped: isLast && part.capped,
    };
    return { id: uuidV5(`follows ${part.sweep} ${page}`), type: 'FollowsSighted', data };
  });
};

/**
 * Appends a page of a sweep. The same members at the same position add nothing. A list that ends or is capped does so with its last
 * event.
 *
 * If the sweep already has other members at that position, because the list moved or was read in other portions, the sweep is
 * broken off. The page is then recorded as part of a new sweep that lacks its beginning, so that the list is not taken for complete
 * at its end.
 * @param firstPage number of the sweep's events before this page.
 * @param newSweep draws the ID of a sweep.
 */
export const recordFollows = async (
  log: EventLog,
  platform: Platform,
  handle: string,
  part: FollowsPart,
  firstPage: number,
  newSweep: () => string,
): Promise<RecordedPart> => {
  const stream = followsStream(platform, handle);
  const events = eventsOf(part, firstPage);
  const { length } = events;
  const { status } = await log.append(stream, events, 'any');
  const kept = { sweep: part.sweep, first: firstPage, pages: firstPage + length };
  if (status === 'appended') return kept;
  const recorded = await eventsOfSweep(log, platform, handle, part.sweep);
  const isRepeated = events.every(({ data }) =>
    recorded.some((known) => isDeepStrictEqual(contentsOf(known), contentsOf(data))),
  );
  if (isRepeated) return kept;
  const broken = newSweep();
  const first = Math.max(1, firstPage);
  await log.append(stream, eventsOf({ ...part, sweep: broken }, first), 'any');
  return { sweep: broken, first, pages: first + length };
};
