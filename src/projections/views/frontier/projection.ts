import { createHash } from 'node:crypto';
import { versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { accountOf, accountStream } from '../../../write/accounts/events.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import { poolOf } from '../../../write/pools/events.ts';
import { poolOfMembers } from '../../../write/pools/members.ts';
import { platformOf } from '../../../write/stream-platform.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { pairCondition, sums, upserts, writeAll } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import { clearSlots, moveSlots, noSlots, type Slots, slotWrites } from './slots.ts';
import { type DueRow, dueTable, indexes, memberTable, type PoolRow, poolTable, tables } from './tables.ts';

interface State {
  readonly pools: Map<string, PoolRow>;
  readonly rows: Map<string, DueRow>;
  readonly changedPools: Set<string>;
  readonly changed: Set<string>;
  /** New members by the pool that recruited them. */
  readonly members: Map<string, number>;
  /** Accounts by the pool that reads them. */
  readonly sizes: Map<string, number>;
  readonly slots: Slots;
}

const createState = (): State => ({
  pools: new Map(),
  rows: new Map(),
  changedPools: new Set(),
  changed: new Set(),
  members: new Map(),
  sizes: new Map(),
  slots: noSlots(),
});

/** Whether an event of a pool is the writer's: that of the pool's platform keeps the pool. */
const isOwnPool = ({ platform }: AppliedEvent, pool: Pick<PoolRow, 'platform'>): boolean =>
  platform === undefined || platform === pool.platform;

/** The pool that reads a pool's accounts: itself, or the heir of a retired one. */
const readerOf = (state: State, name: string): string => {
  const passed = new Set<string>();
  let at = name;
  for (let heir = state.pools.get(at)?.heir; heir != null && !passed.has(heir); ) {
    passed.add(at);
    at = heir;
    heir = state.pools.get(at)?.heir;
  }
  return at;
};

/** The pool that reads an account, as its platform's writer knows it; a pool of another platform is unknown there. */
const poolFor = (state: State, stream: string, name: string): PoolRow | undefined => {
  const pool = state.pools.get(readerOf(state, name));
  return pool?.platform === accountOf(stream).platform ? pool : undefined;
};

const grow = (sizes: Map<string, number>, pool: string, n: number): void => {
  sizes.set(pool, (sizes.get(pool) ?? 0) + n);
};

const putPool = (state: State, row: PoolRow): void => {
  state.pools.set(row.pool, row);
  state.changedPools.add(row.pool);
};

const putDue = (state: State, stream: string, row: DueRow): void => {
  moveSlots(state.slots, state.rows.get(stream), row);
  state.rows.set(stream, row);
  state.changed.add(stream);
};

type PoolChange = { readonly [Name in keyof PoolRow]?: PoolRow[Name] | undefined };

/** Settings left out stay. */
const changePool = (state: State, event: AppliedEvent, change: PoolChange): void => {
  const pool = state.pools.get(poolOf(event.stream));
  if (pool === undefined || !isOwnPool(event, pool)) return;
  putPool(state, {
    ...pool,
    share: change.share ?? pool.share,
    refresh: change.refresh ?? pool.refresh,
    refresh_min_s: change.refresh_min_s ?? pool.refresh_min_s,
    refresh_max_s: change.refresh_max_s ?? pool.refresh_max_s,
    refresh_factor: change.refresh_factor ?? pool.refresh_factor,
    size_cap: change.size_cap ?? pool.size_cap,
    paused: change.paused ?? pool.paused,
    heir: change.heir ?? pool.heir,
  });
};

const SECOND = 1_000;
/** Later than events can be; Postgres takes no year beyond 9999 in this form. */
const LAST_DUE = Date.UTC(2200, 0, 1);

/** Jitter of ±10 % derived from the stream, so that accounts read together are not due together again. */
const spread = (stream: string): number =>
  0.9 + (createHash('sha1').update(stream).digest().readUInt16BE(0) / 65_536) * 0.2;

/**
 * Adapts an account's interval: halved if it changed, times 1.5 if not, within its pool's bounds. A pool with a fixed
 * interval does not adapt it.
 */
const next = (
  state: State,
  event: RecordedEvent & { data: { observed_at: string } },
  changed: boolean | null,
): void => {
  const row = state.rows.get(event.stream);
  const { observed_at } = event.data;
  // Not recruited by a pool: no refresh is scheduled.
  if (row === undefined || (row.observed_at !== null && observed_at < row.observed_at)) return;
  const pool = poolFor(state, event.stream, row.pool);
  const min = pool?.refresh_min_s ?? row.interval_s;
  const max = pool?.refresh === 'fixed' ? min : (pool?.refresh_max_s ?? row.interval_s);
  const desired = changed === null ? max : changed ? row.interval_s / 2 : row.interval_s * 1.5;
  const interval = Math.round(Math.min(max, Math.max(min, desired)));
  const due =
    Date.parse(observed_at) + interval * (pool?.refresh_factor ?? 1) * SECOND * spread(event.stream);
  putDue(state, event.stream, {
    ...row,
    interval_s: interval,
    due_at: new Date(Math.min(due, LAST_DUE)).toISOString(),
    observed_at,
  });
};

interface Recruit {
  readonly pool: string;
  readonly observed_at: string;
  readonly depth: number | null;
}

/**
 * Adds an account to its pool, due at once. An account that has a pool stays in it, and a pool takes none beyond its
 * cap: the order of the log decides, however many processes recruit.
 */
const recruit = (
  state: State,
  stream: string,
  { position }: RecordedEvent,
  { pool, observed_at, depth }: Recruit,
): void => {
  if (state.rows.has(stream)) return;
  const settings = poolFor(state, stream, pool);
  const reader = settings?.pool ?? pool;
  if ((state.sizes.get(reader) ?? 0) >= (settings?.size_cap ?? Number.POSITIVE_INFINITY)) return;
  putDue(state, stream, {
    ...accountOf(stream),
    pool,
    depth,
    recruited: String(position),
    due_at: observed_at,
    interval_s: settings?.refresh_min_s ?? 86_400,
    observed_at: null,
  });
  grow(state.members, pool, 1);
  grow(state.sizes, reader, 1);
};

/** Streams of the accounts that a pool recruited, in the order of its members. */
const membersOf = ({ stream, data }: ProjectedEvent<'MembersRecruited'>): readonly string[] => {
  const platform = platformOf(stream);
  return platform == null ? [] : data.members.map(({ handle }) => accountStream(platform, handle));
};

const handlers: Handlers<State> = {
  PoolCreated: (state, event) => {
    const { data } = event;
    if (!isOwnPool(event, data)) return;
    const { pool, platform, rule, share, refresh, refresh_min_s, refresh_max_s, refresh_factor, size_cap } =
      data;
    const tuning = { share, refresh, refresh_min_s, refresh_max_s, refresh_factor, size_cap };
    putPool(state, { pool, platform, rule, ...tuning, paused: false, heir: null });
  },
  PoolTuned: (state, event) => changePool(state, event, event.data),
  PoolExpanded: (state, event) => changePool(state, event, event.data),
  PoolPaused: (state, event) => changePool(state, event, { paused: true }),
  PoolResumed: (state, event) => changePool(state, event, { paused: false }),
  PoolRetired: (state, event) => {
    const { stream, data } = event;
    const before = readerOf(state, poolOf(stream));
    changePool(state, event, { paused: true, heir: data.heir ?? undefined });
    const after = readerOf(state, poolOf(stream));
    if (after !== before) grow(state.sizes, after, state.sizes.get(before) ?? 0);
  },
  MembersRecruited: (state, event) => {
    const { observed_at, members } = event.data;
    const pool = poolOfMembers(event.stream);
    for (const [i, stream] of membersOf(event).entries())
      recruit(state, stream, event, { pool, observed_at, depth: members[i]?.depth ?? null });
  },
  AccountDiscovered: (state, event) => recruit(state, event.stream, event, { ...event.data, depth: null }),
  AccountRecruited: (state, event) => recruit(state, event.stream, event, { ...event.data, depth: null }),
  AccountSighted: (state, event) => next(state, event, true),
  AccountUnchanged: (state, event) => next(state, event, Object.keys(event.data.moved).length > 0),
  AccountUnavailable: (state, event) => next(state, event, null),
};

const apply = dispatch(handlers);

/** Streams of the accounts whose rows an event may change. */
const accountsOf = (event: AppliedEvent): readonly string[] => {
  if (event.stream.startsWith('account-')) return [event.stream];
  return event.type === 'MembersRecruited' ? membersOf(event as ProjectedEvent<'MembersRecruited'>) : [];
};

const dueOfRow = driverReader(dueTable);
const MAX_KEPT = 20_000;

const open = (schema: string): Fold => {
  let state = createState();
  let poolsLoaded = false;
  return {
    load: async (db: Queryable, events: readonly RecordedEvent[]) => {
      if (!poolsLoaded) {
        const { rows } = await db.query<PoolRow>(`select * from ${schema}.pools`);
        for (const row of rows) state.pools.set(row.pool, row);
        const members = await db.query<{ pool: string; n: string }>(`select pool, n from ${schema}.members`);
        for (const { pool, n } of members.rows) grow(state.sizes, readerOf(state, pool), Number(n));
        poolsLoaded = true;
      }
      if (state.rows.size > MAX_KEPT) state.rows.clear();
      const streams = new Set(events.flatMap(accountsOf));
      const missing = [...streams].filter((stream) => !state.rows.has(stream));
      if (missing.length === 0) return;
      const accounts = missing.map(accountOf);
      const { rows } = await db.query<DriverRow<DueRow>>({
        name: `load ${schema}.due`,
        text: `select * from ${schema}.due where ${pairCondition('platform', 'handle', 1)}`,
        values: [accounts.map((a) => a.platform), accounts.map((a) => a.handle)],
      });
      for (const row of rows.map(dueOfRow)) {
        state.rows.set(accountStream(row.platform, row.handle), row);
      }
    },
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      await writeAll(db, schema, [
        upserts(
          poolTable,
          [...state.changedPools].map((pool) => state.pools.get(pool) as PoolRow),
        ),
        upserts(
          dueTable,
          [...state.changed].map((stream) => state.rows.get(stream) as DueRow),
        ),
        sums(
          memberTable,
          [...state.members].map(([pool, n]) => ({ pool, n })),
        ),
        ...slotWrites(state.slots),
      ]);
      state.changedPools.clear();
      state.changed.clear();
      state.members.clear();
      clearSlots(state.slots);
    },
    reset: () => {
      state = createState();
      poolsLoaded = false;
    },
  };
};

/** The crawl schedule: which accounts are due, and for which pool. */
export const frontier: Projection = {
  name: 'frontier',
  version: versionPerPlatform(5),
  order: 'platform',
  types: typesOf(handlers),
  streamPrefixes: ['account-', 'members-', 'pool-'],
  // No pool's settings: a pool whose pause could not be applied must not be crawled.
  parks: ['account-', 'members-'],
  tables,
  indexes,
  open,
};
