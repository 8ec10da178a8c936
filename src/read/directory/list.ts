import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { rowSchemaOf } from '../../projections/table/table.ts';
import {
  ENTRY_SORT_KEYS,
  entryTable,
  NO_HANDLE,
  RARE_ENTRIES,
  UNKNOWN_RANK,
} from '../../projections/views/directory/tables.ts';
import { wordKey } from '../../write/people/names.ts';
import type { Builds } from '../active-builds.ts';
import { and, matches, partsOf, tokensIn, verbatim } from '../conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import { type ListReads, scan } from '../lists.ts';
import { ENTRY_COLUMNS, type Entry, type FoundEntry, foundEntryOf } from './entry.ts';

const positionSchema = z.object({ entry: z.string(), rank: z.union([z.number(), z.string()]) });

/** Columns of a row besides its position. */
const COLUMNS = ENTRY_COLUMNS.filter((name) => name !== 'entry');

const rowSchema = positionSchema.extend(rowSchemaOf(entryTable, COLUMNS).shape);

const foundOf = ({ rank: _, ...row }: z.output<typeof rowSchema>): FoundEntry => foundEntryOf(row);

/** Conditions by how they are checked: by the index that is walked, or on each of its rows. */
interface Conditions {
  readonly within: readonly FragmentSqlToken[];
  readonly scanned: readonly FragmentSqlToken[];
}

/** The index of rare entries among those that the filters allow: the walk visits only these. */
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
 * A page of entries, in constant time at any depth and for any filter. If a filter leaves few entries, they are looked up through
 * its own index and sorted. Otherwise the index of the sort is walked from the cursor, over a bounded number of rows.
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

export type EntrySort = keyof typeof ENTRY_SORT_KEYS;

