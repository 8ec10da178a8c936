import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { wordKey } from '../../write/people/words.ts';
import type { ListReads } from '../lists/lists.ts';
import { partsOf } from '../search-tokens.ts';

/** What a page of a search reads at most. */
export interface SearchLimits {
  /** Candidates that are looked up. */
  readonly persons: number;
  /** Rows of words of each source, at least as many as `persons`. */
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

/** How the persons of a page are found: among candidates, or in the list, from a rank on that no match is above. */
export type Way =
  | {
      readonly is: 'look-up';
      /** A query of the `rank` and `person` of candidates: all that match down to the floor, each once. */
      readonly query: FragmentSqlToken;
      /** Below it more may match, unless it is the bottom. */
      readonly floor: number;
    }
  | { readonly is: 'scan'; readonly from: number };

/** Beginnings of words, one of which everybody has who matches. */
type Source = readonly string[];

/** Sources of a search that are read; who is in the others, too, is looked up. */
const MAX_SOURCES = 4;

const shortest = (source: Source): number => Math.min(...source.map(({ length }) => length));

/** Tokens, or their parts beside them: handles have separators. Long beginnings are rarer. */
const sourcesOf = (tokens: readonly string[]): readonly Source[] =>
  tokens
    .flatMap((token): readonly Source[] => {
      const parts = partsOf(token);
      if (parts.length === 0) return [[token]];
      return parts.map((part) => (token.startsWith(part) ? [part] : [token, part]));
    })
    .map((source) => source.map(wordKey))
    .toSorted((a, b) => shortest(b) - shortest(a))
    .slice(0, MAX_SOURCES);

/**
 * Words of a source, rank by rank from the top: in each rank they are ranges of the index.
 * @param limit of each range.
 */
const rowsOf = (
  schema: string,
  source: Source,
  { top, bottom }: Ranks,
  limit: FragmentSqlToken,
): FragmentSqlToken => {
  const words = sql.fragment`${sql.identifier([schema, 'words'])}`;
  const from = top === null ? sql.fragment`(select max(rank) from ${words})` : sql.fragment`${top}::int`;
  const ranges = source.map(
    (prefix) => sql.fragment`
      (select person from ${words}
      where rank = r.rank and word >= ${prefix} and word < ${`${prefix}\u{10ffff}`} ${limit})`,
  );
  return sql.fragment`
    select r.rank, w.person from generate_series(${from}, ${bottom}::int, -1) as r(rank)
    cross join lateral (${sql.join(ranges, sql.fragment` union all `)} offset 0) w`;
};

const countSchema = z.object({ source: z.number(), rank: z.number(), n: z.number() });
type Count = z.output<typeof countSchema>;

/**
 * Words of each source by rank, from the top down, and one more than the bound at most. In its order and with a bound the
 * planner takes the index, whatever it estimates: the range of one rank may have a tenth of all words.
 */
const countsOf = (
  lists: ListReads,
  schema: string,
  sources: readonly Source[],
  ranks: Ranks,
  max: number,
): Promise<readonly Count[]> => {
  const limit = sql.fragment`order by word, person limit ${max + 1}`;
  const each = sources.map(
    (source, i) => sql.fragment`
      select ${i}::int as source, rank, count(*)::int as n
      from (${rowsOf(schema, source, ranks, limit)} limit ${max + 1}) as found group by rank`,
  );
  return lists.any(sql.type(countSchema)`
    select source, rank, n from (${sql.join(each, sql.fragment` union all `)}) as counts order by source, rank desc`);
};

/** What there is of a source down to the bottom, or as far as the bounds reach. */
const readOf = (
  source: Source,
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
    source,
    n,
    /** The first rank that has any: no match is above it. */
    first: counts[0]?.rank ?? bottom,
    /** The last rank that was read as a whole: above the first if that one has too many. */
    floor,
    /** The rank down to which its persons are looked up. */
    reach: Math.max(floor, lookedUp ?? bottom),
  };
};

/** Counts of words until they are of ranks that may have matches. */
const MAX_COUNTS = 3;

/**
 * The way to a page: among candidates of the source that reaches furthest down the list, intersected with others as long as
 * these reach as far as its persons are looked up; a scan if each source has too many words in its first rank. Only whole
 * ranks are candidates, as a rank is read in the order of words, not in that of the list.
 */
export const wayOf = async (
  lists: ListReads,
  schema: string,
  tokens: readonly string[],
  ranks: Ranks,
  limits: SearchLimits,
): Promise<Way> => {
  const sources = sourcesOf(tokens);
  let { top } = ranks;
  for (let round = 1; ; round++) {
    const counts = await countsOf(lists, schema, sources, { ...ranks, top }, limits.words);
    const reads = sources.map((source, i) => {
      const own = counts.filter((count) => count.source === i);
      return readOf(source, own, ranks.bottom, limits);
    });
    const highest = Math.min(...reads.map(({ first }) => first));
    const readable = reads
      .filter(({ floor, first }) => floor <= first)
      .toSorted((a, b) => a.reach - b.reach || a.n - b.n);
    const [best] = readable;
    if (best === undefined) return { is: 'scan', from: highest };
    if (best.floor > highest && round < MAX_COUNTS) {
      top = highest;
      continue;
    }
    const used = best.n <= limits.persons ? [best] : readable.filter(({ floor }) => floor <= best.reach);
    // Of one source, more ranks have more rows than are looked up.
    const floor = used.length === 1 ? best.reach : Math.max(...used.map((each) => each.floor));
    const whole = { top, bottom: floor };
    const rows = used.map(({ source }) => sql.fragment`(${rowsOf(schema, source, whole, sql.fragment``)})`);
    const common = sql.join(rows, sql.fragment` intersect `);
    return {
      is: 'look-up',
      query: sql.fragment`select distinct rank, person from (${common}) as found`,
      floor,
    };
  }
};
