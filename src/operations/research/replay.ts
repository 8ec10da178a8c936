import { OperatorError } from '../../kernel/errors.ts';
import type { ProjectedEvent } from '../../projections/projection.ts';
import { apply, createState, poolStats } from '../../projections/views/pool-stats/projection.ts';
import { HOUR_MS, type PoolHourRow } from '../../projections/views/pool-stats/tables.ts';
import type { EventLog } from '../../write/log/port.ts';
import { positionAtTime } from '../../write/position-at-time.ts';
import { judge } from '../../write/research/findings.ts';
import {
  type DrawnPool,
  decide,
  drawPools,
  evidenceOf,
  type Figures,
  hoursThatCount,
  type Limits,
  POLICY,
  withPriors,
} from '../../write/research/policy.ts';
import {
  decisionEvent,
  LIMITS_STREAM,
  limitsSchema,
  mayChangeOf,
  type ResearchEvent,
  type RunStarted,
  type RunState,
} from '../../write/research/research.ts';
import type { OperationsContext } from '../context.ts';
import { readRun } from './finish.ts';
import { evidenceHours, readSettingsAt } from './inputs.ts';
import { limitsOf } from './limits.ts';

/** The result of a replay. */
export interface Replay {
  readonly run: string;
  /** Decisions and findings as lines of JSON: those of the run's events, and those that its inputs lead to. */
  readonly recorded: string;
  readonly replayed: string;
  /** Inputs that the seed or the log does not confirm: draws, figures, settings, limits. */
  readonly differing: readonly string[];
}

/**
 * Decides a run again from its recorded figures, draws and limits, and compares these with the log and the seed. An
 * interrupted run is compared as far as it got.
 * @throws {OperatorError} `research_unknown`, `policy_unknown`
 */
export const replayRun = async ({ log }: Pick<OperationsContext, 'log'>, run: string): Promise<Replay> => {
  const { state, events } = await readRun(log, run);
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
    differing: await differingInputs(log, inputs, events),
  };
};

export interface RecordedPool extends DrawnPool {
  /** The pool's event that its settings are as of; null if the log has none. */
  readonly settings: string | null;
}

/** The inputs from which a run's decisions follow. */
export interface Inputs {
  readonly started: RunStarted;
  readonly limits: Limits;
  readonly pools: readonly RecordedPool[];
}

/** Inputs that the seed or the log does not confirm. @param events the events of the run. */
export const differingInputs = async (
  log: EventLog,
  inputs: Inputs,
  events: readonly ResearchEvent[],
): Promise<readonly string[]> => [
  ...differingPools(inputs, events),
  ...differingDraws(inputs),
  ...differingPriors(inputs, events),
  ...(await differingLimits(log, inputs)),
  ...(await differingSettings(log, inputs)),
  ...(await differingFigures(log, inputs)),
];

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
  'namers',
  'prior',
  'may_change',
] as const satisfies readonly (keyof Figures)[];

/** Figures as the policy takes them; the name of one that is missing otherwise. */
const figuresOf = (figures: Readonly<Record<string, number | null>>): Figures | string => {
  const missing = FIGURES.find((name) => typeof figures[name] !== 'number');
  return missing ?? ({ ...figures, accounts: figures.accounts ?? null } as unknown as Figures);
};

/** @returns the inputs of a run, or what is wrong with them. */
const inputsOf = ({ started, pools }: RunState): Inputs | readonly string[] => {
  if (started === null) return ['the run has not started'];
  const limits = limitsSchema.safeParse(started.limits);
  if (!limits.success) return [`limits: ${limits.error.issues[0]?.path.join('.')}`];
  const drawn: RecordedPool[] = [];
  for (const { pool, platform, figures, draws, settings } of pools) {
    const parsed = figuresOf(figures);
    if (typeof parsed === 'string') return [`figure ${parsed} of ${pool}`];
    drawn.push({ pool, platform, figures: parsed, draws, settings });
  }
  return { started, limits: limits.data, pools: drawn };
};

/** The decisions that follow from the recorded draws, whether or not the seed leads to these. */
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

/** A value with its fields sorted, since a log may not keep their order. */
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

/** Values by name that are not the recorded ones. */
const differing = (
  recorded: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string,
): readonly string[] =>
  Object.entries(found)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(recorded[name]))
    .map(
      ([name, value]) =>
        `${nameOf(name)}: recorded ${JSON.stringify(recorded[name])}, the log gives ${JSON.stringify(value)}`,
    );

