import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { PERSON_ORDER, rankOf } from '../../projections/views/people/tables.ts';
import type { Builds } from '../active-builds.ts';
import { and } from '../conditions.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListPage } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';
import { matches, tokensIn } from '../search-tokens.ts';
import { verbatim } from '../verbatim.ts';
import { type Person, type PersonJson, personColumns, personOf } from './person.ts';

export interface PersonFilters {
  /** Beginnings of words of a name, or of a handle. */
  readonly q: string;
  readonly platform?: Platform | undefined;
  readonly min_followers?: number | undefined;
  /** Whether persons of LinkedIn alone are listed. */
  readonly with_linkedin_only: boolean;
}

/** Matches up to which a search is looked up and sorted; of more the list is scanned in its order. */
const MAX_NARROW = 1_000;
/** Rows of persons are wide: a page scans fewer of them than of other lists. */
const MAX_SCANNED = 5_000;
/** Blocks sampled to estimate how many persons match: about 2,000 persons, which take 2 ms. */
const SAMPLED_BLOCKS = 100;
/** Letters or digits in a row from which on the index of trigrams narrows a search. */
const INDEXED = /[\p{L}\p{N}]{2}/u;
const WIDE = 'wide';

const isIndexed = (tokens: readonly string[]): boolean => tokens.some((token) => INDEXED.test(token));

const positionSchema = z.object({ rank: z.number(), person: z.string() });
type Position = z.output<typeof positionSchema>;

const countedSchema = z.object({
  n: z.number(),
  rank: z.number().nullable(),
  person: z.string().nullable(),
});

interface Listed {
  readonly table: FragmentSqlToken;
  readonly tokens: readonly string[];
  /** Conditions that the order of the list has an index for, and others. */
  readonly within: readonly FragmentSqlToken[];
  readonly filters: readonly FragmentSqlToken[];
}

const sampleSchema = z.object({ blocks: z.number(), matching: z.number() });

/**
 * Whether a sample shows that more match than are sorted. The look-up would find that out, too, but only after it had
 * read the index of trigrams for all of them. Blocks with a match are counted, since the persons of a block may be alike,
 * as those that were read together: matches that can be sorted are in as many blocks at most. By the Poisson distribution
 * fewer than one in ten thousand searches with so many matches have more blocks in the sample; their pages are short.
 */
const isTooCommon = async (lists: ListReads, schema: string, tokens: readonly string[]): Promise<boolean> => {
  if (!isIndexed(tokens)) return false;
  const table = sql.fragment`${sql.identifier([schema, 'people'])}`;
  const blocks = sql.fragment`(pg_relation_size(${`${schema}.people`}::regclass) / current_setting('block_size')::int)`;
  // All blocks of a small table show nothing: there are fewer than matches can be in.
  const [sample] = await lists.any(sql.type(sampleSchema)`
    select ${blocks}::float8 as blocks,
      (count(distinct (ctid::text::point)[0]) filter (where ${and(matches(tokens))}))::int as matching
    from ${table} tablesample system (
      case when ${blocks} > ${MAX_NARROW} then ${100 * SAMPLED_BLOCKS}::float8 / ${blocks} else 0 end
    ) repeatable (1)`);
  if (sample === undefined || sample.matching === 0) return false;
  const expected = (MAX_NARROW * SAMPLED_BLOCKS) / sample.blocks;
  return sample.matching > expected + 4 * Math.sqrt(expected) + 2;
};

