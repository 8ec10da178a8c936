import type { ProjectedEvent } from '../../projections/projection.ts';
import { apply, createState, poolStats } from '../../projections/views/pool-stats/projection.ts';
import { HOUR_MS, type PoolHourRow } from '../../projections/views/pool-stats/tables.ts';
import type { EventLog } from '../../write/log/port.ts';
import { positionAtTime } from '../../write/position-at-time.ts';
import {
  type DrawnPool,
  drawPools,
  evidenceOf,
  hoursThatCount,
  type Limits,
  withPriors,
} from '../../write/research/policy.ts';
import type { RunStarted } from '../../write/research/research.ts';
import { LIMITS_STREAM, mayChangeOf, type ResearchEvent } from '../../write/research/research.ts';
import { evidenceHours } from './evaluate.ts';
import { limitsOf } from './limits.ts';
import { readSettingsAt } from './pool-history.ts';

export interface RecordedPool extends DrawnPool {
  /** The pool's event that its settings are as of; null if the log has none. */
  readonly settings: string | null;
}

/** What decisions of a run follow from. */
export interface Inputs {
  readonly started: RunStarted;
  readonly limits: Limits;
  readonly pools: readonly RecordedPool[];
}

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

/** Inputs that the seed or the log does not give. @param events of the run. */
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
