import type { Queryable } from '../../kernel/postgres/pool.ts';
import { textReader } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { type EntryRow, entryTable } from '../../projections/views/directory/tables.ts';
import { measuredAt, olderValues, oldestShownAt, type ValueTimes } from '../../write/accounts/value-ages.ts';
import { type AccountKey, createLookups } from '../accounts/lookups.ts';
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
] as const;

/** An entry of the directory as returned by the API: its row, with the native ID as `id`. */
export interface Entry extends Omit<EntryRow, (typeof INTERNAL)[number]> {
  /** The platform's native ID; null if it has none or never showed it. */
  readonly id: string | null;
  /** Values that are older than the last reading, with their times; absent if none is. */
  readonly measured_at?: ValueTimes;
}

/** Columns behind an entry, its position and the times of its values. */
export const ENTRY_COLUMNS = columnsExcept(entryTable, [
  'growth_7d',
  'growth_30d',
  'growth_samples',
  'words',
]);

/** An entry with its row position and the times of its values. */
export interface FoundEntry {
  readonly entry: Entry;
  readonly key: string;
  /** When it was last found to exist. */
  readonly last_seen_at: string;
  /** When the oldest of its values was read. */
  readonly oldest_at: string;
}

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
    entry: { platform, id, ...shown, ...measuredAt(older) },
    key,
    last_seen_at,
    oldest_at: oldestShownAt(aged, shown),
  };
};

const reader = textReader(entryTable, ENTRY_COLUMNS);

/** Look-ups of entries by handle or native ID; those of one tick share a query. */
export const createEntryReads = (
  db: Queryable,
  builds: Builds,
): { find(key: AccountKey): Promise<FoundEntry | null> } =>
  createLookups(db, {
    table: (platform) => `${builds.schema('directory')}.entries_${platform}`,
    reader,
    found: foundEntryOf,
  });
