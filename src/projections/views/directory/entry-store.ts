import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { canonicalLink } from '../../../kernel/text.ts';
import { handleIn } from '../../../platforms/index.ts';
import { accountOf } from '../../../write/accounts/account.ts';
import { oldestShownAt } from '../../../write/accounts/profile.ts';
import { type ErasedAccount, type ErasedAccounts, loadErased } from '../../erased-accounts.ts';
import type { Identities } from '../../identity.ts';
import type { AppliedEvent } from '../../projection.ts';
import { deleteRows, sums, upserts, type Write, writeAll } from '../../table/bulk.ts';
import { driverReader, loadRows } from '../../table/table.ts';
import {
  bandOf,
  type ChangeRow,
  changeTable,
  type EntryRow,
  entryTable,
  type FormerNameRow,
  type FreshnessRow,
  formerNameTable,
  freshnessTable,
  type HistoryRow,
  historyTable,
  type LinkRow,
  linkTable,
  SLOT_MS,
  type StatusCountRow,
  statusCountTable,
  type WordRow,
  wordKeys,
  wordTable,
} from './tables.ts';

/** Entries, former names and negative lookups cached between batches. */
const MAX_KEPT = 100_000;

type NameKind = 'handle' | 'id';

/** Values by platform and name. The names are those of the rows: joined to keys, they would take as much memory again. */
class ByName<Value> {
  readonly #platforms = new Map<string, Map<string, Value>>();

  get(platform: string, name: string): Value | undefined {
    return this.#platforms.get(platform)?.get(name);
  }

  set(platform: string, name: string, value: Value): void {
    let names = this.#platforms.get(platform);
    if (names === undefined) {
      names = new Map();
      this.#platforms.set(platform, names);
    }
    names.set(name, value);
  }

  delete(platform: string, name: string): void {
    this.#platforms.get(platform)?.delete(name);
  }

  get size(): number {
    let size = 0;
    for (const names of this.#platforms.values()) size += names.size;
    return size;
  }
}

/** Entries in memory, by each of the names that events use. */
class EntryCache {
  readonly #byEntry = new Map<string, EntryRow>();
  readonly #named: Readonly<Record<NameKind, ByName<EntryRow>>> = { handle: new ByName(), id: new ByName() };
  /** Former names; null if one was looked up and does not exist. */
  readonly formerNames = new ByName<FormerNameRow | null>();
  /** Handles and IDs that were looked up and do not exist. */
  readonly #missing: Readonly<Record<NameKind, ByName<true>>> = { handle: new ByName(), id: new ByName() };

  get isFull(): boolean {
    const { handle, id } = this.#missing;
    return this.#byEntry.size + this.formerNames.size + handle.size + id.size > MAX_KEPT;
  }

  entry(entry: string): EntryRow | undefined {
    return this.#byEntry.get(entry);
  }

  by(kind: NameKind, platform: string, name: string): EntryRow | undefined {
    return this.#named[kind].get(platform, name);
  }

  /** Whether a name has to be looked up. From then on it counts as missing until an entry has it. */
  lacks(kind: NameKind, platform: string, name: string): boolean {
    if (this.by(kind, platform, name) !== undefined) return false;
    if (this.#missing[kind].get(platform, name) !== undefined) return false;
    this.#missing[kind].set(platform, name, true);
    return true;
  }

  remember(row: EntryRow): void {
    this.#byEntry.set(row.entry, row);
    this.#index('handle', row, row.handle);
    this.#index('id', row, row.native_id);
  }

  #index(kind: NameKind, row: EntryRow, name: string | null): void {
    if (name === null) return;
    this.#named[kind].set(row.platform, name, row);
    this.#missing[kind].delete(row.platform, name);
  }

