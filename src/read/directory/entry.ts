import { createBatcher } from '../../kernel/batch.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { descriptorOf } from '../../platforms/index.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { type EntryRow, entryTable } from '../../projections/views/directory/tables.ts';
import {
  FIELD_NAMES,
  type FieldName,
  isEmptyValue,
  LASTING_FIELDS,
  measuredAt,
  olderValues,
  oldestShownAt,
  type ValueTimes,
} from '../../write/accounts/profile.ts';
import { type AccountKey, createLookups } from '../accounts.ts';
import type { Builds } from '../active-builds.ts';

/** Columns of an entry that only folding, sorting and paging need. */
const INTERNAL = [
  'entry',
  'observed_at',
  'kept',
  'native_id',
  'growth_7d',
  'growth_30d',
  'growth_samples',
  'words',
  'absorbed',
] as const;

/** An entry of the directory as returned by the API: its row, with the native ID as `id`. */
export interface Entry extends Omit<EntryRow, (typeof INTERNAL)[number]> {
  /** The platform's native ID; null if it has none or never showed it. */
  readonly id: string | null;
  /** Times of the values that are older than the last reading; absent if there are none. */
  readonly measured_at?: ValueTimes;
}

/** Columns that are not part of an entry: its key and the times of its values. */
export const ENTRY_COLUMNS = columnsExcept(entryTable, [
  'growth_7d',
  'growth_30d',
  'growth_samples',
  'words',
  'absorbed',
]);

/** An entry with its row position and the times of its values. */
export interface FoundEntry {
  readonly entry: Entry;
  readonly key: string;
  /** When a reading last found the account. */
  readonly last_seen_at: string;
  /** When the oldest of its values was read. */
  readonly oldest_at: string;
}

/** Fields that an opt-out leaves empty: its reading measures all but those that last. */
const MEASURED = FIELD_NAMES.filter((name) => !(LASTING_FIELDS as readonly FieldName[]).includes(name));

/**
 * Whether an account asks not to be shown to strangers, according to its last reading: nothing that was known before is shown
 * either, until a reading shows it again.
 */
export const isWithheld = (entry: Pick<EntryRow, 'platform' | FieldName>): boolean =>
  descriptorOf(entry.platform).hasOptOuts === true && MEASURED.every((name) => isEmptyValue(entry[name]));

export const foundEntryOf = ({
  platform,
  entry: key,
  native_id: id,
  observed_at,
  kept,
  ...shown
}: Pick<EntryRow, (typeof ENTRY_COLUMNS)[number]>): FoundEntry => {
  const { last_seen_at } = shown;
  const aged = { observed_at, last_seen_at, kept };
  const older = olderValues(aged, shown);
  return {
    entry: {
      platform,
      id,
      ...shown,
      ...(isWithheld({ platform, ...shown }) ? { previous_handles: [] } : {}),
      ...measuredAt(older),
    },
    key,
    last_seen_at,
    oldest_at: oldestShownAt(aged, shown),
  };
};

/** The current name of an account that once had a handle. */
export interface PresentName {
  /** Null if another account has taken over the handle that was seen last. */
  readonly handle: string | null;
  readonly id: string | null;
}

/** Look-ups of entries; those of one tick share a query. */
export interface EntryReads {
  /** By handle or native ID. */
  find(key: AccountKey): Promise<FoundEntry | null>;
  /** The account that last had a handle; null if an account has it now, or none ever had it. */
  formerly(platform: Platform, handle: string): Promise<PresentName | null>;
}

const createFormerNames = (db: Queryable, builds: Builds): EntryReads['formerly'] => {
  const create = (platform: Platform) =>
    createBatcher<string, PresentName | null>(async (names) => {
      const schema = builds.schema('directory');
      const { rows } = await db.query<PresentName & { name: string }>(sql.named(
        `${schema} former names of ${platform}`,
      )`
        select f.name, e.handle, e.native_id as id from ${ident(schema)}.former_names_${ident(platform)} f
        join ${ident(schema)}.entries_${ident(platform)} e on e.platform = f.platform and e.entry = f.entry
        where f.platform = ${platform} and f.name = any(${names})`);
      const found = new Map(rows.map(({ name, handle, id }) => [name, { handle, id }]));
      return names.map((name) => found.get(name) ?? null);
    });
  const lookups = new Map<Platform, (name: string) => Promise<PresentName | null>>();
  return (platform, handle) => {
    const lookup = lookups.get(platform) ?? create(platform);
    lookups.set(platform, lookup);
    return lookup(handle);
  };
};

export const createEntryReads = (db: Queryable, builds: Builds): EntryReads => ({
  ...createLookups(db, {
    table: entryTable,
    columns: ENTRY_COLUMNS,
    partition: (platform) => `${builds.schema('directory')}.entries_${platform}`,
    found: foundEntryOf,
  }),
  formerly: createFormerNames(db, builds),
});
