/** The pool aggregate: events, members and their recruitment, state, decisions. */

import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { uuidV5, uuidV7 } from '../../kernel/ids.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import { MAX_KEY } from '../accounts/post.ts';
import type { Decider } from '../log/command-handler.ts';
import {
  type EventData,
  type EventOf,
  event,
  fitting,
  instant,
  key,
  list,
  text,
} from '../log/event-definition.ts';
import type { Append, AppendOutcome, EventLog, NewEvent } from '../log/port.ts';

export const poolStream = (pool: string): string => `pool-${pool}`;

/** The pool of a stream. */
export const poolOf = (stream: string): string => stream.slice('pool-'.length);

/** At most ten years. */
const seconds = z.int().positive().max(315_360_000);

/** Settings of a pool that change with `PoolTuned`. */
export const tuningShape = {
  /** Share of the platform's request rate, relative to the shares of its other pools. */
  share: z.number().min(1e-6).max(1e6),
  /** `by_change`: an account that changes more often is read more often. `fixed`: every account is read every `refresh_min_s`. */
  refresh: z.enum(['by_change', 'fixed']),
  /** Minimum seconds between readings of an account. */
  refresh_min_s: seconds,
  /** Maximum seconds between readings of an account. Unavailable accounts are read this rarely. */
  refresh_max_s: seconds,
  /** Factor on all intervals. */
  refresh_factor: z.number().min(1e-3).max(1e3),
  /**
   * With `by_change`: the divergence in days at which an account is read again (`docs/methods/refresh.md`). It keeps a pool to its
   * request rate. Null if it follows from the bounds: the median account is then read at their geometric mean.
   */
  refresh_threshold: z.number().min(1e-12).max(1e9).nullable(),
  /** With `by_change`: the requests per day from which the threshold follows; null for a pool without a target. */
  requests_per_day: z.number().min(1e-3).max(1e10).nullable(),
  /** Maximum number of accounts. */
  size_cap: z.int().positive().max(2_000_000_000),
  /** When the pool is crawled, a cron expression in UTC; null for always. */
  schedule: text(200).nullable(),
  /** Number of holders who have to ask for an account before a pool with the rule `demand` takes it. */
  min_holders: z.int().positive().max(1_000_000),
};

/** Names of these settings. */
export const TUNABLE = Object.keys(tuningShape) as readonly (keyof typeof tuningShape)[];

export const RULES = ['seed', 'mention', 'link', 'follow', 'demand'] as const;

/** Parameters of the recruiting rule; null where the rule has none. */
const ruleShape = {
  rule: z.enum(RULES),
  /** A seed list. Separate events recruit its members. */
  seeds: z.strictObject({ digest: text(100), count: z.int().nonnegative() }).nullable(),
  /** Steps from the source pools' accounts. */
  depth: z.int().positive().max(100).nullable(),
  /** Pools whose readings recruit for this one. */
  sources: list(key(100), { max: 100, maxChars: 10_000, charsOf: (pool) => pool.length }),
};

/** The decision of the research engine that a command carries out; null for an operator's. It is applied once. */
const decided = { decision: z.uuid().nullable() };

export const poolEvents = {
  PoolCreated: event({ at: instant, pool: key(100), platform: platformSchema, ...ruleShape, ...tuningShape }),
  /** Settings that change. Absent settings stay. */
  PoolTuned: event({ at: instant, ...decided, ...z.strictObject(tuningShape).partial().shape }),
  PoolPaused: event({ at: instant, why: text(2_000), ...decided }),
  PoolResumed: event({ at: instant, ...decided }),
  /** The pool may hold more accounts, and takes a larger share. */
  PoolExpanded: event({ at: instant, ...decided, share: tuningShape.share, size_cap: tuningShape.size_cap }),
  /** The pool recruits and reads nothing any more. */
  PoolRetired: event({
    at: instant,
    ...decided,
    why: text(2_000),
    /** The pool that takes over its accounts; null if they are no longer read. */
    heir: key(100).nullable(),
  }),
  /** It reads its accounts again, those that an heir read included. */
  PoolReopened: event({ at: instant, ...decided }),
};

export type PoolEvent = EventOf<typeof poolEvents>;
export type PoolTuning = z.infer<z.ZodObject<typeof tuningShape>>;

/** How an account came to a pool. */
const RECRUITED_VIA = ['seed', 'mention', 'link', 'follow', 'demand'] as const;

/**
 * The stream of a pool's members. It is separate from the pool's settings, which take few events, and belongs to the pool's
 * platform, whose writer is the only one to read it.
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

const HANDLE_BOUNDS = { ...BOUNDS, charsOf: (handle: string): number => handle.length };

export const memberEvents = {
  /** A pool recruited accounts. The first recruitment of an account, in the order of the log, counts. */
  MembersRecruited: event({
    observed_at: instant,
    members: list(memberSchema, BOUNDS, 1),
  }),
  /** An operator gave the pool accounts that other pools of the platform had. */
  MembersMoved: event({ at: instant, handles: list(key(MAX_KEY), HANDLE_BOUNDS, 1) }),
  /** An operator took accounts out of the pool. Only an operator brings them back. */
  MembersRemoved: event({ at: instant, handles: list(key(MAX_KEY), HANDLE_BOUNDS, 1) }),
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
 * Recruits accounts. An account that already has a pool stays in it: callers leave out those that they know of.
 *
 * If the log would read the stream back for an append at any revision, events are appended at the revision that the process knows,
 * which a conflict corrects. An event that is appended twice recruits once.
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

