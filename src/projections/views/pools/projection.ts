import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { poolOf, TUNABLE } from '../../../write/pools/pool.ts';
import {
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { upsert } from '../../table/bulk.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import { type PoolRow, poolTable, tables } from './tables.ts';

interface State {
  readonly pools: Map<string, PoolRow>;
}

type Change = Extract<ProjectedEvent, { readonly stream: string }> & {
  readonly data: { readonly at: string };
};

/** Changes a pool. Events of an unknown one are ignored. */
const change = ({ pools }: State, { stream, position, data }: Change, changes: Partial<PoolRow>): void => {
  const row = pools.get(poolOf(stream));
  if (row === undefined) return;
  pools.set(row.pool, { ...row, ...changes, changed_at: data.at, changed: String(position) });
};

/** The settings that an event has; those left out stay. */
const settingsOf = (data: object): Partial<PoolRow> =>
  Object.fromEntries(Object.entries(data).filter(([name]) => TUNABLE.some((each) => each === name)));

const handlers: Handlers<State> = {
  PoolCreated: ({ pools }, { position, data }) => {
    const { at, pool, platform, rule, seeds, depth, sources } = data;
    const { share, size_cap, schedule, min_holders } = data;
    const { refresh, refresh_min_s, refresh_max_s, refresh_factor } = data;
    const { refresh_threshold, requests_per_day } = data;
    pools.set(pool, {
      ...{ pool, platform, rule, seeds: seeds?.count ?? null, depth, sources },
      ...{ share, refresh, refresh_min_s, refresh_max_s, refresh_factor },
      ...{ refresh_threshold, requests_per_day },
      ...{ size_cap, schedule, min_holders },
      ...{ paused: false, why: null, retired_at: null, heir: null },
      ...{ created_at: at, changed_at: at, changed: String(position) },
    });
  },
  PoolTuned: (state, event) => change(state, event, settingsOf(event.data)),
  PoolExpanded: (state, event) => change(state, event, settingsOf(event.data)),
  PoolPaused: (state, event) => change(state, event, { paused: true, why: event.data.why }),
  PoolResumed: (state, event) => change(state, event, { paused: false, why: null }),
  PoolRetired: (state, event) => {
    const { at, why, heir } = event.data;
    change(state, event, { retired_at: at, why, heir });
  },
  PoolReopened: (state, event) => change(state, event, { retired_at: null, why: null, heir: null }),
};

const apply = dispatch(handlers);
const poolOfRow = driverReader(poolTable);

const open = (schema: string): Fold => {
  const state: State = { pools: new Map() };
  const reset = () => state.pools.clear();
  return {
    load: async (db: Queryable, events) => {
      reset();
      const { rows } = await db.query<DriverRow<PoolRow>>(sql`
        select * from ${ident(schema)}.pools
          where pool = any(${[...new Set(events.map(({ stream }) => poolOf(stream)))]})`);
      for (const row of rows.map(poolOfRow)) state.pools.set(row.pool, row);
    },
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      await upsert(db, schema, poolTable, [...state.pools.values()]);
      reset();
    },
    reset,
  };
};

/**
 * Pools and their settings, for crawlers and operators: of its own, so that a change takes effect while the schedule
 * lags.
 */
export const pools: Projection = {
  name: 'pools',
  version: 2,
  order: 'global',
  types: typesOf(handlers),
  forgets: 'no accounts',
  streamPrefixes: ['pool-'],
  tables,
  indexes: () => 'select 1',
  open,
};
