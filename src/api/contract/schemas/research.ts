import { z } from 'zod';
import { FINDING_STATUSES, RUN_STATUSES } from '../../../read/research/lists.ts';
import { FINDING_KINDS } from '../../../write/research/research.ts';
import { text } from '../parse-request.ts';

export const findingKind = z
  .enum(FINDING_KINDS)
  .describe(
    '`pool_yield`: a pool discovers at least twice as many accounts a request as others. `pool_exhausted`: a pool discovers less than a tenth as many as on its best day. `pool_stale`: the accounts of a pool are read late. `demand_surge`: callers ask for at least twice as many accounts. `engine_fault`: readings stay inconclusive. `rename_wave`: at least twice as many accounts change their handle. `growth_cluster`: at least twice as many accounts of a pool jump in followers.',
  );

export const findingStatus = z
  .enum(FINDING_STATUSES)
  .describe('`open` until an operator confirms or dismisses it, or a newer finding supersedes it.');

const instant = z.iso.datetime();

export const findingSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    kind: findingKind,
    subject: z.string().describe('A pool, or an engine.'),
    summary: z.string(),
    metrics: z
      .record(z.string(), z.number().nullable())
      .describe('Figures that the rule measured. The finding follows from them alone.'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('1 - p, where p is the probability of such counts by chance.'),
    decision: z.string().nullable().describe('The decision of the run on the same pool; null for none.'),
    evidence: z.array(z.string()).describe('Positions of the events that support it, in log order.'),
    status: findingStatus,
    review: z
      .object({ at: instant, superseded_by: z.string().nullable() })
      .nullable()
      .describe('When it was confirmed, dismissed or superseded; null while it is open.'),
    created_at: instant,
  })
  .meta({ id: 'Finding' });

export type FindingAnswer = z.input<typeof findingSchema>;

const count = z.int().nonnegative();

export const runSchema = z
  .object({
    id: z.string(),
    status: z.enum(RUN_STATUSES),
    started_at: instant,
    finished_at: instant.nullable().describe('Null while it is running.'),
    seed: z.int().nonnegative().describe('Seed of the random draws behind its decisions.'),
    policy: z.string().describe('Version of the rules that decided.'),
    trigger: z.enum(['schedule', 'operator']),
    observe_only: z.boolean().describe('Whether the run only observed, carrying out none of its decisions.'),
    pools_evaluated: count,
    findings: count,
    expansions: count.describe('Decisions that let a pool grow.'),
    decisions: count.describe('Decisions that change a pool.'),
    failure: z.string().nullable(),
  })
  .meta({ id: 'ResearchRun' });

export type RunAnswer = z.input<typeof runSchema>;

export const eventSchema = z
  .object({
    position: z.string(),
    run_id: z.string().nullable().describe('Null for limits, which operators set for all runs.'),
    type: z.string().describe('As in the event log, such as `PoolEvaluated`.'),
    at: instant,
    data: z
      .record(z.string(), z.unknown())
      .describe('The rest of the event, without texts that are for operators.'),
  })
  .meta({ id: 'ResearchEvent' });

export type EventAnswer = z.input<typeof eventSchema>;

/** Parameters that lists share. */
export const runParameter = text(1, 100).optional().describe('`id` of a run.');
export const poolParameter = text(1, 100).optional().describe('Name of a pool.');

const ID = '01a20253-e8b7-7fbe-97e0-f6d430ff7812';

export const EXAMPLE_FINDING: FindingAnswer = {
  id: '5c3f4a0e-9f54-5a5f-8f0e-0a4b8c1f2d3e',
  run_id: ID,
  kind: 'pool_yield',
  subject: 'press',
  summary:
    'press discovers 212 accounts a thousand requests, named by 361 accounts, the pools it is compared with 41.3',
  metrics: {
    count: 508,
    exposure: 2_400,
    baseline_count: 198,
    baseline_exposure: 4_800,
    namers: 361,
    baseline_namers: 154,
    least_ratio: 2,
    least_count: 20,
    blocks: 24,
    dispersion: 1.62,
    hours: 24,
    alpha: 0.000294118,
  },
  confidence: 0.999999,
  decision: '0c2b6a1e-3b0f-5d59-9a3e-61f5f3f9a7c1',
  evidence: ['48105', '48211'],
  status: 'confirmed',
  review: { at: '2026-11-22T09:02:11.000Z', superseded_by: null },
  created_at: '2026-11-22T08:17:00.412Z',
};

export const EXAMPLE_RUN: RunAnswer = {
  id: ID,
  status: 'completed',
  started_at: '2026-11-22T08:17:00.412Z',
  finished_at: '2026-11-22T08:17:00.412Z',
  seed: 1_979_339_339,
  policy: 'discounted-thompson-2',
  trigger: 'schedule',
  observe_only: false,
  pools_evaluated: 9,
  findings: 1,
  expansions: 1,
  decisions: 3,
  failure: null,
};

export const EXAMPLE_EVENT: EventAnswer = {
  position: '48213',
  run_id: ID,
  type: 'ExpansionDecided',
  at: '2026-11-22T08:17:00.412Z',
  data: {
    decision: '0c2b6a1e-3b0f-5d59-9a3e-61f5f3f9a7c1',
    pool: 'press',
    action: 'expand',
    tuning: { share: 2 },
    heir: null,
  },
};
