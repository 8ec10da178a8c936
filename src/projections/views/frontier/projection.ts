/** The crawl schedule: its fold, counts by slot, and the refresh of accounts by how fast they change. */

import { createHash } from 'node:crypto';
import { versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { type AccountEventData, accountOf, accountStream } from '../../../write/accounts/account.ts';
import { isMasked } from '../../../write/erasure/subject.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import { poolOf, poolOfMembers } from '../../../write/pools/pool.ts';
import {
  binOfChange,
  CHANGE_BINS,
  type ChangeEvidence,
  changeOfBin,
  DAY_S,
  estimated,
  type FollowerChange,
  intervalOf,
  intervalTable,
  medianBin,
  UNAVAILABLE_BIN,
  withMove,
} from '../../../write/pools/refresh.ts';
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
import { deleteRows, sums, upserts, type Write, writeAll } from '../../table/bulk.ts';
import { type DriverRow, driverReader, loadRows } from '../../table/table.ts';
import {
  type ChangeRow,
  changeTable,
  DUE_SLOT_MS,
  type DueRow,
  type DueSlotRow,
  dueSlotTable,
  dueTable,
  GIVEN_UP,
  indexes,
  type MemberRow,
  memberTable,
  NEVER_READ,
  type PoolRow,
  poolTable,
  type ReadSlotRow,
  readSlotTable,
  SPAN_MS,
  SPANS,
  tables,
} from './tables.ts';

type Counted<Row> = Map<string, { -readonly [Name in keyof Row]: Row[Name] }>;

/** Changes of the counts of accounts by slot that a batch makes. Sums of what rows add: their order has no effect. */
interface Slots {
  readonly due: Counted<DueSlotRow>;
  readonly read: Counted<ReadSlotRow>;
}

const noSlots = (): Slots => ({ due: new Map(), read: new Map() });

/** Whether an account has left the schedule. Its row stays, and counts nowhere. */
const hasLeft = ({ is_seed, absences, removed }: Pick<DueRow, 'is_seed' | 'absences' | 'removed'>): boolean =>
  removed || (!is_seed && absences >= GIVEN_UP);

/** Adds an account to the counts, or takes it out again. */
const countSlots = ({ due, read }: Slots, row: DueRow, n: 1 | -1): void => {
  if (hasLeft(row)) return;
  const { platform, pool, observed_at } = row;
  const dueSlot = observed_at === null ? NEVER_READ : Math.floor(Date.parse(row.due_at) / DUE_SLOT_MS);
  const dueKey = `${dueSlot} ${pool} ${platform}`;
  const counted = due.get(dueKey);
  if (counted === undefined) due.set(dueKey, { platform, pool, slot: dueSlot, n });
  else counted.n += n;
  if (observed_at === null) return;
  const readMs = Date.parse(observed_at);
  for (const span of SPANS) {
    const slot = Math.floor(readMs / SPAN_MS[span]);
    const key = `${slot} ${span} ${platform}`;
    const same = read.get(key);
    if (same === undefined) read.set(key, { platform, span, slot, n });
    else same.n += n;
  }
};

/** Counts an account by its changed row; `before` is undefined for a new one, `after` for one that was erased. */
const moveSlots = (slots: Slots, before: DueRow | undefined, after: DueRow | undefined): void => {
  if (before !== undefined) countSlots(slots, before, -1);
  if (after !== undefined) countSlots(slots, after, 1);
};

const slotWrites = ({ due, read }: Slots): readonly Write[] => [
  sums(dueSlotTable, [...due.values()]),
  sums(readSlotTable, [...read.values()]),
];

const clearSlots = ({ due, read }: Slots): void => {
  due.clear();
  read.clear();
};

/** The rows of the frontier during writing. */
interface State {
  readonly pools: Map<string, PoolRow>;
  /** Accounts by stream; undefined where one was erased. */
  readonly rows: Map<string, DueRow | undefined>;
  readonly changedPools: Set<string>;
  readonly changed: Set<string>;
  /** Changes of the numbers of members by the pool that recruited them. */
  readonly members: Map<string, MemberRow>;
  /** All members likewise. */
  readonly counts: Map<string, MemberRow>;
  /** Accounts by the pool that reads them, as they count against its cap; null if pools changed since. */
  sizes: Map<string, Size> | null;
  readonly changes: Changes;
  readonly slots: Slots;
}

const createState = (): State => ({
  pools: new Map(),
  rows: new Map(),
  changedPools: new Set(),
  changed: new Set(),
  members: new Map(),
  counts: new Map(),
  sizes: null,
  changes: new Map(),
  slots: noSlots(),
});

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

/** Adds to the members of a pool. */
const addMembers = (
  counts: Map<string, MemberRow>,
  { platform, pool, n, absent, seeds }: MemberRow,
): void => {
  const key = `${platform} ${pool}`;
  const before = counts.get(key);
  counts.set(key, {
    platform,
    pool,
    n: (before?.n ?? 0) + n,
    absent: (before?.absent ?? 0) + absent,
    seeds: (before?.seeds ?? 0) + seeds,
  });
};

/** Accounts that count against a cap: those that operators named have room of their own. */
interface Size {
  found: number;
  seeds: number;
}

const sizesOf = (state: State): Map<string, Size> => {
  const sizes = new Map<string, Size>();
  for (const { platform, pool, n, absent, seeds } of state.counts.values()) {
    const reader = readerOf(state, pool);
    if (state.pools.get(reader)?.platform !== platform) continue;
    const size = sizes.get(reader) ?? { found: 0, seeds: 0 };
    sizes.set(reader, { found: size.found + n - absent - seeds, seeds: size.seeds + seeds });
  }
  return sizes;
};

/** The size of a pool, with the accounts of retired pools whose heir it is. */
const sizeOf = (state: State, reader: string): Size => {
  state.sizes ??= sizesOf(state);
  return state.sizes.get(reader) ?? { found: 0, seeds: 0 };
};

/** What an account counts as among its pool's members. */
type Counts = 'none' | 'absent' | 'seed' | 'found';

const countsAs = (row: DueRow | undefined): Counts => {
  if (row === undefined || hasLeft(row)) return 'none';
  if (row.absences > 0) return 'absent';
  return row.is_seed ? 'seed' : 'found';
};

/** Moves an account among the numbers of its pool's members, or from those of one pool to those of another. */
const moveMember = (state: State, before: DueRow | undefined, after: DueRow | undefined): void => {
  if (before !== undefined && before.pool === after?.pool) {
    countMember(state, after, countsAs(before), countsAs(after));
    return;
  }
  if (before !== undefined) countMember(state, before, countsAs(before), 'none');
  if (after !== undefined) countMember(state, after, 'none', countsAs(after));
};

const countMember = (
  state: State,
  { platform, pool }: Pick<DueRow, 'platform' | 'pool'>,
  from: Counts,
  to: Counts,
): void => {
  if (from === to) return;
  const change = (of: (counts: Counts) => boolean): number => Number(of(to)) - Number(of(from));
  const moved = {
    platform,
    pool,
    n: change((counts) => counts !== 'none'),
    absent: change((counts) => counts === 'absent'),
    seeds: change((counts) => counts === 'seed'),
  };
  addMembers(state.members, moved);
  addMembers(state.counts, moved);
  const reader = readerOf(state, pool);
  if (state.sizes === null || state.pools.get(reader)?.platform !== platform) return;
  const { found, seeds } = sizeOf(state, reader);
  state.sizes.set(reader, {
    found: found + change((counts) => counts === 'found'),
    seeds: seeds + moved.seeds,
  });
};

const putPool = (state: State, row: PoolRow): void => {
  state.pools.set(row.pool, row);
  state.sizes = null;
  state.changedPools.add(row.pool);
};

const putDue = (state: State, stream: string, row: DueRow | undefined): void => {
  const before = state.rows.get(stream);
  moveSlots(state.slots, before, row);
  moveMember(state, before, row);
  state.rows.set(stream, row);
  state.changed.add(stream);
};

/** Whether the writer keeps the pool of an event: it keeps the pools of its own platform. */
const isOwnPool = ({ platform }: AppliedEvent, pool: Pick<PoolRow, 'platform'>): boolean =>
  platform === undefined || platform === pool.platform;

type PoolChange = { readonly [Name in Exclude<keyof PoolRow, 'heir'>]?: PoolRow[Name] | undefined };

/** Absent settings stay. */
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
    refresh_threshold:
      change.refresh_threshold === undefined ? pool.refresh_threshold : change.refresh_threshold,
    size_cap: change.size_cap ?? pool.size_cap,
  });
};

