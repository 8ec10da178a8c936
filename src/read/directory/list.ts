import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { entryTable, RARE_ENTRIES } from '../../projections/views/directory/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';
import { matches, tokensIn } from '../search-tokens.ts';
import { verbatim } from '../verbatim.ts';
import { findCandidates, formerlyNamed, isRare } from './candidates.ts';
import { ENTRY_COLUMNS, type Entry, type FoundEntry, foundEntryOf } from './entry.ts';
import { type EntryFilters, type EntrySort, FILTERS, SORTINGS, type Sorting } from './sortings.ts';

export type { EntryFilters, EntrySort } from './sortings.ts';

const positionSchema = z.object({ entry: z.string(), rank: z.union([z.number(), z.string()]) });

/** Columns of a row besides its position. */
const COLUMNS = ENTRY_COLUMNS.filter((name) => name !== 'entry');

const rowSchema = positionSchema.extend(rowSchemaOf(entryTable, COLUMNS).shape);

const foundOf = ({ rank: _, ...row }: z.output<typeof rowSchema>): FoundEntry => foundEntryOf(row);

/** Conditions by what answers them: the index that is walked, or a check of each of its rows. */
interface Conditions {
  readonly within: readonly FragmentSqlToken[];
  readonly scanned: readonly FragmentSqlToken[];
}

/** The index of entries that are rare, of those that the filters allow: the walk is over these only. */
const rareOf = ({ verified, status }: EntryFilters) => {
  if (verified === true) return { answers: 'verified', where: verbatim(RARE_ENTRIES.verified) } as const;
  if (!isRare(status)) return null;
  return { answers: 'status', where: sql.fragment`status = ${status}` } as const;
};

const conditionsOf = (filters: EntryFilters, sorting: Sorting): Conditions => {
  const byIndex = sorting.within(filters);
  const rare = rareOf(filters);
  const within: FragmentSqlToken[] = rare === null ? [] : [rare.where];
  const scanned: FragmentSqlToken[] = [];
  for (const [name, filter] of Object.entries(FILTERS) as [
    keyof typeof FILTERS,
    (value: never) => FragmentSqlToken,
  ][]) {
    const value = filters[name];
    if (value === undefined || name === rare?.answers) continue;
    const entered = byIndex[name];
    if (entered === undefined) scanned.push(filter(value as never));
    else within.push(entered);
  }
  if (filters.ranked === true && byIndex.ranked !== undefined) within.push(byIndex.ranked);
  return { within, scanned };
};

const positionOf = ({ rank, entry }: z.output<typeof positionSchema>): [string | number, string] => [
  rank,
  entry,
];

/** Marks a cursor of a walk, so that the next page need not count candidates again. */
const WIDE = 'wide';

/** Bounds of a page, for tests: rows walked over, and candidates. */
export interface PageBounds {
  readonly scanned?: number;
  readonly candidates?: number;
}

/**
 * A page of entries, in constant time at any depth and for any filter. What a filter leaves few of is looked up through
 * its own index and sorted; otherwise the index of the sort is walked from the cursor, over a bounded number of rows.
 */
export const listEntries = async (
  lists: ListReads,
  builds: Builds,
  filters: EntryFilters,
  sort: EntrySort,
  limit: number,
  after: CursorPosition | null,
  bounds: PageBounds = {},
): Promise<ListPage<Entry>> => {
  const schema = builds.schema('directory');
  const tokens = filters.q === undefined ? null : tokensIn(filters.q);
  if (tokens?.length === 0) return { items: [], next: null, oldestMs: null };
  const part = filters.platform === undefined ? '' : `_${filters.platform}`;
  const listed = {
    table: sql.fragment`${sql.identifier([schema, `entries${part}`])}`,
    formerNames: sql.fragment`${sql.identifier([schema, `former_names${part}`])}`,
    words: sql.fragment`${sql.identifier([schema, 'words'])}`,
  };
  const sorting = SORTINGS[sort];
  const { within, scanned } = conditionsOf(filters, sorting);
  const named = (tokens ?? []).map((token) => formerlyNamed(listed, token));
  const found = matches(tokens ?? []).map(
    (match, i) => sql.fragment`(${match} or (platform, entry) in (${named[i] as FragmentSqlToken}))`,
  );
  const checked = [...scanned, ...found];
  const from = after === null ? within : [...within, sorting.after(after)];
  const candidates =
    after?.[2] === WIDE
      ? null
      : await findCandidates(lists, listed, filters, tokens ?? [], sort, bounds.candidates);
  const { rows, end } = await scan(
    lists,
    {
      table: candidates ?? listed.table,
      ranked: sql.fragment`, ${sorting.by} as rank`,
      rowPosition: sql.fragment`entry, rank`,
      columns: COLUMNS,
      row: rowSchema,
      at: positionSchema,
      within: candidates === null ? from : [...from, ...checked],
      filters: candidates === null ? checked : [],
      order: sorting.order,
      orderByName: sorting.orderByName,
    },
    limit,
    bounds.scanned,
  );
  const mark = (position: [string | number, string]): CursorPosition =>
    candidates === null ? [...position, WIDE] : position;
  const read = rows.map((row) => ({ rank: row.rank, entry: row.entry, found: foundOf(row) }));
  const page = pageOf(read, limit, {
    item: ({ found }) => found.entry,
    position: (row) => mark(positionOf(row)),
    observedMs: ({ found }) => Date.parse(found.oldest_at),
  });
  return { ...page, next: page.next ?? (end === null ? null : mark(positionOf(end))) };
};
