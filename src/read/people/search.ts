import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { isInDirectory } from '../../platforms/index.ts';
import { PERSON_ORDER, rankOf } from '../../projections/views/people/tables.ts';
import type { Builds } from '../active-builds.ts';
import { and } from '../conditions.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListPage } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { type Scan, type Scanned, scan } from '../lists/scan.ts';
import { matches, tokensIn } from '../search-tokens.ts';
import { verbatim } from '../verbatim.ts';
import { type Ranks, type SearchLimits, type Way, wayOf } from './candidates.ts';
import { type Person, type PersonJson, personColumns, personOf } from './person.ts';

export interface PersonFilters {
  /** Beginnings of words of a name, or of a handle. */
  readonly q: string;
  readonly platform?: Platform | undefined;
  readonly min_followers?: number | undefined;
  /** Whether persons of LinkedIn alone are listed. */
  readonly with_linkedin_only: boolean;
  /** Persons who are found whatever their words: an account of theirs had the handle `q` last. */
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
