import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import {
  ENTRY_SORT_KEYS,
  entryTable,
  NO_HANDLE,
  UNKNOWN_RANK,
} from '../../projections/views/directory/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';
import { verbatim } from '../verbatim.ts';
import { ENTRY_COLUMNS, type Entry, type FoundEntry, foundEntryOf } from './entry.ts';
import { findNarrow, foundIn, isMatch } from './search.ts';

export type EntrySort = 'followers' | 'recent' | 'handle' | 'growth_30d' | 'growth_7d';

export interface EntryFilters {
  readonly platform?: Platform | undefined;
  /** Prefix of the handle, or prefixes of words of the name. */
  readonly q?: string | undefined;
  readonly min_followers?: number | undefined;
  readonly max_followers?: number | undefined;
  readonly verified?: boolean | undefined;
  readonly status?: string | undefined;
  readonly seen_since?: string | undefined;
  /** Only accounts that the last reading found, private ones included. */
  readonly present?: boolean | undefined;
  readonly created_since?: string | undefined;
  /** Only entries with a known sort value. */
  readonly ranked?: boolean | undefined;
}

const positionSchema = z.object({
  entry: z.bigint(),
  rank: z.union([z.bigint(), z.number(), z.string()]),
});

/** Columns of a row besides its position. */
const COLUMNS = ENTRY_COLUMNS.filter((name) => name !== 'entry');

const rowSchema = positionSchema.extend(rowSchemaOf(entryTable, COLUMNS).shape);

const foundOf = ({ rank: _, entry, ...row }: z.output<typeof rowSchema>): FoundEntry =>
  foundEntryOf({ ...row, entry: String(entry) });

interface Sorting {
  /** Expression of the sort's index, verbatim. */
  readonly by: FragmentSqlToken;
  readonly order: FragmentSqlToken;
  readonly orderByName: FragmentSqlToken;
  readonly after: (position: CursorPosition) => FragmentSqlToken;
  /** Filters that the index answers, by name. */
  readonly within: (filters: EntryFilters) => Partial<Record<keyof EntryFilters, FragmentSqlToken>>;
}

const UNKNOWN = verbatim(UNKNOWN_RANK);

const numeric = (key: string): Sorting => {
  const by = verbatim(key);
  return {
    by,
    order: sql.fragment`${by} desc, entry desc`,
    orderByName: sql.fragment`rank desc, entry desc`,
    after: ([rank, entry]) =>
      sql.fragment`(${by}, entry) < (${String(rank)}::bigint, ${String(entry)}::bigint)`,
    within: () => ({ ranked: sql.fragment`${by} > ${UNKNOWN}` }),
  };
};

const byHandle = verbatim(ENTRY_SORT_KEYS.handle);
const byRecency = verbatim(ENTRY_SORT_KEYS.recent);

const followers = numeric(ENTRY_SORT_KEYS.followers);

const SORTINGS: Readonly<Record<EntrySort, Sorting>> = {
  followers: {
    ...followers,
    within: ({ min_followers: min, max_followers: max }) => ({
      ...followers.within({}),
      min_followers: sql.fragment`${followers.by} >= ${min ?? 0}`,
      max_followers: sql.fragment`${followers.by} <= ${max ?? 0} and ${followers.by} > ${UNKNOWN}`,
    }),
  },
  growth_7d: numeric(ENTRY_SORT_KEYS.growth_7d),
  growth_30d: numeric(ENTRY_SORT_KEYS.growth_30d),
  recent: {
    by: byRecency,
    order: sql.fragment`${byRecency} desc, entry desc`,
    orderByName: sql.fragment`rank desc, entry desc`,
    after: ([rank, entry]) =>
      sql.fragment`(${byRecency}, entry) < (${isoOf(Number(rank))}::timestamptz, ${String(entry)}::bigint)`,
    within: ({ seen_since: since }) => ({
      ranked: sql.fragment`true`,
      seen_since: sql.fragment`${byRecency} >= ${since ?? '-infinity'}::timestamptz`,
    }),
  },
  handle: {
    by: byHandle,
    order: sql.fragment`${byHandle}, entry`,
    orderByName: sql.fragment`rank, entry`,
    after: ([rank, entry]) =>
      sql.fragment`(${byHandle}, entry) > (${String(rank)}, ${String(entry)}::bigint)`,
    within: () => ({ ranked: sql.fragment`${byHandle} < ${verbatim(NO_HANDLE)}` }),
  },
};

