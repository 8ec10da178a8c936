import { isoOf } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { uuidV5, uuidV7 } from '../../kernel/ids.ts';
import type { LastFinding } from '../../read/research/open-findings.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog, NewEvent } from '../../write/log/port.ts';
import {
  decisionEvent,
  type ExpansionDecided,
  type FindingRecorded,
  reviewFinding,
  runDecider,
} from '../../write/research/decide.ts';
import { type ResearchEvent, researchStream } from '../../write/research/events.ts';
import { findingsOf } from '../../write/research/findings/rules.ts';
import type { RunLimits } from '../../write/research/limits.ts';
import {
  type Decision,
  type DrawnPool,
  decide,
  drawPools,
  POLICY,
} from '../../write/research/policy/policy.ts';
import { applyDecisions } from './apply-decisions.ts';
import { countsOf } from './counts.ts';
import { type EvaluatedPool, evaluatePools } from './evaluate.ts';
import type { Snapshot } from './inputs.ts';
import { type NewFinding, newFindings } from './known-findings.ts';

/** What a run rests on. */
export interface RunInputs {
  readonly run: string;
  readonly trigger: 'schedule' | 'operator';
  readonly seed: number;
  readonly limits: RunLimits;
  readonly snapshot: Snapshot;
  readonly known: readonly LastFinding[];
}

/** A run before it is recorded. */
export interface PlannedRun {
  readonly run: string;
  readonly events: readonly ResearchEvent[];
  readonly decisions: readonly ExpansionDecided[];
  readonly findings: readonly FindingRecorded[];
  readonly superseded: readonly { readonly old: LastFinding; readonly by: string }[];
}

const findingOf = (
  { run, snapshot }: RunInputs,
  { finding }: NewFinding,
  decisions: readonly Decision[],
): FindingRecorded => {
  const { kind, subject, summary, metrics, confidence, evidence } = finding;
  const isOfYield = kind === 'pool_yield' || kind === 'pool_exhausted';
  const own = decisions.find(({ pool, action }) => isOfYield && pool === subject && action !== 'hold');
  return {
    at: isoOf(snapshot.nowMs),
    finding: uuidV5(`finding ${run} ${kind} ${subject}`),
    ...{ kind, subject, summary, metrics, confidence },
    decision: own?.decision ?? null,
    evidence: [...evidence],
  };
};

const started = ({ run, trigger, seed, limits, snapshot }: RunInputs): ResearchEvent => ({
  type: 'ResearchRunStarted',
  data: {
    at: isoOf(snapshot.nowMs),
    ...{ run, trigger, seed, policy: POLICY, as_of: snapshot.asOf },
    limits: { ...limits.limits },
    pools: limits.pools === null ? null : [...limits.pools],
    observe_only: limits.observe_only,
  },
});

const evaluated = (
  at: string,
  { pool, platform, figures, draws, evidence }: DrawnPool & EvaluatedPool,
): ResearchEvent => ({
  type: 'PoolEvaluated',
  data: {
    at,
    pool,
    platform: platform as Extract<ResearchEvent, { type: 'PoolEvaluated' }>['data']['platform'],
    figures: { ...figures },
    evidence: [...evidence],
    draws: [...draws],
  },
});

/** Everything that a run finds and decides, as its events have it. */
export const planRun = async (log: EventLog, inputs: RunInputs): Promise<PlannedRun> => {
  const { run, seed, limits, snapshot, known } = inputs;
  const at = isoOf(snapshot.nowMs);
  const pools: readonly EvaluatedPool[] = await evaluatePools(log, snapshot, limits);
  const drawn = drawPools(seed, pools, limits.limits);
  const decisions = decide(run, drawn, limits.limits);
  const fresh = newFindings(findingsOf(countsOf(snapshot)), known, snapshot.nowMs);
  const findings = fresh.map((each) => findingOf(inputs, each, decisions));
  const decided = decisions.map((each) => decisionEvent(at, each));
  return {
    run,
    findings,
    decisions: decided.map(({ data }) => data as ExpansionDecided),
    superseded: fresh.flatMap(({ supersedes }, n) =>
      supersedes === null ? [] : [{ old: supersedes, by: (findings[n] as FindingRecorded).finding }],
    ),
    events: [
      started(inputs),
      ...drawn.map((pool) => evaluated(at, pool)),
      ...findings.map((data): ResearchEvent => ({ type: 'FindingRecorded', data })),
      ...decided,
    ],
  };
};

/** Appends events of a run one by one: what is recorded is never more than what the process came to. */
const record = async (
  log: EventLog,
  run: string,
  events: readonly ResearchEvent[],
  nowMs: number,
  from: bigint,
) => {
  let revision = from;
  for (const { type, data } of events) {
    const event: NewEvent = { id: uuidV7(nowMs), type, data };
    const outcome = await log.append(researchStream(run), [event], revision < 0n ? 'no_stream' : revision);
    if (outcome.status === 'conflict')
      throw new OperatorError('research_run_ended', `The run ${run} was ended by another process.`);
    revision = outcome.revision;
  }
  return revision;
};

/** Records a planned run, carries out what it decided unless runs only observe, and ends it. */
export const recordRun = async (
  log: EventLog,
  { run, events, decisions, findings, superseded }: PlannedRun,
  { limits, snapshot: { nowMs } }: Pick<RunInputs, 'limits' | 'snapshot'>,
): Promise<{ readonly applied: number }> => {
  const at = isoOf(nowMs);
  const revision = await record(log, run, events, nowMs, -1n);
  for (const { old, by } of superseded) {
    const review = { status: 'superseded', reason: 'A newer finding says the same.', successor: by } as const;
    await handleCommand(log, runDecider, researchStream(old.run), reviewFinding(at, old.id, review), {
      nowMs,
    });
  }
  const applied = limits.observe_only ? 0 : await applyDecisions(log, decisions, nowMs);
  const pools = events.filter(({ type }) => type === 'PoolEvaluated').length;
  const changes = decisions.filter(({ action }) => action !== 'hold').length;
  const data = { at, pools, findings: findings.length, decisions: changes };
  await record(log, run, [{ type: 'ResearchRunCompleted', data }], nowMs, revision);
  return { applied };
};
