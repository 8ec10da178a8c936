import { canonicalLink } from '../../../kernel/canonical-link.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { accountOf } from '../../../write/accounts/events.ts';
import { handleIn } from '../../../write/accounts/handle.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import type { Identities } from '../../identity/settle.ts';
import { pairCondition, sums, upserts, type Write, writeAll } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import {
  bandOf,
  type ChangeRow,
  changeTable,
  type EntryRow,
  entryTable,
  type FreshnessRow,
  freshnessTable,
  type HistoryRow,
  historyTable,
  type LinkRow,
  linkTable,
  nameTable,
  SLOT_MS,
  type StatusCountRow,
  statusCountTable,
} from './tables.ts';

const entryOfRow = driverReader(entryTable);

/** Entries and negative lookups cached between batches. */
const MAX_KEPT = 100_000;

/** The directory rows of a batch: a unit of work. */
export interface State extends Identities<EntryRow> {
  /** Stores a new or changed entry; `before` is the row it replaces. */
  put(before: EntryRow | undefined, after: EntryRow): void;
  remove(entry: EntryRow): void;
  addHistory(row: HistoryRow): void;
  /** Appends a change after those of the same position. */
  addChange(row: Omit<ChangeRow, 'n'>): void;
}

export interface Store {
  readonly state: State;
  load(db: Queryable, events: readonly RecordedEvent[]): Promise<void>;
  write(db: Queryable): Promise<void>;
  /** Writes the buffered history and changes, and keeps the other rows buffered. */
  flush(db: Queryable): Promise<void>;
  /** Whether the cache exceeds its limit. */
  isFull(): boolean;
}

/** A counter row that is still being incremented. */
type Counting<Row extends { readonly n: number }> = Omit<Row, 'n'> & { n: number };

const keyOf = (platform: string, name: string): string => `${platform}:${name}`;

