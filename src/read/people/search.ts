import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { isInDirectory } from '../../platforms/index.ts';
import { PERSON_ORDER, rankOf } from '../../projections/views/people/tables.ts';
import { wordKey } from '../../write/people/names.ts';
import type { Builds } from '../active-builds.ts';
import { and, matches, partsOf, tokensIn, verbatim } from '../conditions.ts';
import type { CursorPosition, ListPage } from '../keyset.ts';
import { type ListReads, type Scan, type Scanned, scan } from '../lists.ts';
import { type Person, type PersonJson, personColumns, personOf } from './person.ts';

export interface PersonFilters {
  /** Prefixes of words of a name or handle. */
  readonly q: string;
  readonly platform?: Platform | undefined;
  readonly min_followers?: number | undefined;
  /** Whether persons of LinkedIn alone are listed. */
  readonly with_linkedin_only: boolean;
  /** Persons who are found whatever their words are: one of their accounts last had the handle `q`. */
  readonly formerly: readonly string[];
}

/** Of each kind 5 to 20 ms of database time among ten million persons. */
const LIMITS: SearchLimits = { persons: 2_000, words: 5_000, scanned: 5_000 };
const WIDE = 'wide';

const positionSchema = z.object({ rank: z.number(), person: z.string() });
type Position = z.output<typeof positionSchema>;

/** Above every ID: a cursor with it resumes at the first person of a rank. */
const TOP_PERSON = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Of persons without known followers. */
const LAST_RANK = rankOf(null);

const personSchema = z.object({
  person: z.string(),
  display_name: z.string().nullable(),
  is_linkedin_only: z.boolean(),
  members: z.unknown(),
  accounts: z.unknown(),
}) as unknown as z.ZodType<PersonJson>;

