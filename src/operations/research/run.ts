import { isoOf } from '../../kernel/clock.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import type { LastFinding } from '../../read/research/open-findings.ts';
import type { EventLog } from '../../write/log/port.ts';
import { decisionEvent, type ExpansionDecided, type FindingRecorded } from '../../write/research/decide.ts';
import type { ResearchEvent } from '../../write/research/events.ts';
import type { Finding } from '../../write/research/findings/judge.ts';
import { findingsOf } from '../../write/research/findings/rules.ts';
import {
  type Decision,
  type DrawnPool,
  decide,
  drawPools,
  POLICY,
} from '../../write/research/policy/policy.ts';
import { countsOf } from './counts.ts';
import { type EvaluatedPool, evaluatePools } from './evaluate.ts';
import { type Finishing, finishRun } from './finish.ts';
import type { Snapshot } from './inputs.ts';
import { newFindings } from './known-findings.ts';
import type { ActiveLimits } from './limits.ts';
import { createRecorder } from './record.ts';

/** What a run rests on. */
export interface RunInputs {
  readonly run: string;
  readonly trigger: 'schedule' | 'operator';
  readonly seed: number;
  readonly limits: ActiveLimits;
  readonly snapshot: Snapshot;
  readonly known: readonly LastFinding[];
  /** Whether the read model that lateness is counted in has all but the last minutes of the log. */
  readonly isFrontierCurrent: boolean;
}

/** A run before it is recorded. */
export interface PlannedRun {
  readonly run: string;
  readonly events: readonly ResearchEvent[];
  readonly decisions: readonly ExpansionDecided[];
  readonly findings: readonly FindingRecorded[];
}

const findingOf = (
  { run, snapshot }: RunInputs,
  { kind, subject, summary, metrics, confidence, evidence }: Finding,
  decisions: ReadonlyMap<string, Decision>,
): FindingRecorded => {
  const isOfYield = kind === 'pool_yield' || kind === 'pool_exhausted';
  const own = isOfYield ? decisions.get(subject) : undefined;
  return {
    at: isoOf(snapshot.nowMs),
    finding: uuidV5(`finding ${run} ${kind} ${subject}`),
    ...{ kind, subject, summary, metrics, confidence },
    decision: own === undefined || own.action === 'hold' ? null : own.decision,
    evidence: [...evidence],
  };
};

const started = ({ run, trigger, seed, limits, snapshot }: RunInputs): ResearchEvent => {
  const { poolStats: pool_stats, ...others } = snapshot.builds;
  return {
    type: 'ResearchRunStarted',
    data: {
      at: isoOf(snapshot.nowMs),
      ...{ run, trigger, seed, policy: POLICY, as_of: snapshot.asOf, builds: { pool_stats, ...others } },
      limits: { ...limits.limits },
      pools: limits.pools === null ? null : [...limits.pools],
      observe_only: limits.observe_only,
      limits_set: limits.set,
    },
  };
};

const evaluated = (
  at: string,
  { pool, platform, figures, draws, evidence, settings }: DrawnPool & EvaluatedPool,
): ResearchEvent => ({
  type: 'PoolEvaluated',
  data: {
    at,
    pool,
    platform: platform as Extract<ResearchEvent, { type: 'PoolEvaluated' }>['data']['platform'],
    figures: { ...figures },
    evidence: [...evidence],
    settings,
    draws: [...draws],
  },
});

/** Everything that a run finds and decides, as its events have it. */
export const planRun = async (log: EventLog, inputs: RunInputs): Promise<PlannedRun> => {
  const { run, seed, limits, snapshot, known, isFrontierCurrent } = inputs;
  const at = isoOf(snapshot.nowMs);
  const pools: readonly EvaluatedPool[] = await evaluatePools(log, snapshot, limits);
  const drawn = drawPools(seed, pools, limits.limits);
  const decisions = decide(run, drawn, limits.limits);
  const byPool = new Map(decisions.map((each) => [each.pool, each]));
  const findings = newFindings(findingsOf(countsOf(snapshot, isFrontierCurrent)), known, snapshot.nowMs).map(
    (each) => findingOf(inputs, each, byPool),
  );
  const decided = decisions.map((each) => decisionEvent(at, each));
  return {
    run,
    findings,
    decisions: decided.map(({ data }) => data as ExpansionDecided),
    events: [
      started(inputs),
      ...drawn.map((pool) => evaluated(at, pool)),
      ...findings.map((data): ResearchEvent => ({ type: 'FindingRecorded', data })),
      ...decided,
    ],
  };
};

/** Records a planned run, does what follows from it, and ends it. */
export const recordRun = async (
  finishing: Finishing,
  { run, events, decisions, findings }: PlannedRun,
  { limits: { observe_only } }: Pick<RunInputs, 'limits'>,
): Promise<{ readonly applied: number }> => {
  const { log, clock } = finishing;
  const recorder = createRecorder(log, run, clock);
  const [first, ...others] = events as readonly [ResearchEvent, ...ResearchEvent[]];
  const since = await recorder.append(first);
  for (const event of others) await recorder.append(event);
  const pools = events.flatMap(({ type, data }) => (type === 'PoolEvaluated' ? data : []));
  const applied = await finishRun(finishing, { found: findings, decisions, pools, since, observe_only });
  const changes = decisions.filter(({ action }) => action !== 'hold').length;
  const data = { at: isoOf(clock()), pools: pools.length, findings: findings.length, decisions: changes };
  await recorder.append({ type: 'ResearchRunCompleted', data });
  return { applied };
};
