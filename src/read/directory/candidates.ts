import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { ENTRY_SORT_KEYS, RARE_ENTRIES, UNKNOWN_RANK } from '../../projections/views/directory/tables.ts';
import { wordKey } from '../../write/people/words.ts';
import { and } from '../conditions.ts';
import type { ListReads } from '../lists/lists.ts';
import { partsOf } from '../search-tokens.ts';
import { verbatim } from '../verbatim.ts';
import type { EntryFilters, EntrySort } from './sortings.ts';

/** Entries that are looked up and sorted for a page, as many as a walk reads; of filters that match more, the list is walked. */
const MAX_CANDIDATES = 5_000;
/** Keys of a word that are intersected with those of another. */
const MAX_KEYS = 20_000;

/** Where entries are listed from: the table of all platforms or of one, with its former names, and the words of both. */
export interface Listed {
  readonly table: FragmentSqlToken;
  readonly formerNames: FragmentSqlToken;
  readonly words: FragmentSqlToken;
}

/** A way to the entries that one filter leaves over, through an index of its own. */
interface Source {
  /** Number of them in a scalar expression, counted up to a bound. */
  readonly count: (max: number) => FragmentSqlToken;
  /** The entries, at most as many, as a table. */
  readonly rows: (max: number) => FragmentSqlToken;
  /** Their keys, distinct; of words only. */
  readonly keys?: (max: number) => FragmentSqlToken;
}

/**
 * Entries in a range of an index. In its order and with a bound the planner takes the index, whatever it estimates: a
 * range that is empty is found to be so at once.
 */
const ofRange = (table: FragmentSqlToken, where: FragmentSqlToken, order: FragmentSqlToken): Source => {
  const from = sql.fragment`from ${table} where ${where} order by ${order}`;
  return {
    count: (max) => sql.fragment`(select count(*)::int from (select 1 ${from} limit ${max}) as counted)`,
    rows: (max) => sql.fragment`(select * ${from} limit ${max}) as candidates`,
  };
};

/** Where texts with a prefix are in an index in byte order. */
export const beginsWith = (column: 'word' | 'handle', prefix: string): FragmentSqlToken => {
  const by = sql.identifier([column]);
  return sql.fragment`${by} >= ${prefix} and ${by} < ${`${prefix}\u{10ffff}`}`;
};

/** Accounts that had a handle last which no other has now. */
export const formerlyNamed = ({ formerNames }: Listed, handle: string): FragmentSqlToken =>
  sql.fragment`select f.platform, f.entry from ${formerNames} f where f.name = ${handle}`;

/**
 * Entries whose handle begins as a token, or was one, or which have a word that begins as it or, if it is several, as the
 * longest.
 */
const ofToken = (listed: Listed, token: string): Source => {
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
    // With duplicates, as the bound of each prefix is one of rows.
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
const byRecency = sql.fragment`last_seen_at desc, entry desc`;

export const isRare = (status: string | undefined): status is string =>
  status !== undefined && status !== 'active';

/** Ways to what the filters leave over, but for those that the index of the sort answers. */
const sourcesOf = ({ table }: Listed, filters: EntryFilters, sort: EntrySort): readonly Source[] => {
  const { min_followers: min, max_followers: max, seen_since, created_since, verified, status } = filters;
  const sources: Source[] = [];
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
    sources.push(ofRange(table, sql.fragment`last_seen_at >= ${seen_since}::timestamptz`, byRecency));
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
  if (rare.length > 0) sources.push(ofRange(table, and(rare), byRecency));
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
 * All entries that one of the filters leaves over, or two words of the search, as a table of at most `MAX_CANDIDATES`
 * rows; null if each leaves over more. Bounded counts decide, not estimates: a range that the statistics know nothing
 * of would be scanned to its end.
 */
export const findCandidates = async (
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
