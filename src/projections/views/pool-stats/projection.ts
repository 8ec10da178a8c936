import { isSource, type Source } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { engineOfStream } from '../../../write/engines.ts';
import { poolOfMembers } from '../../../write/pools/pool.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { upsert } from '../../table/bulk.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import {
  type EngineHourRow,
  engineHourTable,
  HOUR_MS,
  KEPT_HOURS,
  type NewestRow,
  newestTable,
  type PoolHourRow,
  poolHourTable,
  tables,
} from './tables.ts';

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

const keyOf = (name: string, hour: number): string => `${name}\0${hour}`;

const hourOf = (at: string): number => Math.floor(Date.parse(at) / HOUR_MS);

const emptyPool = (pool: string, hour: number): PoolHourRow => ({
  pool,
  hour,
  requests: 0,
  readings: 0,
  errors: 0,
  discovered: 0,
  namers: 0,
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
const countedHour = (at: string, recordedAt: string): number => hourOf(at > recordedAt ? recordedAt : at);

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
      // Before namers were counted, each find counted as an observation of its own.
      namers: row.namers + (work.namers ?? work.discovered),
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

const handlers: Handlers<State> = {
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

const poolHourOf = driverReader(poolHourTable);
const engineHourOf = driverReader(engineHourTable);

interface Key {
  readonly name: string;
  readonly hour: number;
}

interface Keys {
  readonly pools: readonly Key[];
  readonly engines: readonly Key[];
}

const NO_KEYS: Keys = { pools: [], engines: [] };

/** The counters that an event changes. */
const keysOf = (event: AppliedEvent): Keys => {
  const { stream, recorded_at } = event;
  if (event.type === 'CrawlBatchCompleted') {
    const { finished_at, pools } = (event as ProjectedEvent<'CrawlBatchCompleted'>).data;
    const hour = countedHour(finished_at, recorded_at);
    return {
      pools: Object.keys(pools).map((name) => ({ name, hour })),
      engines: [{ name: engineOfStream(stream), hour }],
    };
  }
  if (event.type === 'EngineDegraded') {
    const { at } = (event as ProjectedEvent<'EngineDegraded'>).data;
    return { pools: [], engines: [{ name: engineOfStream(stream), hour: countedHour(at, recorded_at) }] };
  }
  if (event.type === 'MembersRecruited') {
    const { observed_at } = (event as ProjectedEvent<'MembersRecruited'>).data;
    return {
      pools: [{ name: poolOfMembers(stream), hour: countedHour(observed_at, recorded_at) }],
      engines: [],
    };
  }
  return NO_KEYS;
};

/** Each counter once. */
const distinctKeys = (keys: readonly Key[]): readonly Key[] => [
  ...new Map(keys.map((key) => [keyOf(key.name, key.hour), key])).values(),
];

/** Rows of counters by their keys. */
const loadRows = async <Row>(
  db: Queryable,
  table: string,
  column: string,
  keys: readonly Key[],
): Promise<readonly DriverRow<Row>[]> => {
  if (keys.length === 0) return [];
  const { rows } = await db.query<DriverRow<Row>>(sql.named(`load ${table}`)`
    select * from ${ident(table)} where (${raw(column)}, hour) in (select *
      from unnest(${keys.map(({ name }) => name)}::text[], ${keys.map(({ hour }) => hour)}::int[]))`);
  return rows;
};

/** Deletes hours that no comparison has any more, of what a batch changed. */
const deleteOld = async (
  db: Queryable,
  table: string,
  column: string,
  names: readonly string[],
): Promise<void> => {
  if (names.length === 0) return;
  await db.query(sql.named(`forget ${table}`)`
    delete from ${ident(table)} t using (
      select ${raw(column)}, max(hour) as newest from ${ident(table)} where ${raw(column)} = any(${names})
        group by ${raw(column)}
    ) n where t.${raw(column)} = n.${raw(column)} and t.hour < n.newest - ${raw(KEPT_HOURS)}`);
};

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];

const open = (schema: string): Fold => {
  let state = createState();
  return {
    // Rows are not kept between batches, which are a report a minute and engine: old ones are deleted below.
    load: async (db: Queryable, events: readonly AppliedEvent[]) => {
      state = createState();
      const keys = events.map(keysOf);
      const pools = distinctKeys(keys.flatMap((each) => each.pools));
      const engines = distinctKeys(keys.flatMap((each) => each.engines));
      for (const row of (await loadRows<PoolHourRow>(db, `${schema}.pool_hours`, 'pool', pools)).map(
        poolHourOf,
      ))
        state.pools.set(keyOf(row.pool, row.hour), row);
      const found = await loadRows<EngineHourRow>(db, `${schema}.engine_hours`, 'engine', engines);
      for (const row of found.map(engineHourOf)) state.engines.set(keyOf(row.engine, row.hour), row);
    },
    apply: (event) => apply(state, event as ProjectedEvent),
    store: async (db: Queryable) => {
      const pools = [...state.changedPools].map((key) => state.pools.get(key) as PoolHourRow);
      const engines = [...state.changedEngines].map((key) => state.engines.get(key) as EngineHourRow);
      await upsert(db, schema, poolHourTable, pools);
      await upsert(db, schema, engineHourTable, engines);
      if (state.newest !== null) await upsert(db, schema, newestTable, [state.newest]);
      await deleteOld(db, `${schema}.pool_hours`, 'pool', distinct(pools.map(({ pool }) => pool)));
      await deleteOld(db, `${schema}.engine_hours`, 'engine', distinct(engines.map(({ engine }) => engine)));
      state = createState();
    },
    reset: () => {
      state = createState();
    },
  };
};

/**
 * What pools' accounts cost and gave by hour, and what engines did: the figures of research, and of their order in the log, so that all
 * of them are as of one event.
 */
export const poolStats: Projection = {
  name: 'pool_stats',
  version: 2,
  order: 'global',
  types: typesOf(handlers),
  forgets: 'no accounts',
  streamPrefixes: ['engine-', 'members-'],
  parks: ['engine-', 'members-'],
  tables,
  indexes: () => 'select 1',
  open,
};