/** SQL of each filter except the search. */
const FILTERS: {
  readonly [Name in Exclude<keyof EntryFilters, 'platform' | 'q' | 'ranked'>]: (
    value: NonNullable<EntryFilters[Name]>,
  ) => FragmentSqlToken;
} = {
  min_followers: (min) => sql.fragment`followers >= ${min}`,
  max_followers: (max) => sql.fragment`followers <= ${max}`,
  verified: (verified) => sql.fragment`verified = ${verified}`,
  status: (status) => sql.fragment`status = ${status}`,
  present: () => sql.fragment`status in ('active', 'private')`,
  seen_since: (since) => sql.fragment`last_seen_at >= ${since}::timestamptz`,
  created_since: (since) => sql.fragment`created_at >= ${since}::timestamptz`,
};

/** Splits the given filters into those that the sort's index answers and those that scanned rows are checked for. */
const narrowed = (filters: EntryFilters, sorting: Sorting) => {
  const byIndex = sorting.within(filters);
  const within: FragmentSqlToken[] = [];
  const scanned: FragmentSqlToken[] = [];
  for (const [name, filter] of Object.entries(FILTERS) as [
    keyof typeof FILTERS,
    (value: never) => FragmentSqlToken,
  ][]) {
    const value = filters[name];
    if (value === undefined) continue;
    const entered = byIndex[name];
    if (entered === undefined) scanned.push(filter(value as never));
    else within.push(entered);
  }
  if (filters.ranked === true && byIndex.ranked !== undefined) within.push(byIndex.ranked);
  return { within, scanned };
};

const positionOf = ({ rank, entry }: z.output<typeof positionSchema>): [string | number, string] => [
  typeof rank === 'bigint' ? String(rank) : rank,
  String(entry),
];

/** Marks a cursor of a wide search, so that the next page need not determine that again. */
const WIDE = 'wide';

/**
 * A page of entries: keyset pagination on the sort's index, with constant cost at any depth and a bounded scan for
 * any filter.
 */
export const listEntries = async (
  lists: ListReads,
  builds: Builds,
  filters: EntryFilters,
  sort: EntrySort,
  limit: number,
  after: CursorPosition | null,
  maxScanned?: number,
): Promise<ListPage<Entry>> => {
  const schema = builds.schema('directory');
  const name = filters.platform === undefined ? 'entries' : `entries_${filters.platform}`;
  const table = sql.fragment`${sql.identifier([schema, name])}`;
  const sorting = SORTINGS[sort];
  const { within, scanned } = narrowed(filters, sorting);
  if (after !== null) within.push(sorting.after(after));
  const { q } = filters;
  const isKnownWide = after?.[2] === WIDE;
  const found = q === undefined || isKnownWide ? null : await findNarrow(lists, schema, q, maxScanned);
  const isWide = q !== undefined && found === null;
  if (isWide) scanned.push(isMatch(schema, q));
  // Narrow searches look up all their matches: their pages are complete.
  const of = {
    table: found === null ? table : foundIn(table, found),
    ranked: sql.fragment`, ${sorting.by} as rank`,
    rowPosition: sql.fragment`entry, rank`,
    columns: COLUMNS,
    row: rowSchema,
    at: positionSchema,
    within: found === null ? within : [...within, ...scanned],
    filters: found === null ? scanned : [],
    order: sorting.order,
    orderByName: sorting.orderByName,
  };
  const { rows, end } = await scan(lists, of, limit, maxScanned);
  const mark = (position: [string | number, string]): CursorPosition =>
    isWide ? [...position, WIDE] : position;
  const read = rows.map((row) => ({ rank: row.rank, entry: row.entry, found: foundOf(row) }));
  const page = pageOf(read, limit, {
    item: ({ found }) => found.entry,
    position: (row) => mark(positionOf(row)),
    observedMs: ({ found }) => Date.parse(found.oldest_at),
  });
  return { ...page, next: page.next ?? (end === null ? null : mark(positionOf(end))) };
};