/** A page of the matches, sorted, plus one if there are more; null if there are more than can be sorted. */
const narrow = async (
  lists: ListReads,
  { table, tokens, within, filters }: Listed,
  limit: number,
): Promise<readonly Position[] | null> => {
  if (!isIndexed(tokens)) return null;
  const rows = await lists.any(sql.type(countedSchema)`
    with found as materialized (
      select rank, person, platforms, is_linkedin_only from ${table} where ${and(matches(tokens))} limit ${MAX_NARROW + 1})
    select n::int, rank, person from (select count(*) as n from found) c
    left join lateral (
      select rank, person from found where ${and([...within, ...filters])}
      order by ${verbatim(PERSON_ORDER)} limit ${limit + 1}) p on n <= ${MAX_NARROW}
    order by ${verbatim(PERSON_ORDER)}`);
  if ((rows[0]?.n ?? 0) > MAX_NARROW) return null;
  return rows.flatMap(({ rank, person }) => (rank === null || person === null ? [] : [{ rank, person }]));
};

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
    where p.person = any(${sql.array([...keys], 'text')})`);
  const byKey = new Map(rows.map((row) => [row.person, personOf(row)]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
};

/** Followers of the largest account that is shown to all. */
const largest = ({ accounts, is_linkedin_only }: Person): number =>
  Math.max(
    -1,
    ...accounts.map(({ platform, followers }) =>
      platform === 'linkedin' && !is_linkedin_only ? -1 : (followers ?? -1),
    ),
  );

const oldestMs = (persons: readonly Person[]): number | null => {
  const times = persons.flatMap(({ accounts }) =>
    accounts.map(({ last_seen_at }) => Date.parse(last_seen_at)),
  );
  return times.length === 0 ? null : Math.min(...times);
};

const listedOf = (
  table: FragmentSqlToken,
  tokens: readonly string[],
  { platform, min_followers: least, with_linkedin_only }: PersonFilters,
  after: CursorPosition | null,
): Listed => ({
  table,
  tokens,
  within: [
    ...(after === null
      ? []
      : [sql.fragment`(rank, person) < (${Number(after[0])}::int4, ${String(after[1])})`]),
    ...(least === undefined ? [] : [sql.fragment`rank >= ${rankOf(least)}`]),
  ],
  filters: [
    ...(platform === undefined ? [] : [sql.fragment`platforms @> ${JSON.stringify([platform])}::jsonb`]),
    ...(with_linkedin_only ? [] : [sql.fragment`not is_linkedin_only`]),
  ],
});

/** A page of matches among so many persons of the list, and where it ended if there are more of these. */
const wide = (lists: ListReads, { table, tokens, within, filters }: Listed, limit: number, max: number) =>
  scan(
    lists,
    {
      table,
      ranked: sql.fragment``,
      rowPosition: sql.fragment`rank, person`,
      columns: ['is_linkedin_only'],
      row: positionSchema,
      at: positionSchema,
      within,
      filters: [...matches(tokens), ...filters],
      order: verbatim(PERSON_ORDER),
      orderByName: verbatim(PERSON_ORDER),
    },
    limit,
    max,
  );

/**
 * A page of persons, those with the largest account first: keyset pagination, and a bounded scan for searches that match
 * many. Steps of the order are an eighth of the followers, so the last of them is checked once more.
 */
export const searchPeople = async (
  lists: ListReads,
  builds: Builds,
  filters: PersonFilters,
  limit: number,
  after: CursorPosition | null,
  maxScanned = MAX_SCANNED,
): Promise<ListPage<Person>> => {
  const schema = builds.schema('people');
  const tokens = tokensIn(filters.q);
  if (tokens.length === 0) return { items: [], next: null, oldestMs: null };
  const listed = listedOf(sql.fragment`${sql.identifier([schema, 'people'])}`, tokens, filters, after);
  const isWide = after === null ? await isTooCommon(lists, schema, tokens) : after[2] === WIDE;
  const found = isWide ? null : await narrow(lists, listed, limit);
  const { rows, end } =
    found === null ? await wide(lists, listed, limit, maxScanned) : { rows: found, end: null };
  const mark = ({ rank, person }: Position): CursorPosition =>
    found === null ? [rank, person, WIDE] : [rank, person];
  const shown = rows.slice(0, limit);
  const persons = await personsOf(
    lists,
    schema,
    shown.map(({ person }) => person),
  );
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? mark(last) : end === null ? null : mark(end);
  const least = filters.min_followers;
  const items = persons.filter((person) => least === undefined || largest(person) >= least);
  return { items, next, oldestMs: oldestMs(items) };
};
