import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { PERSON_ORDER, rankOf } from '../../projections/views/people/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListPage } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';
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
/** Letters from which on the index of trigrams narrows a search. */
const INDEXED_LETTERS = 3;
const MAX_WORDS = 6;

const WIDE = 'wide';

const wordsOf = (q: string): readonly string[] =>
  (
    q
      .normalize('NFKC')
      .toLowerCase()
      .replace(/^@/, '')
      .match(/[^\s,;]+/gu) ?? []
  ).slice(0, MAX_WORDS);

const matches = (words: readonly string[]): readonly FragmentSqlToken[] =>
  words.map((word) => sql.fragment`words like ${`% ${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`);

const and = (conditions: readonly FragmentSqlToken[]): FragmentSqlToken =>
  sql.fragment`${sql.join([...conditions], sql.fragment` and `)}`;

const positionSchema = z.object({ rank: z.number(), person: z.string() });

/** The most persons that match; null if there are more than can be sorted. */
const narrow = async (
  lists: ListReads,
  table: FragmentSqlToken,
  words: readonly string[],
): Promise<readonly string[] | null> => {
  if (!words.some((word) => word.length >= INDEXED_LETTERS)) return null;
  const rows = await lists.any(
    sql.type(z.object({ person: z.string() }))`
      select person from ${table} where ${and(matches(words))} limit ${MAX_NARROW + 1}`,
  );
  return rows.length > MAX_NARROW ? null : rows.map(({ person }) => person);
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

const largest = ({ accounts }: Person): number =>
  Math.max(-1, ...accounts.map(({ followers }) => followers ?? -1));

const oldestMs = (persons: readonly Person[]): number | null => {
  const times = persons.flatMap(({ accounts }) =>
    accounts.map(({ last_seen_at }) => Date.parse(last_seen_at)),
  );
  return times.length === 0 ? null : Math.min(...times);
};

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
): Promise<ListPage<Person>> => {
  const schema = builds.schema('people');
  const table = sql.fragment`${sql.identifier([schema, 'people'])}`;
  const words = wordsOf(filters.q);
  if (words.length === 0) return { items: [], next: null, oldestMs: null };
  const keys = after?.[2] === WIDE ? null : await narrow(lists, table, words);
  const least = filters.min_followers ?? null;
  const within = [
    ...(after === null
      ? []
      : [
          sql.fragment`(rank < ${Number(after[0])} or (rank = ${Number(after[0])} and person > ${String(after[1])}))`,
          sql.fragment`rank <= ${Number(after[0])}`,
        ]),
    ...(least === null ? [] : [sql.fragment`rank >= ${rankOf(least)}`]),
  ];
  const scanned = [
    ...matches(words),
    ...(filters.platform === undefined
      ? []
      : [sql.fragment`platforms @> ${JSON.stringify([filters.platform])}::jsonb`]),
    ...(filters.with_linkedin_only ? [] : [sql.fragment`not is_linkedin_only`]),
  ];
  const found = keys === null ? [] : [sql.fragment`person = any(${sql.array([...keys], 'text')})`];
  const { rows, end } = await scan(
    lists,
    {
      table,
      ranked: sql.fragment``,
      rowPosition: sql.fragment`rank, person`,
      columns: ['is_linkedin_only'],
      row: positionSchema,
      at: positionSchema,
      within: keys === null ? within : [...found, ...within, ...scanned],
      filters: keys === null ? scanned : [],
      order: verbatim(PERSON_ORDER),
      orderByName: verbatim(PERSON_ORDER),
    },
    limit,
  );
  const mark = ({ rank, person }: z.output<typeof positionSchema>): CursorPosition =>
    keys === null ? [rank, person, WIDE] : [rank, person];
  const shown = rows.slice(0, limit);
  const persons = await personsOf(
    lists,
    schema,
    shown.map(({ person }) => person),
  );
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? mark(last) : end === null ? null : mark(end);
  const items = persons.filter((person) => least === null || largest(person) >= least);
  return { items, next, oldestMs: oldestMs(items) };
};
