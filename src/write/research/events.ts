import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import { type EventOf, event } from '../log/event-definition.ts';
import { instant, key, list, text } from '../log/event-fields.ts';
import { tuningShape } from '../pools/events.ts';

/** The stream of a run, and of what is decided about its findings. */
export const researchStream = (run: string): string => `research-${run}`;

/** The stream of the limits that operators set. */
export const LIMITS_STREAM = researchStream('limits');

export const FINDING_KINDS = [
  'pool_yield',
  'pool_exhausted',
  'pool_stale',
  'demand_surge',
  'engine_fault',
  'rename_wave',
  'growth_cluster',
] as const;

/** Named figures; null is unknown. */
const figures = z
  .record(key(100), z.number().nullable())
  .refine((found) => Object.keys(found).length <= 100, {
    error: 'must have at most 100 figures',
  });

const ids = (max: number) => list(z.uuid(), { max, maxChars: 50 * max, charsOf: (id) => id.length });

/** Pools that a run may change; null for all. */
const changeable = list(key(100), {
  max: 1_000,
  maxChars: 100_000,
  charsOf: (pool) => pool.length,
}).nullable();

/** What a run may decide at most: figures of the policy, the pools that it may change, and whether it carries out anything. */
const limitsShape = { limits: figures, pools: changeable, observe_only: z.boolean() };

/** What an operator decides about a finding. */
const review = { at: instant, finding: z.uuid(), reason: text(2_000) };

const finite = (max: number) => list(z.number(), { max, maxChars: max, charsOf: () => 1 });

/**
 * A run of the research engine. Figures, draws and limits are recorded as they were used: a decision is replayed
 * from its events alone. Evidence is named by event IDs, since positions change when a backup is restored.
 */
export const researchEvents = {
  ResearchRunStarted: event({
    at: instant,
    run: z.uuid(),
    trigger: z.enum(['schedule', 'operator']),
    /** Seed of the run's random draws. */
    seed: z.int().nonnegative(),
    policy: text(100),
    /** The last event that the run's figures contain; null for an empty log. */
    as_of: z.uuid().nullable(),
    /** Positions of the read models that figures come from, in the same snapshot. */
    builds: z.record(key(100), text(20)),
    ...limitsShape,
    /** The event that set these limits; null for the defaults. */
    limits_set: z.uuid().nullable(),
  }),
  PoolEvaluated: event({
    at: instant,
    pool: key(100),
    /** Pools of a platform share its requests. */
    platform: platformSchema,
    figures,
    /** The first and the last event of each figure's hours, newest first. */
    evidence: ids(200),
    /** The pool's event that its settings are as of; null if the log has none. */
    settings: z.uuid().nullable(),
    /** Random draws in the order of their use. */
    draws: finite(1_000),
  }),
  FindingRecorded: event({
    at: instant,
    finding: z.uuid(),
    kind: z.enum(FINDING_KINDS),
    /** What it is about: a pool, an engine, a handle. */
    subject: key(300),
    summary: text(2_000),
    metrics: figures,
    confidence: z.number().min(0).max(1),
    /** The decision that followed from it. */
    decision: z.uuid().nullable(),
    evidence: list(z.uuid(), { max: 200, maxChars: 10_000, charsOf: (id) => id.length }),
  }),
  ExpansionDecided: event({
    at: instant,
    decision: z.uuid(),
    pool: key(100),
    action: z.enum(['expand', 'hold', 'shrink', 'retire']),
    /** Settings that the action changes. */
    tuning: z.strictObject(tuningShape).partial(),
    /** Where the members of a retired pool go. */
    heir: key(100).nullable(),
  }),
  ResearchRunCompleted: event({
    at: instant,
    pools: z.int().nonnegative(),
    findings: z.int().nonnegative(),
    decisions: z.int().nonnegative(),
  }),
  ResearchRunFailed: event({ at: instant, reason: text(200), detail: text(2_000) }),
  FindingConfirmed: event(review),
  FindingDismissed: event(review),
  /** A newer finding says what this one said. */
  FindingSuperseded: event({ ...review, successor: z.uuid() }),
  ResearchLimitsSet: event({ at: instant, ...limitsShape }),
};

export type ResearchEvent = EventOf<typeof researchEvents>;
export type FindingKind = (typeof FINDING_KINDS)[number];