/** Moves accounts into a pool, or removes them from it. */
export const changeMembers = async (
  log: EventLog,
  type: 'MembersMoved' | 'MembersRemoved',
  { platform, pool }: Pick<Recruitment, 'platform' | 'pool'>,
  handles: readonly string[],
  nowMs: number,
): Promise<void> => {
  for (let first = 0; first < handles.length; ) {
    const rest = handles.slice(first, first + HANDLE_BOUNDS.max);
    const some = rest.slice(0, Math.max(1, fitting(rest, HANDLE_BOUNDS)));
    const data = { at: isoOf(nowMs), handles: some };
    await log.append(membersStream(platform, pool), [{ id: uuidV7(nowMs), type, data }], 'any');
    first += some.length;
  }
};

export interface PoolState {
  readonly exists: boolean;
  readonly paused: boolean;
  readonly retired: boolean;
  /** Current settings; null before the pool exists. */
  readonly tuning: PoolTuning | null;
  /** The last decisions of the research engine that were carried out, the newest last. */
  readonly decisions: readonly string[];
}

/** Decisions that a pool remembers: one is carried out again by the next run at the latest. */
const REMEMBERED = 100;

const noPool: PoolState = {
  exists: false,
  paused: false,
  retired: false,
  tuning: null,
  decisions: [],
};

const tuned = (before: PoolTuning | null, data: Partial<PoolTuning>): PoolTuning | null => {
  if (before === null) return null;
  const changed = TUNABLE.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]);
  return { ...before, ...Object.fromEntries(changed) };
};

const carriedOut = (state: PoolState, decision: string | null): readonly string[] =>
  decision === null ? state.decisions : [...state.decisions.slice(1 - REMEMBERED), decision];

const evolvePool = (state: PoolState, event: PoolEvent): PoolState => {
  switch (event.type) {
    case 'PoolCreated':
      return { ...noPool, exists: true, tuning: tuned(event.data, event.data) };
    case 'PoolTuned':
    case 'PoolExpanded':
      return {
        ...state,
        tuning: tuned(state.tuning, event.data as Partial<PoolTuning>),
        decisions: carriedOut(state, event.data.decision),
      };
    case 'PoolPaused':
      return { ...state, paused: true, decisions: carriedOut(state, event.data.decision) };
    case 'PoolResumed':
      return { ...state, paused: false, decisions: carriedOut(state, event.data.decision) };
    case 'PoolRetired':
      return { ...state, retired: true, decisions: carriedOut(state, event.data.decision) };
    case 'PoolReopened':
      return { ...state, retired: false, decisions: carriedOut(state, event.data.decision) };
  }
};

export const poolDecider: Decider<PoolState, PoolEvent> = { initial: noPool, evolve: evolvePool };

/** Creates a pool. Idempotent. */
export const createPool =
  (data: Extract<PoolEvent, { type: 'PoolCreated' }>['data']) =>
  (state: PoolState): readonly PoolEvent[] =>
    state.exists ? [] : [{ type: 'PoolCreated', data }];

/** Whether an event would change the pool's state. */
const changes = (state: PoolState, event: PoolEvent): boolean => {
  switch (event.type) {
    case 'PoolCreated':
      return !state.exists;
    case 'PoolPaused':
      return !state.paused;
    case 'PoolResumed':
      return state.paused;
    case 'PoolRetired':
      return true;
    case 'PoolReopened':
      return state.retired;
    case 'PoolTuned':
    case 'PoolExpanded': {
      const data: Partial<PoolTuning> = event.data as Partial<PoolTuning>;
      return TUNABLE.some((name) => data[name] !== undefined && data[name] !== state.tuning?.[name]);
    }
  }
};

/**
 * A change of an existing pool. Adds nothing if the pool does not exist, if it is retired and not reopened, if nothing would change, or
 * if the decision behind it was already carried out.
 */
export const changePool =
  (event: Exclude<PoolEvent, { type: 'PoolCreated' }>) =>
  (state: PoolState): readonly PoolEvent[] => {
    const isClosed = state.retired && event.type !== 'PoolReopened';
    if (!state.exists || isClosed || !changes(state, event)) return [];
    const { decision } = event.data;
    return decision !== null && state.decisions.includes(decision) ? [] : [event];
  };

/**
 * A change that the research engine decided on. Adds nothing if the pool is paused, or if its share or cap differ from those that
 * were evaluated: the decision has absolute values, and would undo what an operator set since.
 */
export const carryOut =
  (event: Exclude<PoolEvent, { type: 'PoolCreated' }>, evaluated: Pick<PoolTuning, 'share' | 'size_cap'>) =>
  (state: PoolState): readonly PoolEvent[] => {
    const { paused, tuning } = state;
    const isSame = tuning?.share === evaluated.share && tuning.size_cap === evaluated.size_cap;
    return paused || !isSame ? [] : changePool(event)(state);
  };
