import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { wordKey } from '../../write/people/words.ts';
import type { ListReads } from '../lists/lists.ts';
import { partsOf } from '../search-tokens.ts';

/** What a page of a search reads at most. */
export interface SearchLimits {
  /** Candidates that are looked up. */
  readonly persons: number;
  /** Rows of words for each token; at least as many. */
  readonly words: number;
  /** Persons of the list, where words are too common: in its order they cost a third of those that are looked up. */
  readonly scanned: number;
}

/** Ranks of the list that a page is looked for in. */
export interface Ranks {
  /** Null for the highest that there is. */
  readonly top: number | null;
  readonly bottom: number;
}

/** Persons of whom a page is made: all that match from the top rank to the floor are among them, each once. */
export interface Candidates {
  /** A query of their `rank` and `person`. */
  readonly query: FragmentSqlToken;
  /** Below it more may match, unless it is the bottom. */
  readonly floor: number;
}

/** Beginnings of words, one of which everybody has who matches: the token, or the longest of its parts. */
const beginningsOf = (token: string): readonly string[] => {
  const [longest] = partsOf(token).toSorted((a, b) => b.length - a.length);
  return [...new Set([token, longest ?? token].map(wordKey))];
};

/** Words that begin as a token, rank by rank from the top: in each rank they are a range of the index. */
const rowsOf = (schema: string, token: string, { top, bottom }: Ranks): FragmentSqlToken => {
  const words = sql.fragment`${sql.identifier([schema, 'words'])}`;
  const from = top === null ? sql.fragment`(select max(rank) from ${words})` : sql.fragment`${top}::int`;
  const ranges = beginningsOf(token).map(
    (prefix) => sql.fragment`
      select person from ${words}
      where rank = r.rank and word >= ${prefix} and word < ${`${prefix}\u{10ffff}`}`,
  );
  return sql.fragment`
    select r.rank, w.person from generate_series(${from}, ${bottom}::int, -1) as r(rank)
    cross join lateral (${sql.join(ranges, sql.fragment` union all `)} offset 0) w`;
};

const countSchema = z.object({ token: z.number(), rank: z.number(), n: z.number() });
type Count = z.output<typeof countSchema>;

/** Rows of words of each token by rank, from the top down, and one more than the bound at most. */
const countsOf = (
  lists: ListReads,
  schema: string,
  tokens: readonly string[],
  ranks: Ranks,
  max: number,
): Promise<readonly Count[]> => {
  const each = tokens.map(
    (token, i) => sql.fragment`
      select ${i}::int as token, rank, count(*)::int as n
      from (${rowsOf(schema, token, ranks)} limit ${max + 1}) as found group by rank`,
  );
  return lists.any(sql.type(countSchema)`
    select token, rank, n from (${sql.join(each, sql.fragment` union all `)}) as counts order by token, rank desc`);
};

/** What there is of a token down to the bottom, or as far as the bounds reach. */
const readOf = (
  token: string,
  counts: readonly Count[],
  bottom: number,
  { persons, words }: SearchLimits,
) => {
  let n = 0;
  let lookedUp: number | undefined;
  for (const { rank, n: more } of counts) {
    n += more;
    if (n > persons) lookedUp ??= rank;
  }
  const isCut = n > words;
  const floor = isCut ? (counts.at(-1) as Count).rank + 1 : bottom;
  return {
    token,
    n,
    /** The last rank that was read as a whole. */
    floor,
    /** The rank down to which its persons are looked up. */
    reach: Math.max(floor, lookedUp ?? bottom),
    /** Whether the first rank that has any was. */
    isReadable: !isCut || counts.length > 1,
  };
};

/**
 * Candidates of a page: of the token whose words reach furthest down the list, intersected with others as long as these
 * reach as far as its persons are looked up; null if each token has too many words in one rank. Only whole ranks are
 * candidates, as a rank is read in the order of words, not in that of the list.
 */
export const candidatesOf = async (
  lists: ListReads,
  schema: string,
  tokens: readonly string[],
  ranks: Ranks,
  limits: SearchLimits,
): Promise<Candidates | null> => {
  const counts = await countsOf(lists, schema, tokens, ranks, limits.words);
  const readable = tokens
    .map((token, i) =>
      readOf(
        token,
        counts.filter((count) => count.token === i),
        ranks.bottom,
        limits,
      ),
    )
    .filter(({ isReadable }) => isReadable)
    .toSorted((a, b) => a.reach - b.reach || a.n - b.n);
  const [best] = readable;
  if (best === undefined) return null;
  const used = best.n <= limits.persons ? [best] : readable.filter(({ floor }) => floor <= best.reach);
  const floor = Math.max(...used.map((each) => each.floor));
  const each = used.map(
    ({ token }) =>
      sql.fragment`select * from (${rowsOf(schema, token, { ...ranks, bottom: floor })}) as found`,
  );
  const both = sql.fragment`${sql.join(each, sql.fragment` intersect `)}`;
  return { query: sql.fragment`select distinct rank, person from (${both}) as candidates`, floor };
};
