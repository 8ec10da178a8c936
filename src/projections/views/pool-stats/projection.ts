import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { engineOfStream } from '../../../write/engines/events.ts';
import { poolOfMembers } from '../../../write/pools/members.ts';
import {
  type AppliedEvent,
  type Fold,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { upsert } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import { apply, countedHour, createState, handlers, keyOf } from './state.ts';
import {
  type EngineHourRow,
  engineHourTable,
  KEPT_HOURS,
  newestTable,
  type PoolHourRow,
  poolHourTable,
  tables,
} from './tables.ts';

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
  version: 1,
  order: 'global',
  types: typesOf(handlers),
  streamPrefixes: ['engine-', 'members-'],
  parks: ['engine-', 'members-'],
  tables,
  indexes: () => 'select 1',
  open,
};