/** Absences that follow a reading sooner are no further ones: callers may read an account as often as they like. */
const BETWEEN_ABSENCES_MS = 86_400_000;

/** An account that was absent is read again once that would count as another absence. */
const restOf = ({ is_seed }: DueRow, absences: number, intervalS: number): number =>
  absences > 0 && !is_seed ? Math.max(intervalS, BETWEEN_ABSENCES_MS / SECOND / LEAST_SPREAD) : intervalS;

const absencesAfter = ({ absences, observed_at }: DueRow, isAbsent: boolean, observedAt: string): number => {
  if (!isAbsent) return 0;
  const isSoon =
    observed_at !== null && Date.parse(observedAt) - Date.parse(observed_at) < BETWEEN_ABSENCES_MS;
  return absences > 0 && isSoon ? absences : absences + 1;
};

const changeHeir = (state: State, event: AppliedEvent, heir: string | null): void => {
  const pool = state.pools.get(poolOf(event.stream));
  if (pool !== undefined && isOwnPool(event, pool)) putPool(state, { ...pool, heir });
};

/** Schedules the next reading of an account by how fast its followers change, within the bounds of its pool. */
const next = (
  state: State,
  { stream, data }: RecordedEvent & { data: { observed_at: string } },
  shownBy: (row: DueRow) => FollowersShown,
  isAbsent = false,
): void => {
  const row = state.rows.get(stream);
  const { observed_at } = data;
  // The account was not recruited by a pool, or was removed, so no reading is scheduled.
  if (row === undefined || row.removed || (row.observed_at !== null && observed_at < row.observed_at)) return;
  const settings = poolFor(state, stream, row.pool);
  const absences = absencesAfter(row, isAbsent, observed_at);
  const isGone = hasLeft({ is_seed: row.is_seed, absences, removed: false });
  const { evidence, intervalS } = refreshed(
    state.changes,
    row,
    settings,
    observed_at,
    isGone ? GONE : shownBy(row),
  );
  // Field by field: the hot path of the fold, where a second spread costs as much as all else.
  putDue(state, stream, {
    ...row,
    due_at: isGone ? NEVER : dueAfter(stream, observed_at, restOf(row, absences, intervalS)),
    interval_s: intervalS,
    absences,
    observed_at,
    followers: evidence.followers,
    followers_at: evidence.followers_at,
    change_moved: evidence.change_moved,
    change_exposure: evidence.change_exposure,
    change_bin: evidence.change_bin,
  });
};

