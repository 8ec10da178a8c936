import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { type AccountStatus, accountOf } from '../../../write/accounts/events.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import { addCounts, pairCondition, type Table, upsert } from '../../engine/bulk-upsert.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { partitionedByPlatform } from '../platform-partitions.ts';

/** The last known state of a handle, as an account check returns it. One row per handle that was ever read. */
interface AccountRow {
  readonly platform: Platform;
  readonly handle: string;
  readonly native_id: string | null;
  readonly status: AccountStatus;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly verified: boolean | null;
  readonly created_at: string | null;
  /** First and last time it was found to exist; null if never. */
  readonly first_seen_at: string | null;
  readonly last_seen_at: string | null;
  /** The last reading, conclusive or not. */
  readonly observed_at: string;
}

const accountTable: Table<AccountRow> = {
  name: 'accounts',
  columns: {
    platform: 'text',
    handle: 'text',
    native_id: 'text',
    status: 'text',
    display_name: 'text',
    followers: 'bigint',
    verified: 'boolean',
    created_at: 'timestamptz',
    first_seen_at: 'timestamptz',
    last_seen_at: 'timestamptz',
    observed_at: 'timestamptz',
  },
  key: ['platform', 'handle'],
};

interface TotalRow {
  readonly platform: string;
  readonly n: number;
}

const totalTable: Table<TotalRow> = {
  name: 'totals',
  columns: { platform: 'text', n: 'bigint' },
  key: ['platform'],
};

const tables = (schema: string): string => `
${partitionedByPlatform(
  schema,
  'accounts',
  `platform text collate "C" not null, handle text collate "C" not null, native_id text collate "C",
   status text not null, display_name text, followers bigint, verified boolean, created_at timestamptz,
   first_seen_at timestamptz, last_seen_at timestamptz, observed_at timestamptz not null,
   primary key (platform, handle)`,
  PLATFORMS,
)}
-- Number of accounts that were ever seen, by platform.
create table ${schema}.totals (platform text collate "C" primary key, n bigint not null);
`;

const indexes = (schema: string): string => `
create index on ${schema}.accounts (native_id) where native_id is not null;
create index on ${schema}.accounts (last_seen_at desc nulls last);
`;

/** The rows that a batch changes, by stream. */
interface State {
  readonly rows: Map<string, AccountRow>;
  readonly changed: Set<string>;
  readonly totals: Map<Platform, number>;
}

const blank = (stream: string): Omit<AccountRow, 'status' | 'observed_at'> => ({
  ...accountOf(stream),
  native_id: null,
  display_name: null,
  followers: null,
  verified: null,
  created_at: null,
  first_seen_at: null,
  last_seen_at: null,
});

const put = (state: State, stream: string, row: AccountRow): void => {
  const before = state.rows.get(stream);
  if (row.first_seen_at !== null && (before === undefined || before.first_seen_at === null)) {
    state.totals.set(row.platform, (state.totals.get(row.platform) ?? 0) + 1);
  }
  state.rows.set(stream, row);
  state.changed.add(stream);
};

/** If readings arrive out of order the latest wins; an older one only moves the first sighting. */
const isOlder = (state: State, stream: string, observedAt: string): boolean => {
  const row = state.rows.get(stream);
  if (row === undefined || observedAt > row.observed_at) return false;
  if (row.first_seen_at !== null && observedAt < row.first_seen_at) {
    put(state, stream, { ...row, first_seen_at: observedAt });
  }
  return true;
};

const handlers: Handlers<State> = {
  AccountSighted: (state, { stream, data }) => {
    if (isOlder(state, stream, data.observed_at)) return;
    const before = state.rows.get(stream);
    const { profile } = data;
    put(state, stream, {
      ...accountOf(stream),
      // Immutable facts are kept if a surface does not show them.
      native_id: profile.id ?? before?.native_id ?? null,
      created_at: profile.created_at ?? before?.created_at ?? null,
      status: data.status,
      display_name: profile.display_name,
      followers: profile.followers,
      verified: profile.verified,
      first_seen_at: before?.first_seen_at ?? data.observed_at,
      last_seen_at: data.observed_at,
      observed_at: data.observed_at,
    });
  },
  AccountUnchanged: (state, { stream, data }) => {
    const before = state.rows.get(stream);
    if (before === undefined || isOlder(state, stream, data.observed_at)) return;
    put(state, stream, {
      ...before,
      followers: data.moved.followers === undefined ? before.followers : data.moved.followers,
      last_seen_at: data.observed_at,
      observed_at: data.observed_at,
    });
  },
  AccountUnavailable: (state, { stream, data }) => {
    if (isOlder(state, stream, data.observed_at)) return;
    const before = state.rows.get(stream) ?? blank(stream);
    put(state, stream, { ...before, status: data.status, observed_at: data.observed_at });
  },
};

const apply = dispatch(handlers);

/** Rows cached between batches, so that a busy account is not loaded again for each. */
const MAX_KEPT = 20_000;

const open = (schema: string): Fold => {
  let state: State = { rows: new Map(), changed: new Set(), totals: new Map() };
  return {
    load: async (db: Queryable, events: readonly RecordedEvent[]) => {
      if (state.rows.size > MAX_KEPT) state.rows.clear();
      const missing = [...new Set(events.map((e) => e.stream))].filter((stream) => !state.rows.has(stream));
      if (missing.length === 0) return;
      const accounts = missing.map(accountOf);
      const { rows } = await db.query<Record<keyof AccountRow, unknown>>({
        name: `load ${schema}.accounts`,
        text: `select * from ${schema}.accounts where ${pairCondition('platform', 'handle', 1)}`,
        values: [accounts.map((a) => a.platform), accounts.map((a) => a.handle)],
      });
      for (const row of rows) state.rows.set(`account-${row.platform}:${row.handle}`, rowOf(row));
    },
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      await upsert(
        db,
        schema,
        accountTable,
        [...state.changed].map((stream) => state.rows.get(stream) as AccountRow),
      );
      await addCounts(
        db,
        schema,
        totalTable,
        [...state.totals].map(([platform, n]) => ({ platform, n })),
      );
      state.changed.clear();
      state.totals.clear();
    },
    reset: () => {
      state = { rows: new Map(), changed: new Set(), totals: new Map() };
    },
  };
};

const iso = (value: unknown): string | null => (value instanceof Date ? value.toISOString() : null);

/** A row as the driver returns it: int8 as text, times as Date. */
const rowOf = (row: Record<keyof AccountRow, unknown>): AccountRow => ({
  ...(row as unknown as AccountRow),
  followers: row.followers === null ? null : Number(row.followers),
  created_at: iso(row.created_at),
  first_seen_at: iso(row.first_seen_at),
  last_seen_at: iso(row.last_seen_at),
  observed_at: iso(row.observed_at) as string,
});

/** Account checks: the last conclusive state of every handle, on all seven platforms. */
export const accounts: Projection = {
  name: 'accounts',
  version: 2,
  order: 'stream',
  types: typesOf(handlers),
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};