  forget(row: EntryRow): void {
    this.#byEntry.delete(row.entry);
    if (row.handle !== null && this.by('handle', row.platform, row.handle)?.entry === row.entry) {
      this.#named.handle.delete(row.platform, row.handle);
    }
    if (row.native_id !== null) this.#named.id.delete(row.platform, row.native_id);
  }
}

const entryOfRow = driverReader(entryTable);
const formerNameOfRow = driverReader(formerNameTable);

/** The directory rows of a batch: a unit of work. */
export interface State extends Identities<EntryRow> {
  /** Stores a new or changed entry; `before` is the row it replaces. */
  put(before: EntryRow | undefined, after: EntryRow): void;
  remove(entry: EntryRow): void;
  /** Removes an entry, and the changes that it ever had. */
  erase(entry: EntryRow): void;
  /** The account of a digest; undefined if it was forgotten before. */
  erased(subject: string): ErasedAccount | undefined;
  /** The name of a stream whose account is now in another entry. */
  formerName(platform: string, name: string): FormerNameRow | undefined;
  putFormerName(row: FormerNameRow): void;
  /** Forgets a former name, because an account has it again. */
  removeFormerName(platform: string, name: string): void;
  addHistory(row: HistoryRow): void;
  /** Appends a change after those of the same position, or as the first one. */
  addChange(row: Omit<ChangeRow, 'n'>, first: number): void;
}

/** A counter row that is still being incremented. */
type Counting<Row extends { readonly n: number }> = Omit<Row, 'n'> & { n: number };

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

/** The names that streams of an erased account may have. */
export const namesOfErased = ({ native_id, handles }: ErasedAccount): readonly string[] =>
  native_id === null ? handles : [...handles, native_id];

/** The names that events use of entries, those of handles and those of IDs, as two columns each. */
type WantedNames = Readonly<Record<NameKind, readonly [platforms: string[], names: string[]]>>;

export class Store implements State {
  readonly #schema: string;
  #entries = new EntryCache();
  readonly #changed = new Set<string>();
  /** Entries whose words changed, and those of them that had words before. */
  readonly #renamed = new Set<string>();
  readonly #formerlyNamed = new Set<string>();
  readonly #relinked = new Set<string>();
  readonly #removed = new Map<string, EntryRow>();
  /** Entries whose changes go, too, by platform. */
  readonly #erased = new Map<string, Pick<EntryRow, 'platform' | 'entry'>>();
  #subjects: ErasedAccounts = new Map();
  readonly #changedNames = new Map<string, readonly [platform: string, name: string]>();
  #history: HistoryRow[] = [];
  #changes: ChangeRow[] = [];
  #changePosition: string | null = null;
  #nthChange = 0;
  readonly #statusCounts = new Map<string, Counting<StatusCountRow>>();
  readonly #freshness = new Map<string, Counting<FreshnessRow>>();

  constructor(schema: string) {
    this.#schema = schema;
  }

  entryAt(platform: string, handle: string): EntryRow | undefined {
    return this.#entries.by('handle', platform, handle);
  }

  entryOf(platform: string, nativeId: string): EntryRow | undefined {
    return this.#entries.by('id', platform, nativeId);
  }

  put(before: EntryRow | undefined, after: EntryRow): void {
    if (before !== undefined) {
      // Most readings change neither handle nor ID: the lookup maps stay valid.
      if (before.handle !== after.handle || before.native_id !== after.native_id)
        this.#entries.forget(before);
      this.#count(before, -1);
    }
    this.#entries.remember(after);
    this.#count(after, 1);
    this.#changed.add(after.entry);
    if (before?.display_name !== after.display_name) {
      this.#renamed.add(after.entry);
      if (before?.display_name != null) this.#formerlyNamed.add(after.entry);
    }
    if (before === undefined ? after.links.length > 0 : before.links !== after.links) {
      this.#relinked.add(after.entry);
    }
  }

  remove(entry: EntryRow): void {
    this.#entries.forget(entry);
    this.#count(entry, -1);
    this.#changed.delete(entry.entry);
    this.#removed.set(entry.entry, entry);
  }

  erase(entry: EntryRow): void {
    this.remove(entry);
    for (const key of [entry.entry, ...(entry.absorbed ?? [])])
      this.#erased.set(key, { platform: entry.platform, entry: key });
  }

  erased(subject: string): ErasedAccount | undefined {
    return this.#subjects.get(subject);
  }

  formerName(platform: string, name: string): FormerNameRow | undefined {
    return this.#entries.formerNames.get(platform, name) ?? undefined;
  }

  putFormerName(row: FormerNameRow): void {
    this.#entries.formerNames.set(row.platform, row.name, row);
    this.#changedNames.set(`${row.platform} ${row.name}`, [row.platform, row.name]);
  }