const isFull = (state: State, settings: PoolRow | undefined, isSeed: boolean): boolean => {
  if (settings === undefined) return false;
  const { found, seeds } = sizeOf(state, settings.pool);
  return (isSeed ? seeds : found) >= settings.size_cap;
};

interface Recruit {
  readonly pool: string;
  readonly observed_at: string;
  readonly depth: number | null;
  readonly is_seed: boolean;
}

/**
 * Adds an account to its pool, due at once. An account that has a pool stays in it, one that left returns to it, and a pool
 * takes none beyond its cap: the order of the log decides, however many processes recruit. One that was removed returns only to
 * the pool that an operator gives it.
 */
const recruit = (
  state: State,
  stream: string,
  { position }: RecordedEvent,
  { pool, observed_at, depth, is_seed }: Recruit,
): void => {
  const row = state.rows.get(stream);
  if (row !== undefined && (!hasLeft(row) || (row.removed && !is_seed))) return;
  const home = row === undefined || row.removed ? pool : row.pool;
  const settings = poolFor(state, stream, home);
  if (isFull(state, settings, is_seed)) return;
  if (row !== undefined) {
    putDue(state, stream, { ...row, pool: home, is_seed, absences: 0, removed: false, due_at: observed_at });
    return;
  }
  putDue(state, stream, {
    ...accountOf(stream),
    pool,
    depth,
    is_seed,
    removed: false,
    recruited: String(position),
    ...neverRead(settings, observed_at),
  });
};

