import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { ProjectedEvent } from '../../projections/projection.ts';
import { poolStats } from '../../projections/views/pool-stats/projection.ts';
import { apply, createState } from '../../projections/views/pool-stats/state.ts';
import { HOUR_MS, type PoolHourRow } from '../../projections/views/pool-stats/tables.ts';
import type { EventLog } from '../../write/log/port.ts';
import { decisionEvent, type RunStarted, type RunState } from '../../write/research/decide.ts';
import { judge } from '../../write/research/findings/judge.ts';
import { limitsSchema } from '../../write/research/limits.ts';
import { evidenceOf } from '../../write/research/policy/evidence.ts';
import {
  type DrawnPool,
  decide,
  drawPools,
  type Figures,
  type Limits,
  POLICY,
  withPriors,
} from '../../write/research/policy/policy.ts';
import type { OperationsContext } from '../context.ts';
import { evidenceHours } from './evaluate.ts';
import { readRun } from './unfinished-runs.ts';

/** What a replay found out. */
export interface Replay {
  readonly run: string;
  /** Decisions and findings as lines of JSON: those of the run's events, and those that its inputs lead to. */
  readonly recorded: string;
  readonly replayed: string;
  /** Inputs that are not those of the run: draws, figures, limits, policy. Empty if all are. */
  readonly differing: readonly string[];
}

const linesOf = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

const FIGURES = [
  'share',
  'share_least',
  'share_greatest',
  'size_cap',
  'size_cap_least',
  'requests',
  'discovered',
  'prior',
  'may_change',
] as const satisfies readonly (keyof Figures)[];

/** Figures as the policy takes them; the name of one that is missing otherwise. */
const figuresOf = (figures: Readonly<Record<string, number | null>>): Figures | string => {
  const missing = FIGURES.find((name) => typeof figures[name] !== 'number');
  return missing ?? ({ ...figures, accounts: figures.accounts ?? null } as unknown as Figures);
};

interface Inputs {
  readonly started: RunStarted;
  readonly limits: Limits;
  readonly pools: readonly DrawnPool[];
}

/** @returns the inputs of a run, or what is wrong with them. */
const inputsOf = ({ started, pools }: RunState): Inputs | readonly string[] => {
  if (started === null) return ['the run has not started'];
  const limits = limitsSchema.safeParse(started.limits);
  if (!limits.success) return [`limits: ${limits.error.issues[0]?.path.join('.')}`];
  const drawn: DrawnPool[] = [];
  for (const { pool, platform, figures, draws } of pools) {
    const parsed = figuresOf(figures);
    if (typeof parsed === 'string') return [`figure ${parsed} of ${pool}`];
    drawn.push({ pool, platform, figures: parsed, draws });
  }
  return { started, limits: limits.data, pools: drawn };
};

/** Counters of the log up to the event that a run's figures contain; null if the log does not have it. */
const hoursUntil = async (log: EventLog, asOf: string): Promise<readonly PoolHourRow[] | null> => {
  const state = createState();
  const { types, streamPrefixes = [] } = poolStats;
  for await (const page of log.readAll(0n, { types, streamPrefixes })) {
    for (const event of page.events) {
      apply(state, event as ProjectedEvent);
      if (event.id === asOf) return [...state.pools.values()].toSorted((a, b) => a.hour - b.hour);
    }
  }
  return null;
};

/** Figures that the log does not lead to. */
const differingFigures = async (
  log: EventLog,
  { started, limits, pools }: Inputs,
): Promise<readonly string[]> => {
  if (started.as_of === null) return [];
  const hours = await hoursUntil(log, started.as_of);
  if (hours === null) return ['as_of: the log has no such event'];
  const nowMs = Date.parse(started.at);
  return pools.flatMap(({ pool, figures }) => {
    const own = evidenceHours(
      hours.filter((row) => row.pool === pool),
      nowMs,
      limits.half_life_h,
    );
    const found = evidenceOf(own, Math.floor(nowMs / HOUR_MS), limits.half_life_h);
    return (['requests', 'discovered'] as const)
      .filter((name) => found[name] !== figures[name])
      .map((name) => `figure ${name} of ${pool}: recorded ${figures[name]}, the log gives ${found[name]}`);
  });
};

const differingDraws = ({ started, limits, pools }: Inputs): readonly string[] => {
  const drawn = drawPools(started.seed, pools, limits);
  return pools.flatMap(({ pool, draws }, n) =>
    JSON.stringify(draws) === JSON.stringify(drawn[n]?.draws) ? [] : [`draws of ${pool}`],
  );
};

/** Priors follow from the figures of all pools of a platform, which a run has recorded once it decides. */
const differingPriors = ({ pools }: Inputs, { decided }: RunState): readonly string[] =>
  decided.length === 0
    ? []
    : withPriors(pools).flatMap(({ pool, figures }, n) =>
        figures.prior === pools[n]?.figures.prior ? [] : [`figure prior of ${pool}`],
      );

/** Decisions follow from the recorded draws, which are what counts, whether the seed leads to them or not. */
const decisionsOf = ({ started, limits, pools }: Inputs) =>
  decide(started.run, pools, limits).map((each) => decisionEvent(started.at, each).data);

/** Findings follow from their recorded metrics. */
const findingsOf = ({ found }: RunState) =>
  found.map(({ kind, subject, metrics, evidence, ...rest }) => {
    const judged = judge({ kind, subject, metrics, evidence });
    return {
      ...rest,
      kind,
      subject,
      metrics,
      evidence,
      summary: judged?.summary,
      confidence: judged?.confidence,
    };
  });

/** The same order of fields, whatever the order that a log keeps. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, item]) => [name, sorted(item)]),
        )
      : value;

const canonical = (events: readonly object[]): string =>
  linesOf(events.map((event) => sorted(event) as object));

/**
 * Decides a run again from its recorded figures, draws and limits, and compares these with the log and the seed. A run that was interrupted is
 * compared as far as it came.
 * @throws {OperatorError} `research_unknown`, `policy_unknown`
 */
export const replayRun = async ({ log }: Pick<OperationsContext, 'log'>, run: string): Promise<Replay> => {
  const { state } = await readRun(log, run);
  if (state.started === null) throw new OperatorError('research_unknown', `There is no run ${run}.`);
  if (state.started.policy !== POLICY)
    throw new OperatorError(
      'policy_unknown',
      `The run followed the policy ${state.started.policy}; this program has ${POLICY}. Replay it with the version that ran it.`,
    );
  const inputs = inputsOf(state);
  const recorded = canonical([...state.found, ...state.decided]);
  if (!('pools' in inputs)) return { run, recorded, replayed: '', differing: inputs };
  const decisions = state.decided.length === 0 ? [] : decisionsOf(inputs).slice(0, state.decided.length);
  return {
    run,
    recorded,
    replayed: canonical([...findingsOf(state), ...decisions]),
    differing: [
      ...differingDraws(inputs),
      ...differingPriors(inputs, state),
      ...(await differingFigures(log, inputs)),
    ],
  };
};
