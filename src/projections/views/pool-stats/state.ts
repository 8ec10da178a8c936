import { isSource, type Source } from '../../../kernel/source.ts';
import { engineOfStream } from '../../../write/engines/events.ts';
import { poolOfMembers } from '../../../write/pools/members.ts';
import { dispatch, type Handlers, type ProjectedEvent } from '../../projection.ts';
import { type EngineHourRow, HOUR_MS, type NewestRow, type PoolHourRow } from './tables.ts';

/** Counters by key and hour, those that changed, and the last event. */
export interface State {
  readonly pools: Map<string, PoolHourRow>;
  readonly engines: Map<string, EngineHourRow>;
  readonly changedPools: Set<string>;
  readonly changedEngines: Set<string>;
  newest: NewestRow | null;
}

export const createState = (): State => ({
  pools: new Map(),
  engines: new Map(),
  changedPools: new Set(),
  changedEngines: new Set(),
  newest: null,
});

export const keyOf = (name: string, hour: number): string => `${name}\0${hour}`;

const hourOf = (at: string): number => Math.floor(Date.parse(at) / HOUR_MS);

const emptyPool = (pool: string, hour: number): PoolHourRow => ({
  pool,
  hour,
  requests: 0,
  readings: 0,
  errors: 0,
  discovered: 0,
  recruited: 0,
  demanded: 0,
  first_report: null,
  last_report: null,
  last_demand: null,
});

const emptyEngine = (engine: Source, hour: number): EngineHourRow => ({
  engine,
  hour,
  readings: 0,
  errors: 0,
  alarms: 0,
  last_alarm: null,
  first_report: null,
  last_report: null,
});

const changePool = (
  { pools, changedPools }: State,
  pool: string,
  hour: number,
  change: (row: PoolHourRow) => Partial<PoolHourRow>,
): void => {
  const key = keyOf(pool, hour);
  const row = pools.get(key) ?? emptyPool(pool, hour);
  pools.set(key, { ...row, ...change(row) });
  changedPools.add(key);
};

const changeEngine = (
  { engines, changedEngines }: State,
  engine: string,
  hour: number,
  change: (row: EngineHourRow) => Partial<EngineHourRow>,
): void => {
  if (!isSource(engine)) return;
  const key = keyOf(engine, hour);
  const row = engines.get(key) ?? emptyEngine(engine, hour);
  engines.set(key, { ...row, ...change(row) });
  changedEngines.add(key);
};

/** The hour of an instant; of a worker whose clock is ahead, when the log recorded it. */
export const countedHour = (at: string, recordedAt: string): number =>
  hourOf(at > recordedAt ? recordedAt : at);

const UNKNOWN = 'unknown:';

const report = (
  state: State,
  { id, stream, recorded_at, data }: ProjectedEvent<'CrawlBatchCompleted'>,
): void => {
  const hour = countedHour(data.finished_at, recorded_at);
  const named = (row: Pick<PoolHourRow, 'first_report'>) => ({
    first_report: row.first_report ?? id,
    last_report: id,
  });
  for (const [pool, work] of Object.entries(data.pools)) {
    changePool(state, pool, hour, (row) => ({
      requests: row.requests + work.requests,
      readings: row.readings + work.readings,
      errors: row.errors + work.errors,
      discovered: row.discovered + work.discovered,
      ...named(row),
    }));
  }
  const outcomes = Object.entries(data.outcomes);
  const sum = (some: typeof outcomes) => some.reduce((total, [, n]) => total + n, 0);
  changeEngine(state, engineOfStream(stream), hour, (row) => ({
    readings: row.readings + sum(outcomes),
    errors: row.errors + sum(outcomes.filter(([outcome]) => outcome.startsWith(UNKNOWN))),
    ...named(row),
  }));
};

export const handlers: Handlers<State> = {
  CrawlBatchCompleted: report,
  EngineDegraded: (state, { id, stream, recorded_at, data }) =>
    changeEngine(state, engineOfStream(stream), countedHour(data.at, recorded_at), (row) => ({
      alarms: row.alarms + 1,
      last_alarm: id,
    })),
  MembersRecruited: (state, { id, stream, recorded_at, data }) => {
    const demanded = data.members.filter(({ via }) => via === 'demand').length;
    const hour = countedHour(data.observed_at, recorded_at);
    changePool(state, poolOfMembers(stream), hour, (row) => ({
      recruited: row.recruited + data.members.length,
      demanded: row.demanded + demanded,
      last_demand: demanded > 0 ? id : row.last_demand,
    }));
  },
};

const applyTyped = dispatch(handlers);

/** Counts an event. It is the last one then. */
export const apply = (state: State, event: ProjectedEvent): void => {
  applyTyped(state, event);
  const { id, position, recorded_at } = event;
  state.newest = { one: 'newest', event: id, position: String(position), recorded_at };
};