/** What is known of an account before the first reading. */
const neverRead = (settings: PoolRow | undefined, due_at: string) => ({
  absences: 0,
  due_at,
  interval_s: settings?.refresh_min_s ?? 86_400,
  observed_at: null,
  followers: null,
  followers_at: null,
  change_moved: 0,
  change_exposure: 0,
  change_bin: null,
});

/** Forgets an account that was erased. Who has its handle now is read as if nobody had been read under it. */
const forget = (state: State, { stream, data: { at, since } }: ProjectedEvent<'AccountErased'>): void => {
  const row = state.rows.get(stream);
  if (row === undefined) return;
  move(changesOf(state.changes, row.pool), row, LEFT);
  if (since === null) putDue(state, stream, undefined);
  else {
    const unread = neverRead(poolFor(state, stream, row.pool), at);
    putDue(state, stream, { ...row, ...unread, ...(row.removed ? { due_at: NEVER } : {}) });
  }
};

/** Takes an account out of the schedule, and out of what is known of its pool's accounts. */
const remove = (state: State, stream: string, pool: string): void => {
  const row = state.rows.get(stream);
  if (row === undefined || row.removed || row.pool !== pool) return;
  move(changesOf(state.changes, pool), row, LEFT);
  putDue(state, stream, { ...row, ...LEFT, removed: true, due_at: NEVER });
};

/** Gives an account to another pool, which takes none beyond its cap, and reads it as often as its settings say. */
const giveTo = (state: State, stream: string, pool: string): void => {
  const row = state.rows.get(stream);
  if (row === undefined || hasLeft(row) || row.pool === pool) return;
  const settings = poolFor(state, stream, pool);
  if (settings === undefined || isFull(state, settings, row.is_seed)) return;
  const { change_bin, change_exposure, observed_at, absences } = row;
  move(changesOf(state.changes, row.pool), row, { change_bin: null, change_exposure });
  const changes = changesOf(state.changes, pool);
  move(changes, { ...row, change_bin: null }, { change_bin, change_exposure });
  const interval_s = change_bin === null ? settings.refresh_min_s : intervalIn(changes, settings, change_bin);
  const due_at =
    observed_at === null ? row.due_at : dueAfter(stream, observed_at, restOf(row, absences, interval_s));
  putDue(state, stream, { ...row, pool, interval_s, due_at });
};

/** Streams of the accounts that an event of a pool names, in its order. */
const membersOf = ({
  stream,
  data,
}: ProjectedEvent<'MembersRecruited' | 'MembersMoved' | 'MembersRemoved'>): readonly string[] => {
  const platform = platformOf(stream);
  if (platform == null) return [];
  const handles = 'members' in data ? data.members.map(({ handle }) => handle) : data.handles;
  return handles.map((handle) => accountStream(platform, handle));
};

