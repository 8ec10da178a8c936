import type { EntryRow, FormerNameRow } from './tables.ts';

/** Entries, former names and negative lookups cached between batches. */
const MAX_KEPT = 100_000;

export type NameKind = 'handle' | 'id';

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
export class EntryCache {
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

  /** Whether a name has to be looked up; from then on it counts as missing until an entry has it. */
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
