import { z } from 'zod';
import { uuidV5 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { MAX_KEY } from '../accounts/post.ts';
import { type EventData, event } from '../log/event-definition.ts';
import { fitting, instant, key, list } from '../log/event-fields.ts';
import type { Append, EventLog } from '../log/port.ts';

/** How an account came to a pool. */
export const RECRUITED_VIA = ['seed', 'mention', 'link', 'follow', 'demand'] as const;

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

const appendsOf = ({ platform, pool, observed_at, members }: Recruitment): readonly Append[] => {
  const stream = membersStream(platform, pool);
  const appends: Append[] = [];
  for (let first = 0; first < members.length; ) {
    const rest = members.slice(first, first + BOUNDS.max);
    const some = rest.slice(0, Math.max(1, fitting(rest, BOUNDS)));
    const data = { observed_at, members: some };
    // The same accounts named at the same time are the same event, so that a retry adds nothing.
    const id = uuidV5(`recruited ${stream} ${JSON.stringify(data)}`);
    appends.push({ stream, events: [{ id, type: 'MembersRecruited', data }], expected: 'any' });
    first += some.length;
  }
  return appends;
};

/** Recruits accounts. Those that a pool has already stay in it: callers leave out those that they know of. */
export const recruitMembers = async (log: EventLog, recruitments: readonly Recruitment[]): Promise<void> => {
  const appends = recruitments.flatMap(appendsOf);
  if (appends.length > 0) await log.appendMany(appends);
};