const handlers = {
  PoolCreated: (state, event) => {
    const { data } = event;
    if (!isOwnPool(event, data)) return;
    const { pool, platform, rule, share, size_cap } = data;
    const { refresh, refresh_min_s, refresh_max_s, refresh_factor, refresh_threshold } = data;
    const tuning = { refresh, refresh_min_s, refresh_max_s, refresh_factor, refresh_threshold };
    putPool(state, { pool, platform, rule, share, ...tuning, size_cap, heir: null });
  },
  PoolTuned: (state, event) => changePool(state, event, event.data),
  PoolExpanded: (state, event) => changePool(state, event, event.data),
  PoolRetired: (state, event) => changeHeir(state, event, event.data.heir),
  PoolReopened: (state, event) => changeHeir(state, event, null),
  MembersRecruited: (state, event) => {
    const { observed_at, members } = event.data;
    const pool = poolOfMembers(event.stream);
    const platform = platformOf(event.stream);
    for (const { handle, depth, via } of members) {
      // An account that was erased has no row, and counts nowhere.
      if (platform == null || isMasked(handle)) continue;
      const stream = accountStream(platform, handle);
      recruit(state, stream, event, { pool, observed_at, depth, is_seed: via === 'seed' });
    }
  },
  MembersMoved: (state, event) => {
    for (const stream of membersOf(event)) giveTo(state, stream, poolOfMembers(event.stream));
  },
  MembersRemoved: (state, event) => {
    for (const stream of membersOf(event)) remove(state, stream, poolOfMembers(event.stream));
  },
  AccountSighted: (state, event) => next(state, event, () => shownBySighting(event.data)),
  AccountUnchanged: (state, event) => next(state, event, (row) => shownUnchanged(event.data, row.followers)),
  AccountUnavailable: (state, event) => next(state, event, () => UNAVAILABLE, event.data.status === 'absent'),
  AccountErased: forget,
} satisfies Handlers<State>;

const apply = dispatch(handlers);

/** Streams of the accounts whose rows an event may change. */
const accountsOf = (event: AppliedEvent): readonly string[] => {
  if (event.stream.startsWith('account-')) return [event.stream];
  return event.stream.startsWith('members-') ? membersOf(event as ProjectedEvent<'MembersRecruited'>) : [];
};

const dueOfRow = driverReader(dueTable);
const memberOfRow = driverReader(memberTable);
const changeOfRow = driverReader(changeTable);
const MAX_KEPT = 20_000;

