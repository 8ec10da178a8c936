import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import { type EventOf, event } from '../log/event-definition.ts';
import { instant, key, list, text } from '../log/event-fields.ts';

export const poolStream = (pool: string): string => `pool-${pool}`;

/** The pool of a stream. */
export const poolOf = (stream: string): string => stream.slice('pool-'.length);

/** At most ten years. */
const seconds = z.int().positive().max(315_360_000);

/** Settings of a pool that change with `PoolTuned`. */
export const tuningShape = {
  /** Share of the platform's request rate, relative to the shares of its other pools. */
  share: z.number().min(1e-6).max(1e6),
  /** `by_change`: an account is read the more often the more often it changes; `fixed`: every `refresh_min_s`. */
  refresh: z.enum(['by_change', 'fixed']),
  /** Least seconds between readings of an account. */
  refresh_min_s: seconds,
  /** Most seconds between readings of an account; an unavailable one is read as seldom. */
  refresh_max_s: seconds,
  /** Factor on all intervals. */
  refresh_factor: z.number().min(1e-3).max(1e3),
  /**
   * With `by_change`, the divergence in days at which an account is read again (`docs/methods/refresh.md`), by which a pool keeps to
   * its request rate. Null for one that follows from the bounds: the median account is read at their geometric mean.
   */
  refresh_threshold: z.number().min(1e-12).max(1e9).nullable(),
  /** With `by_change`, the requests a day from which the threshold follows; null for a pool without a target. */
  requests_per_day: z.number().min(1e-3).max(1e10).nullable(),
  /** Maximum number of accounts. */
  size_cap: z.int().positive().max(2_000_000_000),
  /** When the pool is crawled, a cron expression in UTC; null for always. */
  schedule: text(200).nullable(),
  /** Holders who have to ask for an account before a pool whose rule is demand takes it. */
  min_holders: z.int().positive().max(1_000_000),
};

/** Names of these settings. */
export const TUNABLE = Object.keys(tuningShape) as readonly (keyof typeof tuningShape)[];

export const RULES = ['seed', 'mention', 'link', 'follow', 'demand'] as const;

/** Parameters of the recruiting rule; null where the rule has none. */
const ruleShape = {
  rule: z.enum(RULES),
  /** A seed list: its members are recruited by events of their own. */
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
  /** Settings that change; those left out stay. */
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
    /** The pool that takes over its accounts; null if they are not read any more. */
    heir: key(100).nullable(),
  }),
};

export type PoolEvent = EventOf<typeof poolEvents>;
export type PoolTuning = z.infer<z.ZodObject<typeof tuningShape>>;
