import { z } from 'zod';
import { event } from '../log/event-definition.ts';
import { instant, key, list, text } from '../log/event-fields.ts';
import { tuningShape } from '../pools/events.ts';

export const researchStream = (run: string): string => `research-${run}`;

const FINDING_KINDS = [
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

const finite = (max: number) => list(z.number(), { max, maxChars: max, charsOf: () => 1 });

/**
 * A run of the research engine. Figures, draws and limits are recorded as they were used: a decision is replayed
 * from its events alone. Evidence is named by event IDs, since positions change when a backup is restored.
 */
export const researchEvents = {
  ResearchRunStarted: event({
    at: instant,
    run: z.uuid(),
    /** Seed of the run's random draws. */
    seed: z.int().nonnegative(),
    policy: text(100),
    /** The last event that the run's figures contain; null for an empty log. */
    as_of: z.uuid().nullable(),
    /** Active limits: what the run may decide at most. */
    limits: figures,
  }),
  PoolEvaluated: event({
    at: instant,
    pool: key(100),
    figures,
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
};