const open = (schema: string): Fold => {
  let state = createState();
  let poolsLoaded = false;
  return {
    load: async (db: Queryable, events: readonly RecordedEvent[]) => {
      if (!poolsLoaded) {
        const { rows } = await db.query<PoolRow>(sql`select * from ${ident(schema)}.pools`);
        for (const row of rows) state.pools.set(row.pool, row);
        const members = await db.query<DriverRow<MemberRow>>(sql`select * from ${ident(schema)}.members`);
        for (const row of members.rows.map(memberOfRow)) addMembers(state.counts, row);
        const changes = await db.query<DriverRow<ChangeRow>>(sql`select * from ${ident(schema)}.changes`);
        loadChanges(state.changes, changes.rows.map(changeOfRow));
        poolsLoaded = true;
      }
      if (state.rows.size > MAX_KEPT) state.rows.clear();
      const streams = new Set(events.flatMap(accountsOf));
      const missing = [...streams].filter((stream) => !state.rows.has(stream));
      if (missing.length === 0) return;
      const accounts = missing.map(accountOf);
      const rows = await loadRows(db, schema, dueTable, [
        {
          column: 'handle',
          platforms: accounts.map(({ platform }) => platform),
          values: accounts.map(({ handle }) => handle),
        },
      ]);
      for (const row of rows.map(dueOfRow)) {
        state.rows.set(accountStream(row.platform, row.handle), row);
      }
    },
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      const erased = [...state.changed].filter((stream) => state.rows.get(stream) === undefined);
      await deleteRows(db, schema, dueTable, erased.map(accountOf));
      await writeAll(db, schema, [
        upserts(
          poolTable,
          [...state.changedPools].map((pool) => state.pools.get(pool) as PoolRow),
        ),
        upserts(
          dueTable,
          [...state.changed].flatMap((stream) => state.rows.get(stream) ?? []),
        ),
        sums(memberTable, [...state.members.values()]),
        ...changeWrites(state.changes),
        ...slotWrites(state.slots),
      ]);
      state.changedPools.clear();
      state.changed.clear();
      state.members.clear();
      clearChanges(state.changes);
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
  forgets: handlers.AccountErased,
  streamPrefixes: ['account-', 'members-', 'pool-'],
  // Streams of pools are never parked: a pool whose pause could not be applied must not be crawled.
  parks: ['account-', 'members-'],
  tables,
  indexes,
  open,
};

/** Accounts of a pool by bin, and what follows from them. */
interface PoolChanges {
  /** Accounts with a coefficient of their own. */
  readonly measured: Int32Array;
  median: number;
  /** Intervals by bin under these settings and this median. */
  intervals: Int32Array | null;
  of: { readonly settings: PoolRow; readonly median: number } | null;
  /** Differences since the last batch, by bin. */
  readonly added: Map<number, { n: number; measured: number }>;
}

/** Changes by the pool that recruited the accounts. */
export type Changes = Map<string, PoolChanges>;

const changesOf = (changes: Changes, pool: string): PoolChanges => {
  let found = changes.get(pool);
  if (found === undefined) {
    const measured = new Int32Array(CHANGE_BINS);
    found = { measured, median: medianBin(measured), intervals: null, of: null, added: new Map() };
    changes.set(pool, found);
  }
  return found;
};

const loadChanges = (changes: Changes, rows: readonly ChangeRow[]): void => {
  for (const { pool, bin, measured } of rows)
    if (bin !== UNAVAILABLE_BIN) changesOf(changes, pool).measured[bin] = measured;
  for (const each of changes.values()) each.median = medianBin(each.measured);
};

const changeWrites = (changes: Changes): readonly Write[] => [
  sums(
    changeTable,
    [...changes].flatMap(([pool, { added }]) => [...added].map(([bin, row]) => ({ pool, bin, ...row }))),
  ),
];

const clearChanges = (changes: Changes): void => {
  for (const { added } of changes.values()) added.clear();
};

const isMeasured = ({ change_exposure }: Pick<DueRow, 'change_exposure'>): boolean => change_exposure > 0;

const countBins = (pool: PoolChanges, bin: number, measured: boolean, n: 1 | -1): void => {
  const by = measured ? n : 0;
  const added = pool.added.get(bin);
  if (added === undefined) pool.added.set(bin, { n, measured: by });
  else {
    added.n += n;
    added.measured += by;
  }
  if (measured && bin !== UNAVAILABLE_BIN) pool.measured[bin] = (pool.measured[bin] as number) + n;
};

/** Counts an account in the bin that a reading puts it in. */
const move = (
  pool: PoolChanges,
  before: DueRow,
  after: Pick<DueRow, 'change_bin' | 'change_exposure'>,
): void => {
  const [from, to] = [before.change_bin, after.change_bin];
  if (from === to && isMeasured(before) === isMeasured(after)) return;
  if (from !== null) countBins(pool, from, isMeasured(before), -1);
  if (to !== null) countBins(pool, to, isMeasured(after), 1);
  pool.median = medianBin(pool.measured);
};

const intervalIn = (pool: PoolChanges, settings: PoolRow, bin: number): number => {
  if (bin === UNAVAILABLE_BIN) return Math.round(intervalOf(settings, 1, bin));
  const { median } = pool;
  if (pool.intervals === null || pool.of?.settings !== settings || pool.of.median !== median) {
    pool.intervals = intervalTable(settings, median);
    pool.of = { settings, median };
  }
  return pool.intervals[bin] as number;
};

type Evidence = Pick<
  DueRow,
  'followers' | 'followers_at' | 'change_moved' | 'change_exposure' | 'change_bin'
>;

/**
 * A reading that follows the previous one within this fraction of the minimum interval does not count as one of its own. Live reads
 * are often that close.
 */
const TOO_SOON = 0.5;

/** A suspended account shows no changes. One that returns is treated as new. */
const NO_LONGER_SHOWN: Evidence = {
  followers: null,
  followers_at: null,
  change_moved: 0,
  change_exposure: 0,
  change_bin: UNAVAILABLE_BIN,
};

/** It counts in no bin. */
const LEFT: Evidence = { ...NO_LONGER_SHOWN, change_bin: null };

const evidenceRow = (
  followers: number | null,
  followers_at: string | null,
  { moved, exposure }: ChangeEvidence,
  change_bin: number,
): Evidence => ({ followers, followers_at, change_moved: moved, change_exposure: exposure, change_bin });

/** What is known of an account's changes after a reading. */
const evidenceAfter = (
  row: DueRow,
  median: number,
  leastS: number,
  observed_at: string,
  followers: FollowersShown,
): Evidence => {
  if (followers === UNAVAILABLE) return NO_LONGER_SHOWN;
  if (followers === GONE) return LEFT;
  const bin = isMeasured(row) ? (row.change_bin as number) : median;
  const before: ChangeEvidence = { moved: row.change_moved, exposure: row.change_exposure };
  if (followers === null) return evidenceRow(row.followers, row.followers_at, before, bin);
  if (row.followers === null || row.followers_at === null)
    return evidenceRow(followers, observed_at, before, bin);
  const seconds = (Date.parse(observed_at) - Date.parse(row.followers_at)) / 1_000;
  const reading: FollowerChange = { before: row.followers, after: followers, days: seconds / DAY_S };
  const change = changeOfBin(bin);
  if (seconds < TOO_SOON * leastS)
    return evidenceRow(followers, row.followers_at, withMove(before, change, reading), bin);
  const after = estimated(before, { change, median: changeOfBin(median) }, reading);
  return evidenceRow(followers, observed_at, after.evidence, binOfChange(after.change));
};

/**
 * The evidence of an account after a reading, and the seconds until the next one.
 * @param settings of the pool that reads the account; undefined if the writer doesn't know it: the interval then stays.
 */
const refreshed = (
  changes: Changes,
  row: DueRow,
  settings: PoolRow | undefined,
  observed_at: string,
  followers: FollowersShown,
): { readonly evidence: Evidence; readonly intervalS: number } => {
  const pool = changesOf(changes, row.pool);
  const evidence = evidenceAfter(row, pool.median, settings?.refresh_min_s ?? 0, observed_at, followers);
  move(pool, row, evidence);
  const bin = evidence.change_bin;
  return {
    evidence,
    intervalS: settings === undefined || bin === null ? row.interval_s : intervalIn(pool, settings, bin),
  };
};

const SECOND = 1_000;
/** Later than any event. Postgres accepts no year beyond 9999 in this format. */
const LAST_DUE = Date.UTC(2200, 0, 1);
/** When an account is due that left. */
const NEVER = new Date(LAST_DUE).toISOString();

const LEAST_SPREAD = 0.9;

/** Jitter of ±10 % derived from the stream, so that accounts read together are not due together again. */
const spread = (stream: string): number =>
  LEAST_SPREAD + (createHash('sha1').update(stream).digest().readUInt16BE(0) / 65_536) * 0.2;

/** When an account is due after an interval. */
const dueAfter = (stream: string, observed_at: string, intervalS: number): string => {
  const due = Date.parse(observed_at) + intervalS * SECOND * spread(stream);
  return new Date(Math.min(due, LAST_DUE)).toISOString();
};

/** Followers that a conclusive reading showed; null if it showed none. A kept value is no observation. */
export type FollowersShown = number | null | typeof UNAVAILABLE | typeof GONE;

/** A reading found the account to be unavailable. */
export const UNAVAILABLE = 'unavailable';

/** A reading proved the account absent, and it leaves the schedule. */
const GONE = 'gone';

/** The followers that a reading itself showed, without values kept from earlier readings. */
const shownBySighting = ({ profile, kept }: AccountEventData['AccountSighted']): FollowersShown =>
  kept?.followers === undefined ? profile.followers : null;

/**
 * The same for a reading that changed few values.
 * @param before followers shown last.
 */
const shownUnchanged = (
  { moved, kept }: AccountEventData['AccountUnchanged'],
  before: number | null,
): FollowersShown => {
  if (moved.followers !== undefined) return moved.followers;
  return kept?.followers === undefined ? before : null;
};
