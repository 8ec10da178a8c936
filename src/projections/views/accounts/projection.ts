import { type Platform, versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import {
  type AccountEvent,
  type AccountState,
  accountOf,
  evolve,
  isTakenOver,
  noAccount,
  packAccount,
  unpackAccount,
} from '../../../write/accounts/account.ts';
import { MOVED_FIELDS, type Moved, valueTimes, versionPerField } from '../../../write/accounts/profile.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import {
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { deleteRows, sums, upserts, writeAll } from '../../table/bulk.ts';
import { type DriverRow, driverReader, loadRows } from '../../table/table.ts';
import { type AccountRow, accountTable, indexes, tables, totalTable } from './tables.ts';

/** A row with its state unpacked. */
type Account = Omit<AccountRow, 'state'> & { readonly state: AccountState };

/** The rows that a batch changes, by stream; undefined where one was erased. */
interface State {
  readonly rows: Map<string, Account | undefined>;
  readonly changed: Set<string>;
  readonly totals: Map<Platform, number>;
}

const wasSeen = (row: Account | undefined): number => (row?.first_seen_at == null ? 0 : 1);

const put = (state: State, stream: string, row: Account | undefined): void => {
  const before = state.rows.get(stream);
  const added = wasSeen(row) - wasSeen(before);
  if (added !== 0) {
    const { platform } = accountOf(stream);
    state.totals.set(platform, (state.totals.get(platform) ?? 0) + added);
  }
  state.rows.set(stream, row);
  state.changed.add(stream);
};

type Observed = Pick<
  Account,
  | 'native_id'
  | 'status'
  | 'display_name'
  | 'followers'
  | 'verified'
  | 'created_at'
  | 'first_seen_at'
  | 'last_seen_at'
  | 'observed_at'
>;

/** The times of kept values; those of before unless the state is what the row shows. */
const keptTimes = (
  state: AccountState,
  { first_seen_at: first, last_seen_at: last }: Pick<Observed, 'first_seen_at' | 'last_seen_at'>,
  before: Account['kept'],
): Account['kept'] =>
  first !== null && last !== null && last === state.seenAt ? valueTimes(state.kept, first, last) : before;

/** The row with what decisions need, as of an event. */
const advanced = (
  before: Account | undefined,
  event: ProjectedEvent<'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable'>,
  observed: Observed,
): Account => {
  const revision = Number(event.revision);
  // All other events of the stream are of posts. Those before the first one of the account need no mention.
  const isFollowing = before === undefined || revision === before.revision + 1;
  const state = evolve(before?.state ?? noAccount, event as AccountEvent);
  return {
    ...accountOf(event.stream),
    ...observed,
    revision,
    sighted_revision: event.type === 'AccountSighted' ? revision : (before?.sighted_revision ?? -1),
    posts_revision: isFollowing ? (before?.posts_revision ?? -1) : revision - 1,
    kept: keptTimes(state, observed, before?.kept ?? null),
    state,
  };
};

/** If readings arrive out of order the latest wins; an older one only moves the first sighting. */
const isOlder = ({ observed_at }: Account, observedAt: string): boolean => observedAt <= observed_at;

const withEarlier = (row: Account, observedAt: string): Account =>
  row.first_seen_at !== null && observedAt < row.first_seen_at ? { ...row, first_seen_at: observedAt } : row;

const MOVED_COLUMNS = MOVED_FIELDS.filter((name) => name in accountTable.columns) as 'followers'[];

const movedColumns = (moved: Moved): Partial<Pick<Account, 'followers'>> =>
  Object.fromEntries(
    MOVED_COLUMNS.filter((name) => moved[name] !== undefined).map((name) => [name, moved[name]]),
  );

const handlers = {
  AccountSighted: (state, event) => {
    const { stream, data } = event;
    const { profile, observed_at: at } = data;
    const before = state.rows.get(stream);
    const own = before !== undefined && isTakenOver(before.state.owner, profile) ? undefined : before;
    const observed =
      before !== undefined && isOlder(before, at)
        ? withEarlier(before, at)
        : {
            // Immutable facts of an account are kept if a surface does not show them.
            native_id: profile.id ?? own?.native_id ?? null,
            created_at: profile.created_at ?? own?.created_at ?? null,
            status: data.status,
            display_name: profile.display_name,
            followers: profile.followers,
            verified: profile.verified,
            first_seen_at: before?.first_seen_at ?? at,
            last_seen_at: at,
            observed_at: at,
          };
    put(state, stream, advanced(before, event, observed));
  },
  AccountUnchanged: (state, event) => {
    const { moved, observed_at: at } = event.data;
    const before = state.rows.get(event.stream);
    if (before === undefined) return;
    const observed = isOlder(before, at)
      ? withEarlier(before, at)
      : { ...before, ...movedColumns(moved), last_seen_at: at, observed_at: at };
    put(state, event.stream, advanced(before, event, observed));
  },
  AccountUnavailable: (state, event) => {
    const { status, observed_at: at } = event.data;
    const before = state.rows.get(event.stream);
    const observed =
      before !== undefined && isOlder(before, at)
        ? withEarlier(before, at)
        : { ...(before ?? NEVER_SEEN), status, observed_at: at };
    put(state, event.stream, advanced(before, event, observed));
  },
  AccountErased: (state, event) => {
    const before = state.rows.get(event.stream);
    if (before !== undefined) put(state, event.stream, inherited(before, event));
  },
} satisfies Handlers<State>;

/** The row of who has the handle after an erased account, as if nobody had had it before; undefined if nobody has. */
const inherited = (
  row: Account,
  { revision, data: { through, since } }: ProjectedEvent<'AccountErased'>,
): Account | undefined => {
  if (since === null) return undefined;
  const { first_seen_at: first, last_seen_at, state, kept } = row;
  const first_seen_at = first !== null && first < since ? since : first;
  const posts = row.posts_revision <= through ? -1 : row.posts_revision;
  return {
    ...row,
    first_seen_at,
    kept: keptTimes(state, { first_seen_at, last_seen_at }, kept),
    revision: Number(revision),
    posts_revision: Number(revision) === row.revision + 1 ? posts : Number(revision) - 1,
  };
};

const NEVER_SEEN = {
  native_id: null,
  display_name: null,
  followers: null,
  verified: null,
  created_at: null,
  first_seen_at: null,
  last_seen_at: null,
} as const;

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
      const rows = await loadRows(db, schema, accountTable, [
        {
          column: 'handle',
          platforms: accounts.map(({ platform }) => platform),
          values: accounts.map(({ handle }) => handle),
        },
      ]);
      for (const row of rows) state.rows.set(`account-${row.platform}:${row.handle}`, unpacked(row));
    },
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      const changed = [...state.changed].map((stream) => [stream, state.rows.get(stream)] as const);
      await deleteRows(
        db,
        schema,
        accountTable,
        changed.flatMap(([stream, row]) => (row === undefined ? [accountOf(stream)] : [])),
      );
      await writeAll(db, schema, [
        upserts(
          accountTable,
          changed.flatMap(([, row]) => (row === undefined ? [] : [packed(row)])),
        ),
        sums(
          totalTable,
          [...state.totals].map(([platform, n]) => ({ platform, n })),
        ),
      ]);
      state.changed.clear();
      state.totals.clear();
    },
    reset: () => {
      state = { rows: new Map(), changed: new Set(), totals: new Map() };
    },
  };
};

const packed = (account: Account): AccountRow => ({ ...account, state: packAccount(account.state) });

const columnsOf = driverReader(accountTable);

const unpacked = (raw: DriverRow<AccountRow>): Account => {
  const row = columnsOf<AccountRow>(raw);
  return { ...row, state: unpackAccount(row.state) };
};

/** Account checks: the last conclusive state of every handle, on all platforms. */
export const accounts: Projection = {
  name: 'accounts',
  version: versionPerField(versionPerPlatform(2)),
  order: 'stream',
  types: typesOf(handlers),
  forgets: handlers.AccountErased,
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};