/** Counters by pool from an hour on, as of an event; null if the log has no such event after a position. */
const countersUntil = async (
  log: EventLog,
  asOf: string,
  after: bigint,
  first: number,
): Promise<ReadonlyMap<string, readonly PoolHourRow[]> | null> => {
  const state = createState();
  const { types, streamPrefixes = [] } = poolStats;
  for await (const page of log.readAll(after, { types, streamPrefixes })) {
    for (const event of page.events) {
      apply(state, event as ProjectedEvent);
      if (event.id !== asOf) continue;
      const counted = [...state.pools.values()].filter(({ hour }) => hour >= first);
      return Map.groupBy(
        counted.toSorted((a, b) => a.hour - b.hour),
        ({ pool }) => pool,
      );
    }
  }
  return null;
};

/** Evidence that the log does not lead to. */
const differingFigures = async (
  log: EventLog,
  { started, limits, pools }: Inputs,
): Promise<readonly string[]> => {
  if (started.as_of === null) return [];
  const nowMs = Date.parse(started.at);
  const now = Math.floor(nowMs / HOUR_MS);
  const first = now - hoursThatCount(limits.half_life_h);
  // What was recorded before counts in earlier hours. The event may be older than all hours that count.
  const after = await positionAtTime(log, first * HOUR_MS);
  const counters =
    (await countersUntil(log, started.as_of, after, first)) ??
    (await countersUntil(log, started.as_of, 0n, first));
  if (counters === null) return ['as_of: the log has no such event'];
  return pools.flatMap(({ pool, figures }) => {
    const hours = evidenceHours(counters.get(pool) ?? [], nowMs, limits.half_life_h);
    const found = evidenceOf(hours, now, limits.half_life_h);
    return differing({ ...figures }, { ...found }, (name) => `figure ${name} of ${pool}`);
  });
};

/** Settings that the pools' streams do not lead to, and pools that the run might change or not. */
const differingSettings = async (log: EventLog, { started, pools }: Inputs): Promise<readonly string[]> => {
  const mayChange = mayChangeOf(started);
  const found: string[] = [];
  for (const { pool, figures, settings } of pools) {
    const may_change = mayChange(pool) ? 1 : 0;
    const at = settings === null ? {} : await readSettingsAt(log, pool, settings, Date.parse(started.at));
    if (at === null) found.push(`settings of ${pool}: the log has no such event`);
    found.push(...differing({ ...figures }, { ...at, may_change }, (name) => `figure ${name} of ${pool}`));
  }
  return found;
};

/** Limits that are not those of the event that set them. */
const differingLimits = async (log: EventLog, { started }: Inputs): Promise<readonly string[]> => {
  const { limits_set } = started;
  const events = limits_set === null ? [] : await log.readStream(LIMITS_STREAM);
  const event = events.find(({ id }) => id === limits_set);
  if (limits_set !== null && event === undefined) return ['limits: the log has no such event'];
  const { limits, pools, observe_only } = limitsOf(event);
  return [
    ...differing(started.limits, { ...limits }, (name) => `limit ${name}`),
    ...differing(started, { pools, observe_only }, (name) => `limit ${name}`),
  ];
};

const differingDraws = ({ started, limits, pools }: Inputs): readonly string[] => {
  const drawn = drawPools(started.seed, pools, limits);
  return pools.flatMap(({ pool, draws }, n) =>
    JSON.stringify(draws) === JSON.stringify(drawn[n]?.draws) ? [] : [`draws of ${pool}`],
  );
};

/** Priors follow from the figures of all pools of a platform, which a run has recorded once it decides. */
const differingPriors = ({ pools }: Inputs, events: readonly ResearchEvent[]): readonly string[] =>
  events.some(({ type }) => type === 'ExpansionDecided')
    ? withPriors(pools).flatMap(({ pool, figures }, n) =>
        figures.prior === pools[n]?.figures.prior ? [] : [`figure prior of ${pool}`],
      )
    : [];

/** Pools of a run that has ended by itself, which are as many as it evaluated. */
const differingPools = ({ pools }: Inputs, events: readonly ResearchEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'ResearchRunCompleted' && event.data.pools !== pools.length
      ? [`pools: ${event.data.pools} were evaluated, the log has ${pools.length}`]
      : [],
  );
