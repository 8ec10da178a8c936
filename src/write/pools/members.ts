import { z } from 'zod';
import { uuidV5 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { MAX_KEY } from '../accounts/post.ts';
import { type EventData, event } from '../log/event-definition.ts';
import { fitting, instant, key, list } from '../log/event-fields.ts';
import type { Append, AppendOutcome, EventLog, NewEvent } from '../log/port.ts';

/** How an account came to a pool. */
const RECRUITED_VIA = ['seed', 'mention', 'link', 'follow', 'demand'] as const;

/**
 * The stream of a pool's members. Apart from the pool's settings, which take few events, and of the pool's platform, whose
 * writer alone reads it.
 */
export const membersStream = (platform: Platform, pool: string): string => `members-${platform}:${pool}`;

/** The pool whose members a stream has. */
export const poolOfMembers = (stream: string): string => stream.slice(stream.indexOf(':') + 1);

const memberSchema = z.strictObject({
  /** Normalized handle, or a native ID where the platform's URLs name accounts by it. */
  handle: key(MAX_KEY),
  via: z.enum(RECRUITED_VIA),
  /** Stream of the account whose reading named it; null for seeds and demand. */
  from: key(2 * MAX_KEY).nullable(),
  /** Steps from an account that an operator or a caller named, which has 0; null if unknown. */
  depth: z.int().nonnegative().max(1_000_000).nullable(),
});

export type Member = z.infer<typeof memberSchema>;

/** With its members an event stays below a tenth of the most restrictive log's limit. */
const BOUNDS = {
  max: 500,
  maxChars: 50_000,
  charsOf: ({ handle, from }: Member): number => handle.length + (from?.length ?? 0),
};

export const memberEvents = {
  /** A pool recruited accounts. The first recruitment of an account, in the order of the log, counts. */
  MembersRecruited: event({
    observed_at: instant,
    members: list(memberSchema, BOUNDS, 1),
  }),
};

/** Accounts that a pool recruits at once. */
export interface Recruitment extends Omit<EventData<typeof memberEvents>['MembersRecruited'], 'members'> {
  readonly platform: Platform;
  readonly pool: string;
  readonly members: readonly Member[];
}

/** Last revisions of streams, as far as a process knows them; null for one that does not exist. */
export type Revisions = Map<string, bigint | null>;

interface Recruited {
  readonly stream: string;
  readonly event: NewEvent;
}

const eventsOf = ({ platform, pool, observed_at, members }: Recruitment): readonly Recruited[] => {
  const stream = membersStream(platform, pool);
  const events: Recruited[] = [];
  for (let first = 0; first < members.length; ) {
    const rest = members.slice(first, first + BOUNDS.max);
    const some = rest.slice(0, Math.max(1, fitting(rest, BOUNDS)));
    const data = { observed_at, members: some };
    // The same accounts named at the same time are the same event, so that a retry adds nothing.
    const id = uuidV5(`recruited ${stream} ${JSON.stringify(data)}`);
    events.push({ stream, event: { id, type: 'MembersRecruited', data } });
    first += some.length;
  }
  return events;
};

/**
 * Recruits accounts. Those that a pool has already stay in it: callers leave out those that they know of.
 *
 * A log that would read the stream back at any revision gets them at the one that the process knows, which a conflict
 * corrects. One that is appended twice recruits once.
 * @param revisions kept by a process that recruits often.
 */
export const recruitMembers = async (
  log: EventLog,
  recruitments: readonly Recruitment[],
  revisions: Revisions = new Map(),
): Promise<void> => {
  const queues = Map.groupBy(recruitments.flatMap(eventsOf), ({ stream }) => stream);
  while (queues.size > 0) {
    const appends = [...queues].map(([stream, [next]]): Append => {
      const { event } = next as Recruited;
      const known = revisions.get(stream) ?? 'no_stream';
      return { stream, events: [event], expected: log.indexesIds === false ? known : 'any' };
    });
    const outcomes = await log.appendMany(appends);
    for (const [i, { stream, expected }] of appends.entries()) {
      const { status, revision } = outcomes[i] as AppendOutcome;
      if (status === 'conflict' && (expected === 'any' || (revision ?? 'no_stream') === expected))
        throw new Error(`an event of ${stream} has the ID of another one`);
      revisions.set(stream, revision);
      if (status === 'conflict') continue;
      const rest = queues.get(stream)?.slice(1) ?? [];
      if (rest.length > 0) queues.set(stream, rest);
      else queues.delete(stream);
    }
  }
};
