/** Runs of the research engine: limits, events, state, decisions. */

import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import type { Decider } from '../log/command-handler.ts';
import { type EventOf, event, instant, key, list, text } from '../log/event-definition.ts';
import { tuningShape } from '../pools/pool.ts';
import type { Decision, Limits } from './policy.ts';

/** Limits of runs, with what each may be. */
export const limitsSchema = z.strictObject({
  share_factor_per_hour: z.number().min(1).max(1_000),
  size_factor_per_hour: z.number().min(1).max(1_000),
  size_cap: z.int().positive().max(2_000_000_000),
  floor: z.number().min(0.01).max(1),
  half_life_h: z.number().min(1).max(39),
  draws: z.int().min(1).max(1_000),
}) satisfies z.ZodType<Limits>;

/** What a run may decide at most, and whether it carries out anything. */
export interface RunLimits {
  readonly limits: Limits;
  /** Pools that it may change; null for all. */
  readonly pools: readonly string[] | null;
  readonly observe_only: boolean;
}

/** Says of each pool whether limits allow that a run changes it. */
export const mayChangeOf = ({ pools }: Pick<RunLimits, 'pools'>): ((pool: string) => boolean) => {
  const named = pools === null ? null : new Set(pools);
  return (pool) => named?.has(pool) ?? true;
};

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
 * A run of the research engine. Figures, draws and limits are recorded as they were used, so that a decision can be replayed from
 * its events alone. Evidence is named by event IDs, since positions change when a backup is restored.
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
    /** The subject: a pool, an engine or a handle. */
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
    /** The pool that takes over the members of a retired pool. */
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
  /** A newer finding states the same. */
  FindingSuperseded: event({ ...review, successor: z.uuid() }),
  ResearchLimitsSet: event({ at: instant, ...limitsShape }),
};

export type ResearchEvent = EventOf<typeof researchEvents>;
export type FindingKind = (typeof FINDING_KINDS)[number];

type DataOf<Type extends ResearchEvent['type']> = Extract<ResearchEvent, { type: Type }>['data'];

/** Texts of events that are for operators alone: what they wrote, and how the inside of the program failed. */
export const TEXTS_FOR_OPERATORS: {
  readonly [Type in ResearchEvent['type']]?: readonly (keyof DataOf<Type>)[];
} = {
  ResearchRunFailed: ['detail'],
  FindingConfirmed: ['reason'],
  FindingDismissed: ['reason'],
  FindingSuperseded: ['reason'],
};

export type RunStarted = DataOf<'ResearchRunStarted'>;
export type PoolEvaluated = DataOf<'PoolEvaluated'>;
export type FindingRecorded = DataOf<'FindingRecorded'>;
export type ExpansionDecided = DataOf<'ExpansionDecided'>;

/** The outcome of a finding. */
export type FindingStatus = 'open' | 'confirmed' | 'dismissed' | 'superseded';

/** A run, as its stream has it. */
export interface RunState {
  /** Null before its first event. */
  readonly started: RunStarted | null;
  readonly pools: readonly PoolEvaluated[];
  readonly found: readonly FindingRecorded[];
  readonly decided: readonly ExpansionDecided[];
  readonly ended: 'completed' | 'failed' | null;
  readonly reviews: ReadonlyMap<string, FindingStatus>;
}

const noRun: RunState = { started: null, pools: [], found: [], decided: [], ended: null, reviews: new Map() };

const reviewed = (state: RunState, finding: string, status: FindingStatus): RunState => ({
  ...state,
  reviews: new Map([...state.reviews, [finding, status]]),
});

const evolveRun = (state: RunState, event: ResearchEvent): RunState => {
  switch (event.type) {
    case 'ResearchRunStarted':
      return { ...state, started: event.data };
    case 'PoolEvaluated':
      return { ...state, pools: [...state.pools, event.data] };
    case 'FindingRecorded':
      return reviewed({ ...state, found: [...state.found, event.data] }, event.data.finding, 'open');
    case 'ExpansionDecided':
      return { ...state, decided: [...state.decided, event.data] };
    case 'ResearchRunCompleted':
      return { ...state, ended: 'completed' };
    case 'ResearchRunFailed':
      return { ...state, ended: 'failed' };
    case 'FindingConfirmed':
      return reviewed(state, event.data.finding, 'confirmed');
    case 'FindingDismissed':
      return reviewed(state, event.data.finding, 'dismissed');
    case 'FindingSuperseded':
      return reviewed(state, event.data.finding, 'superseded');
    case 'ResearchLimitsSet':
      return state;
  }
};

export const runDecider: Decider<RunState, ResearchEvent> = { initial: noRun, evolve: evolveRun };

/** Ends a run that its process did not end. Idempotent. */
export const failRun =
  (at: string, reason: string, detail: string) =>
  ({ started, ended }: RunState): readonly ResearchEvent[] =>
    started === null || ended !== null ? [] : [{ type: 'ResearchRunFailed', data: { at, reason, detail } }];

/** What an operator, or a newer finding, says of a finding. */
export type Review =
  | { readonly status: 'confirmed' | 'dismissed'; readonly reason: string }
  | { readonly status: 'superseded'; readonly reason: string; readonly successor: string };

const reviewEvent = (at: string, finding: string, review: Review): ResearchEvent => {
  const data = { at, finding, reason: review.reason };
  switch (review.status) {
    case 'confirmed':
      return { type: 'FindingConfirmed', data };
    case 'dismissed':
      return { type: 'FindingDismissed', data };
    case 'superseded':
      return { type: 'FindingSuperseded', data: { ...data, successor: review.successor } };
  }
};

/** Reviews a finding of the run. Idempotent; the last review counts. */
export const reviewFinding =
  (at: string, finding: string, review: Review) =>
  ({ reviews }: RunState): readonly ResearchEvent[] => {
    const before = reviews.get(finding);
    return before === undefined || before === review.status ? [] : [reviewEvent(at, finding, review)];
  };

/** Gives findings of the run that are open successors. What an operator said of one stays. @param successors by finding. */
export const supersedeFindings =
  (at: string, successors: ReadonlyMap<string, string>) =>
  ({ reviews }: RunState): readonly ResearchEvent[] =>
    [...successors]
      .filter(([finding]) => reviews.get(finding) === 'open')
      .map(([finding, successor]) =>
        reviewEvent(at, finding, {
          status: 'superseded',
          reason: 'A newer finding says the same.',
          successor,
        }),
      );

/** A decision as its event has it. */
export const decisionEvent = (at: string, { decision, pool, action, tuning }: Decision): ResearchEvent => ({
  type: 'ExpansionDecided',
  data: { at, decision, pool, action, tuning, heir: null },
});