export interface EntryFilters {
  readonly platform?: Platform | undefined;
  /** Prefixes of the handle or of words of the name. */
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

/** Filters on a single column each. */
type ColumnFilter = Exclude<keyof EntryFilters, 'platform' | 'q' | 'ranked'>;

export interface Sorting {
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
      sql.fragment`(${byRecency}, entry) < (${String(rank)}::timestamptz, ${String(entry)}::bigint)`,
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

/** SQL of the filters of one column. */
const FILTERS: {
  readonly [Name in ColumnFilter]: (value: NonNullable<EntryFilters[Name]>) => FragmentSqlToken;
} = {
  min_followers: (min) => sql.fragment`followers >= ${min}`,
  max_followers: (max) => sql.fragment`followers <= ${max}`,
  verified: (verified) => sql.fragment`verified = ${verified}`,
  status: (status) => sql.fragment`status = ${status}`,
  present: () => sql.fragment`status in ('active', 'private')`,
  seen_since: (since) => sql.fragment`last_seen_at >= ${since}::timestamptz`,
  created_since: (since) => sql.fragment`created_at >= ${since}::timestamptz`,
};

/**
 * Maximum number of entries that are looked up and sorted for a page, as many as a walk reads. If filters match more, the list is
 * walked.
 */
const MAX_CANDIDATES = 5_000;
/** Maximum number of keys of one word that are intersected with those of another. */
const MAX_KEYS = 20_000;

/** Where entries are listed from: the table of all platforms or of one, with its former names, and the words of both. */
export interface Listed {
  readonly table: FragmentSqlToken;
  readonly formerNames: FragmentSqlToken;
  readonly words: FragmentSqlToken;
}

/** A source of candidates: the entries that one filter leaves, through an index of its own. */
interface CandidateSource {
  /** Their number as a scalar expression, counted up to a bound. */
  readonly count: (max: number) => FragmentSqlToken;
  /** The entries, at most as many, as a table. */
  readonly rows: (max: number) => FragmentSqlToken;
  /** Their keys, distinct; of words only. */
  readonly keys?: (max: number) => FragmentSqlToken;
}

/**
 * Entries in a range of an index. With its order and a bound the planner takes the index, whatever it estimates, so that an empty
 * range is recognized at once.
 */
const ofRange = (
  table: FragmentSqlToken,
  where: FragmentSqlToken,
  order: FragmentSqlToken,
): CandidateSource => {
  const from = sql.fragment`from ${table} where ${where} order by ${order}`;
  return {
    count: (max) => sql.fragment`(select count(*)::int from (select 1 ${from} limit ${max}) as counted)`,
    rows: (max) => sql.fragment`(select * ${from} limit ${max}) as candidates`,
  };
};

/** The range of texts with a prefix in an index in byte order. */
export const beginsWith = (column: 'word' | 'handle', prefix: string): FragmentSqlToken => {
  const by = sql.identifier([column]);
  return sql.fragment`${by} >= ${prefix} and ${by} < ${`${prefix}\u{10ffff}`}`;
};

/** Accounts that last had a handle which no other account has now. */
const formerlyNamed = ({ formerNames }: Listed, handle: string): FragmentSqlToken =>
  sql.fragment`select f.platform, f.entry from ${formerNames} f where f.name = ${handle}`;

/**
 * Entries with a current or former handle that begins with a token, or with a word that begins with it. If the token has several
 * words, the longest one counts.
 */
const ofToken = (listed: Listed, token: string): CandidateSource => {
  const { table, words } = listed;
  const [longest] = partsOf(token).toSorted((a, b) => b.length - a.length);
  const word = wordKey(longest ?? token);
  const found = (max: number): FragmentSqlToken => sql.fragment`(
    (select platform, entry from ${table} where ${beginsWith('handle', token)} order by handle limit ${max})
    union all
    (${formerlyNamed(listed, token)})
    union all
    (select platform, entry from ${words} where ${beginsWith('word', word)} order by word limit ${max})
  ) as found`;
  const keys = (max: number) => sql.fragment`select distinct platform, entry from ${found(max)}`;
  return {
    keys,
    // With duplicates, since the bound of each prefix counts rows.
    count: (max) => sql.fragment`(select count(*)::int from ${found(max)})`,
    rows: (max) => rowsOf(table, keys(max)),
  };
};

/** The entries of keys, joined by look-ups, whatever the planner estimates. */
const rowsOf = (table: FragmentSqlToken, keys: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select e.* from (${keys}) as k
  cross join lateral (select * from ${table} t where t.platform = k.platform and t.entry = k.entry offset 0) e
) as candidates`;

const byFollowers = verbatim(ENTRY_SORT_KEYS.followers);
/** Of indexes that have its columns, so that counting visits no rows. */
const ORDER_BY_RECENCY = sql.fragment`last_seen_at desc, entry desc`;

const isRare = (status: string | undefined): status is string => status !== undefined && status !== 'active';

/** Sources for what the filters leave, except for filters that the index of the sort answers. */
const sourcesOf = ({ table }: Listed, filters: EntryFilters, sort: EntrySort): readonly CandidateSource[] => {
  const { min_followers: min, max_followers: max, seen_since, created_since, verified, status } = filters;
  const sources: CandidateSource[] = [];
  if (sort !== 'followers' && (min !== undefined || max !== undefined)) {
    const from = min === undefined ? sql.fragment`> ${verbatim(UNKNOWN_RANK)}` : sql.fragment`>= ${min}`;
    const to = max === undefined ? sql.fragment`` : sql.fragment` and ${byFollowers} <= ${max}`;
    sources.push(
      ofRange(
        table,
        sql.fragment`${byFollowers} ${from}${to}`,
        sql.fragment`${byFollowers} desc, entry desc`,
      ),
    );
  }
  if (sort !== 'recent' && seen_since !== undefined) {
    sources.push(ofRange(table, sql.fragment`last_seen_at >= ${seen_since}::timestamptz`, ORDER_BY_RECENCY));
  }
  if (created_since !== undefined) {
    sources.push(
      ofRange(table, sql.fragment`created_at >= ${created_since}::timestamptz`, sql.fragment`created_at`),
    );
  }
  const rare = [
    ...(verified === true ? [verbatim(RARE_ENTRIES.verified)] : []),
    ...(isRare(status) ? [sql.fragment`status = ${status}`] : []),
  ];
  if (rare.length > 0) sources.push(ofRange(table, and(rare), ORDER_BY_RECENCY));
  return sources;
};

const countsSchema = z.object({ counts: z.array(z.number()) });

const countsOf = async (
  lists: ListReads,
  counts: readonly FragmentSqlToken[],
): Promise<readonly number[]> => {
  if (counts.length === 0) return [];
  const [row] = await lists.any(
    sql.type(countsSchema)`select array[${sql.join([...counts], sql.fragment`, `)}] as counts`,
  );
  return row?.counts ?? [];
};

/**
 * All entries that one of the filters leaves, or that two words of the search share, as a table of at most `MAX_CANDIDATES` rows;
 * null if each leaves more. Bounded counts decide, not estimates: a range that the statistics don't know would be scanned to its
 * end.
 */
const findCandidates = async (
  lists: ListReads,
  listed: Listed,
  filters: EntryFilters,
  tokens: readonly string[],
  sort: EntrySort,
  max = MAX_CANDIDATES,
): Promise<FragmentSqlToken | null> => {
  const words = tokens.map((token) => ofToken(listed, token));
  const others = sourcesOf(listed, filters, sort);
  const counts = await countsOf(lists, [
    ...others.map(({ count }) => count(max + 1)),
    ...words.map(({ count }) => count(words.length > 1 ? MAX_KEYS + 1 : max + 1)),
  ]);
  const ranked = [...others, ...words]
    .map((source, i) => ({ source, n: counts[i] ?? 0 }))
    .toSorted((a, b) => a.n - b.n);
  const [least] = ranked;
  if (least === undefined) return null;
  if (least.n <= max) return least.source.rows(max);
  const [a, b] = ranked.flatMap(({ source, n }) => (n <= MAX_KEYS ? (source.keys?.(MAX_KEYS) ?? []) : []));
  if (a === undefined || b === undefined) return null;
  const both = sql.fragment`(${a}) intersect (${b})`;
  const [n = 0] = await countsOf(lists, [
    sql.fragment`(select count(*)::int from (${both} limit ${max + 1}) as counted)`,
  ]);
  return n <= max ? rowsOf(listed.table, both) : null;
};