  removeFormerName(platform: string, name: string): void {
    if (this.formerName(platform, name) === undefined) return;
    this.#entries.formerNames.set(platform, name, null);
    this.#changedNames.set(`${platform} ${name}`, [platform, name]);
  }

  addHistory(row: HistoryRow): void {
    this.#history.push(row);
  }

  addChange(row: Omit<ChangeRow, 'n'>, first: number): void {
    // A batch contains all events that take effect at a position.
    this.#nthChange = row.position === this.#changePosition ? this.#nthChange + 1 : first;
    this.#changePosition = row.position;
    this.#changes.push({ ...row, n: this.#nthChange });
  }

  /** Whether the cache exceeds its limit. */
  isFull(): boolean {
    return this.#entries.isFull;
  }

  async load(db: Queryable, events: readonly AppliedEvent[]): Promise<void> {
    // Only rows that have been written can be evicted.
    const pending = this.#changed.size + this.#removed.size + this.#changedNames.size;
    if (this.isFull() && pending === 0) this.#entries = new EntryCache();
    this.#subjects = await loadErased(db, events);
    await this.#loadEntries(db, this.#namesIn(events));
    await this.#loadFormerNames(db, events);
    await this.#loadEntries(db, this.#formerOwnersOf(events));
  }

  async #loadEntries(db: Queryable, wanted: WantedNames): Promise<void> {
    if (wanted.handle[0].length + wanted.id[0].length === 0) return;
    const [[byHandle, handles], [byId, ids]] = [wanted.handle, wanted.id];
    const rows = await loadRows(db, this.#schema, entryTable, [
      { column: 'handle', platforms: byHandle, values: handles },
      { column: 'native_id', platforms: byId, values: ids },
    ]);
    for (const row of rows) {
      const entry = row.entry as string;
      // The cache is newer than the row just loaded.
      const isKnown = this.#entries.entry(entry) !== undefined || this.#removed.has(entry);
      if (!isKnown) this.#entries.remember(entryOfRow(row));
    }
  }

  /** Loads former names that no account has now: the others have no row. */
  async #loadFormerNames(db: Queryable, events: readonly AppliedEvent[]): Promise<void> {
    const [platforms, values]: [string[], string[]] = [[], []];
    const want = (platform: string, name: string): void => {
      if (this.entryAt(platform, name) !== undefined) return;
      if (this.#entries.formerNames.get(platform, name) !== undefined) return;
      this.#entries.formerNames.set(platform, name, null);
      platforms.push(platform);
      values.push(name);
    };
    for (const { stream } of events) {
      const { platform, handle } = accountOf(stream);
      want(platform, handle);
    }
    for (const account of this.#subjects.values())
      for (const name of namesOfErased(account)) want(account.platform, name);
    if (values.length === 0) return;
    const rows = await loadRows(db, this.#schema, formerNameTable, [{ column: 'name', platforms, values }]);
    for (const row of rows.map((raw) => formerNameOfRow<FormerNameRow>(raw)))
      this.#entries.formerNames.set(row.platform, row.name, row);
  }

  /** Writes the buffered history and changes, and keeps the other rows buffered. */
  flush(db: Queryable): Promise<void> {
    return writeAll(db, this.#schema, this.#takeAppended());
  }

  async write(db: Queryable): Promise<void> {
    await this.#deleteRemoved(db);
    const relinked = this.#rows(this.#relinked);
    await this.#deleteOf(db, linkTable, relinked);
    await this.#deleteOf(db, wordTable, this.#rows(this.#formerlyNamed));
    const names = [...this.#changedNames.values()].map(([platform, name]) => ({
      key: { platform, name } as Pick<FormerNameRow, 'platform' | 'name'>,
      row: this.formerName(platform, name),
    }));
    await deleteRows(
      db,
      this.#schema,
      formerNameTable,
      names.flatMap(({ key, row }) => (row === undefined ? [key] : [])),
    );
    await writeAll(db, this.#schema, [
      upserts(entryTable, this.#rows(this.#changed)),
      upserts(
        formerNameTable,
        names.flatMap(({ row }) => row ?? []),
      ),
      upserts(wordTable, this.#rows(this.#renamed).flatMap(wordsOf)),
      upserts(linkTable, relinked.flatMap(linksOf)),
      ...this.#takeAppended(),
      sums(statusCountTable, [...this.#statusCounts.values()]),
      sums(freshnessTable, [...this.#freshness.values()]),
    ]);
    for (const set of [this.#changed, this.#renamed, this.#formerlyNamed, this.#relinked]) set.clear();
    for (const map of [this.#removed, this.#erased, this.#changedNames, this.#statusCounts, this.#freshness])
      map.clear();
  }

  /** Collects names of entries that are not in memory. */
  #wanting() {
    const wanted: WantedNames = { handle: [[], []], id: [[], []] };
    const want = (kind: NameKind, platform: string, name: string) => {
      if (!this.#entries.lacks(kind, platform, name)) return;
      wanted[kind][0].push(platform);
      wanted[kind][1].push(name);
    };
    return { wanted, want };
  }

  /** The accounts that former names of streams showed. An unchanged reading refers to them. */
  #formerOwnersOf(events: readonly AppliedEvent[]): WantedNames {
    const { wanted, want } = this.#wanting();
    for (const { stream } of events) {
      const { platform, handle: name } = accountOf(stream);
      const id = this.formerName(platform, name)?.shown?.seen.profile.id ?? null;
      if (id !== null) want('id', platform, id);
    }
    return wanted;
  }

  /** The names that events use. */
  #namesIn(events: readonly AppliedEvent[]): WantedNames {
    const { wanted, want } = this.#wanting();
    for (const event of events) {
      const { platform, handle } = accountOf(event.stream);
      want(handleIn(platform, handle) === null ? 'id' : 'handle', platform, handle);
      const profile = (event.data as { profile?: { id: string | null } }).profile;
      if (profile?.id != null) want('id', platform, profile.id);
    }
    for (const { platform, native_id: id } of this.#subjects.values())
      if (id !== null) want('id', platform, id);
    return wanted;
  }

  #rows(entries: ReadonlySet<string>): readonly EntryRow[] {
    return [...entries].flatMap((entry) => this.#entries.entry(entry) ?? []);
  }

  /** Takes the buffered rows that no later event changes. */
  #takeAppended(): readonly Write[] {
    const kept = this.#history.filter((row) => !this.#removed.has(row.entry));
    const changes = this.#changes.filter(({ entry }) => entry === null || !this.#erased.has(entry));
    const taken = [upserts(historyTable, kept), upserts(changeTable, changes)];
    this.#history = [];
    this.#changes = [];
    return taken;
  }

  async #deleteRemoved(db: Queryable): Promise<void> {
    if (this.#removed.size === 0) return;
    const gone = [...this.#removed.values()];
    for (const table of [entryTable, historyTable, wordTable, linkTable])
      await this.#deleteOf(db, table, gone);
    await this.#deleteOf(db, changeTable, [...this.#erased.values()]);
  }

  /** Deletes the rows of a table that belong to entries. */
  async #deleteOf(
    db: Queryable,
    { name }: { readonly name: string },
    entries: readonly Pick<EntryRow, 'platform' | 'entry'>[],
  ) {
    if (entries.length === 0) return;
    await db.query(sql`
      delete from ${ident(this.#schema)}.${ident(name)} t using unnest(${entries.map(({ platform }) => platform)}::text[], ${entries.map(({ entry }) => entry)}::bigint[]) k(platform, entry)
      where t.platform = k.platform and t.entry = k.entry`);
  }

  #count(row: EntryRow, n: 1 | -1): void {
    const { platform, status, followers } = row;
    const band = bandOf(followers);
    add(this.#statusCounts, `${platform} ${status} ${band}`, n, () => ({ platform, status, band, n: 0 }));
    const slot = Math.floor(Date.parse(oldestShownAt(row, row)) / SLOT_MS);
    add(this.#freshness, `${platform} ${slot}`, n, () => ({ platform, slot, n: 0 }));
  }
}

const wordsOf = ({ platform, entry, display_name }: EntryRow): WordRow[] =>
  wordKeys(display_name).map((word) => ({ platform, entry, word }));

const linksOf = (row: EntryRow): LinkRow[] => {
  const links = new Set(row.links.flatMap((link) => canonicalLink(link) ?? []));
  return [...links].map((link) => ({ platform: row.platform, entry: row.entry, link }));
};