/** Persons in the order of their keys. */
const personsOf = async (
  lists: ListReads,
  schema: string,
  keys: readonly string[],
): Promise<readonly Person[]> => {
  if (keys.length === 0) return [];
  const rows = await lists.any(sql.type(personSchema)`
    select ${verbatim(personColumns(schema))} from ${sql.identifier([schema, 'people'])} p
    where p.person = any(${sql.array([...keys], 'uuid')})`);
  const byKey = new Map(rows.map((row) => [row.person, personOf(row)]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
};

/** Followers of the largest account that is shown to all. */
const largest = ({ accounts, is_linkedin_only }: Person): number =>
  Math.max(
    -1,
    ...accounts.map(({ platform, followers }) =>
      !isInDirectory(platform) && !is_linkedin_only ? -1 : (followers ?? -1),
    ),
  );

const oldestMs = (persons: readonly Person[]): number | null => {
  const times = persons.flatMap(({ accounts }) =>
    accounts.map(({ last_seen_at }) => Date.parse(last_seen_at)),
  );
  return times.length === 0 ? null : Math.min(...times);
};

/** Conditions on the row of a person, whatever its words. */
const filtersOf = ({ platform, with_linkedin_only }: PersonFilters): readonly FragmentSqlToken[] => [
  ...(platform === undefined ? [] : [sql.fragment`platforms @> ${JSON.stringify([platform])}::jsonb`]),
  ...(with_linkedin_only ? [] : [sql.fragment`not is_linkedin_only`]),
];

/** A page in the order of the list, of a table with rank and person. */
const pageOf = (
  lists: ListReads,
  {
    table,
    filters,
    after,
    top,
    bottom,
  }: Pick<Scan<Position, Position>, 'table' | 'filters'> & Ranks & { readonly after: Position | null },
  limit: number,
  max: number,
): Promise<Scanned<Position, Position>> =>
  scan(
    lists,
    {
      table,
      ranked: sql.fragment``,
      rowPosition: sql.fragment`rank`,
      columns: ['person'],
      row: positionSchema,
      at: positionSchema,
      within: [
        sql.fragment`rank >= ${bottom}`,
        ...(top === null ? [] : [sql.fragment`rank <= ${top}`]),
        ...(after === null
          ? []
          : [sql.fragment`(rank, person) < (${after.rank}::int4, ${after.person}::uuid)`]),
      ],
      filters,
      order: verbatim(PERSON_ORDER),
      orderByName: verbatim(PERSON_ORDER),
    },
    limit,
    max,
  );

/** Candidates, and that they match. */
const amongCandidates = (
  query: FragmentSqlToken,
  table: FragmentSqlToken,
  filters: readonly FragmentSqlToken[],
) => ({
  table: sql.fragment`(${query}) as candidates`,
  // A scalar subquery is a look-up for each row, whatever the planner estimates; it would hash all rows for an `exists`.
  filters: [sql.fragment`(select ${and(filters)} from ${table} p where p.person = scanned.person)`],
});

const isBefore = (a: Position, b: Position): boolean =>
  a.rank === b.rank ? a.person > b.person : a.rank > b.rank;

/** Both in the order of the list, each person once. */
const merged = (found: readonly Position[], former: readonly Position[]): readonly Position[] => {
  const known = new Set(found.map(({ person }) => person));
  const more = former.filter(({ person }) => !known.has(person));
  return more.length === 0 ? found : [...found, ...more].sort((a, b) => (isBefore(a, b) ? -1 : 1));
};

/** Persons of accounts that had the handle which is searched for, at their position in the list. */
const formerlyNamed = async (
  lists: ListReads,
  table: FragmentSqlToken,
  filters: PersonFilters,
  { after, bottom }: { readonly after: Position | null; readonly bottom: number },
): Promise<readonly Position[]> => {
  if (filters.formerly.length === 0) return [];
  const rows = await lists.any(sql.type(positionSchema)`
    select rank, person from ${table}
    where person = any(${sql.array([...filters.formerly], 'uuid')}) and rank >= ${bottom}
      and ${and(filtersOf(filters))}`);
  return rows.filter((row) => after === null || isBefore(after, row));
};

/**
 * A page of persons, those with the largest account first: keyset pagination over candidates with the words of the search, or,
 * where one rank has too many of them, over the list. Steps of the order are an eighth of the followers, so the last of them is
 * checked once more.
 */
export const searchPeople = async (
  lists: ListReads,
  builds: Builds,
  filters: PersonFilters,
  limit: number,
  position: CursorPosition | null,
  limits = LIMITS,
): Promise<ListPage<Person>> => {
  const schema = builds.schema('people');
  const tokens = tokensIn(filters.q);
  if (tokens.length === 0) return { items: [], next: null, oldestMs: null };
  const least = filters.min_followers;
  const bottom = least === undefined ? LAST_RANK : rankOf(least);
  const after = position === null ? null : { rank: Number(position[0]), person: String(position[1]) };
  const way: Way =
    after !== null && position?.[2] === WIDE
      ? { is: 'scan', from: after.rank }
      : await wayOf(lists, schema, tokens, { top: after?.rank ?? null, bottom }, limits);
  const table = sql.fragment`${sql.identifier([schema, 'people'])}`;
  const conditions = [...matches(tokens), ...filtersOf(filters)];
  const { rows: found, end } = await (way.is === 'scan'
    ? pageOf(lists, { table, filters: conditions, after, top: way.from, bottom }, limit, limits.scanned)
    : pageOf(
        lists,
        { ...amongCandidates(way.query, table, conditions), after, top: null, bottom },
        limit,
        limits.persons,
      ));
  // A rank that is scanned is scanned to its end; of the next one words are read again.
  const mark = ({ rank, person }: Position): CursorPosition =>
    way.is === 'scan' && rank === way.from ? [rank, person, WIDE] : [rank, person];
  const isCut = way.is === 'look-up' && way.floor > bottom;
  const stop = end ?? (isCut ? { rank: way.floor - 1, person: TOP_PERSON } : null);
  const lowest = found.length > limit ? found[limit - 1] : stop;
  const former = await formerlyNamed(lists, table, filters, { after, bottom });
  const rows = merged(
    found,
    former.filter((one) => lowest == null || !isBefore(lowest, one)),
  );
  const shown = rows.slice(0, limit);
  const persons = await personsOf(
    lists,
    schema,
    shown.map(({ person }) => person),
  );
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last ?? stop;
  const items = persons.filter((person) => least === undefined || largest(person) >= least);
  return { items, next: next === null ? null : mark(next), oldestMs: oldestMs(items) };
};

/** Bounds of what one page of a search reads. */
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

/** How the persons of a page are found: among candidates, or in the list, from a rank that no match exceeds. */
export type Way =
  | {
      readonly is: 'look-up';
      /** A query of the `rank` and `person` of candidates: all that match down to the floor, each once. */
      readonly query: FragmentSqlToken;
      /** Below it more may match, unless it is the bottom. */
      readonly floor: number;
    }
  | { readonly is: 'scan'; readonly from: number };

/** Beginnings of words. Everybody who matches has a word with one of them. */
type Source = readonly string[];

/** Sources of a search that are read. For the other sources, it is looked up whether a person is in them. */
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
    /** The first rank that has any. No match is above it. */
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