export const createStore = (schema: string): Store => {
  const byEntry = new Map<string, EntryRow>();
  const byHandle = new Map<string, EntryRow>();
  const byId = new Map<string, EntryRow>();
  /** Handles and IDs that were looked up and do not exist. */
  const missing = new Set<string>();
  const changed = new Set<string>();
  const renamed = new Set<string>();
  const relinked = new Set<string>();
  const removed = new Map<string, EntryRow>();
  let history: HistoryRow[] = [];
  let changes: ChangeRow[] = [];
  let changePosition: string | null = null;
  let nthChange = 0;
  const statusCounts = new Map<string, Counting<StatusCountRow>>();
  const freshness = new Map<string, Counting<FreshnessRow>>();

  const forget = (row: EntryRow) => {
    byEntry.delete(row.entry);
    if (row.handle !== null && byHandle.get(keyOf(row.platform, row.handle))?.entry === row.entry) {
      byHandle.delete(keyOf(row.platform, row.handle));
    }
    if (row.native_id !== null) byId.delete(keyOf(row.platform, row.native_id));
  };

  const remember = (row: EntryRow) => {
    byEntry.set(row.entry, row);
    if (row.handle !== null) {
      const key = keyOf(row.platform, row.handle);
      byHandle.set(key, row);
      missing.delete(`handle ${key}`);
    }
    if (row.native_id !== null) {
      const key = keyOf(row.platform, row.native_id);
      byId.set(key, row);
      missing.delete(`id ${key}`);
    }
  };

  const count = (row: EntryRow, n: 1 | -1) => {
    const band = bandOf(row.followers);
    add(statusCounts, `${row.platform} ${row.status} ${band}`, n, () => ({
      platform: row.platform,
      status: row.status,
      band,
      n: 0,
    }));
    const slot = Math.floor(Date.parse(row.observed_at) / SLOT_MS);
    add(freshness, `${row.platform} ${slot}`, n, () => ({ platform: row.platform, slot, n: 0 }));
  };

  const state: State = {
    entryAt: (platform, handle) => byHandle.get(keyOf(platform, handle)),
    entryOf: (platform, nativeId) => byId.get(keyOf(platform, nativeId)),
    put: (before, after) => {
      if (before !== undefined) {
        // Most readings change neither handle nor ID: the lookup maps stay valid.
        if (before.handle !== after.handle || before.native_id !== after.native_id) forget(before);
        count(before, -1);
      }
      remember(after);
      count(after, 1);
      changed.add(after.entry);
      if (before?.handle !== after.handle || before?.display_name !== after.display_name)
        renamed.add(after.entry);
      if (before === undefined ? after.links.length > 0 : before.links !== after.links)
        relinked.add(after.entry);
    },
    remove: (entry) => {
      forget(entry);
      count(entry, -1);
      changed.delete(entry.entry);
      removed.set(entry.entry, entry);
    },
    addHistory: (row) => history.push(row),
    addChange: (row) => {
      // A batch contains all events that take effect at a position.
      nthChange = row.position === changePosition ? nthChange + 1 : 0;
      changePosition = row.position;
      changes.push({ ...row, n: nthChange });
    },
  };

  const isFull = () => byEntry.size + missing.size > MAX_KEPT;

  const load = async (db: Queryable, events: readonly RecordedEvent[]): Promise<void> => {
    // Only rows that have been written can be evicted.
    if (isFull() && changed.size === 0 && removed.size === 0) {
      for (const cache of [byEntry, byHandle, byId, missing]) cache.clear();
    }
    const wanted = { handle: [[], []] as [string[], string[]], id: [[], []] as [string[], string[]] };
    const want = (kind: 'handle' | 'id', platform: string, name: string) => {
      const key = keyOf(platform, name);
      const known = kind === 'handle' ? byHandle : byId;
      if (known.has(key) || missing.has(`${kind} ${key}`)) return;
      missing.add(`${kind} ${key}`);
      wanted[kind][0].push(platform);
      wanted[kind][1].push(name);
    };
    for (const event of events) {
      const { platform, handle } = accountOf(event.stream);
      want(handleIn(platform, handle) === null ? 'id' : 'handle', platform, handle);
      const profile = (event.data as { profile?: { id: string | null } }).profile;
      if (profile?.id != null) want('id', platform, profile.id);
    }
    if (wanted.handle[0].length + wanted.id[0].length === 0) return;
    const { rows } = await db.query<DriverRow<EntryRow>>({
      name: `load ${schema}.entries`,
      text: `select * from ${schema}.entries where ${pairCondition('platform', 'handle', 1)}
             union select * from ${schema}.entries where ${pairCondition('platform', 'native_id', 3)}`,
      values: [...wanted.handle, ...wanted.id],
    });
    for (const row of rows) {
      // The cache is newer than the row just loaded.
      if (!byEntry.has(row.entry as string) && !removed.has(row.entry as string)) remember(entryOfRow(row));
    }
  };

  /** Takes the buffered rows that no later event changes. */
  const takeAppended = (): readonly Write[] => {
    const kept = history.filter((row) => !removed.has(row.entry));
    const taken = [upserts(historyTable, kept), upserts(changeTable, changes)];
    history = [];
    changes = [];
    return taken;
  };

  const flush = (db: Queryable): Promise<void> => writeAll(db, schema, takeAppended());

  const write = async (db: Queryable): Promise<void> => {
    const rows = (entries: Set<string>) => [...entries].flatMap((entry) => byEntry.get(entry) ?? []);
    if (removed.size > 0) {
      const gone = [...removed.keys()];
      for (const table of ['entries', 'history', 'names', 'links']) {
        await db.query(`delete from ${schema}.${table} where entry = any($1)`, [gone]);
      }
    }
    const names = rows(renamed).map((row) => ({
      platform: row.platform,
      entry: row.entry,
      handle: row.handle ?? '',
      name: row.display_name ?? '',
    }));
    const relinkedRows = rows(relinked);
    if (relinkedRows.length > 0) {
      await db.query(`delete from ${schema}.links where entry = any($1)`, [relinkedRows.map((r) => r.entry)]);
    }
    await writeAll(db, schema, [
      upserts(entryTable, rows(changed)),
      upserts(nameTable, names),
      upserts(linkTable, relinkedRows.flatMap(linksOf)),
      ...takeAppended(),
      sums(statusCountTable, [...statusCounts.values()]),
      sums(freshnessTable, [...freshness.values()]),
    ]);
    for (const set of [changed, renamed, relinked]) set.clear();
    for (const map of [removed, statusCounts, freshness]) map.clear();
  };

  return { state, load, write, flush, isFull };
};

const add = <Row extends { n: number }>(
  counts: Map<string, Row>,
  key: string,
  n: number,
  make: () => Row,
) => {
  let counted = counts.get(key);
  if (counted === undefined) {
    counted = make();
    counts.set(key, counted);
  }
  counted.n += n;
};

const linksOf = (row: EntryRow): LinkRow[] => {
  const links = new Set(row.links.flatMap((link) => canonicalLink(link) ?? []));
  return [...links].map((link) => ({ platform: row.platform, entry: row.entry, link }));
};
