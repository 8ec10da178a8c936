import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { canonicalLink } from '../../kernel/text.ts';
import { rowSchemaOf } from '../../projections/table/table.ts';
import { entryTable, nameKey, wordKeys } from '../../projections/views/directory/tables.ts';
import { measuredAt, olderValues, oldestShownAt } from '../../write/accounts/profile.ts';
import type { Builds } from '../active-builds.ts';
import { columnList } from '../conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import type { ListReads } from '../lists.ts';
import type { FoundEntry } from './entry.ts';
import { beginsWith } from './list.ts';

const COLUMNS = [
  'platform',
  'native_id',
  'handle',
  'display_name',
  'followers',
  'observed_at',
  'last_seen_at',
  'kept',
] as const;

const rowSchema = rowSchemaOf(entryTable, ['entry', ...COLUMNS]).extend({
  score: z.number(),
  by_handle: z.number(),
  by_name: z.number(),
  by_size: z.number(),
  shared_links: z.number(),
});

type Row = z.output<typeof rowSchema>;

/** Minimum similarity of handle or name for two accounts to be similar. */
const MIN = 0.4;

/** Maximum number of accounts that share a beginning, a word or a link. If more share it, it is hardly evidence. */
const MAX_SHARED = 200;
/** The share of a handle or word that its beginning makes up, and its minimum length. */
const BEGINNING = 0.6;
const MIN_BEGINNING = 4;

const beginningOf = (text: string): string =>
  [...text].slice(0, Math.max(MIN_BEGINNING, Math.ceil([...text].length * BEGINNING))).join('');

/** For a handle also the part up to its first separator: `leila.belov` and `leila_belov` are alike. */
const beginningsOf = (handle: string): readonly string[] => {
  const [first = ''] = handle.split(/[^\p{L}\p{N}]/u);
  const beginning = beginningOf(handle);
  return first.length >= MIN_BEGINNING && first.length < beginning.length ? [beginning, first] : [beginning];
};

/** Keys of accounts under a condition, if they are few enough. */
const few = (table: FragmentSqlToken, where: FragmentSqlToken, order: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`(
    select platform, entry from (
      select platform, entry, count(*) over () as n
      from (select platform, entry from ${table} where ${where} order by ${order} limit ${MAX_SHARED + 1}) as bounded
    ) as counted where n <= ${MAX_SHARED}
  )`;

/**
 * Sources of accounts that may be similar. Each is a range of an index, read up to a bound, so that the cost does not depend on the
 * number of accounts.
 */
const candidatesOf = (
  schema: string,
  { handle, display_name: name }: FoundEntry['entry'],
  links: readonly string[],
): FragmentSqlToken => {
  const table = (of: string) => sql.fragment`${sql.identifier([schema, of])}`;
  const [entries, words] = [table('entries'), table('words')];
  const byWord = sql.fragment`word`;
  const [keys, whole] = [wordKeys(name), nameKey(name)];
  const ways = [
    ...links.map((link) => few(table('links'), sql.fragment`link = ${link}`, sql.fragment`entry`)),
    ...keys.flatMap((word) => [
      few(words, sql.fragment`word = ${word}`, byWord),
      few(words, beginsWith('word', beginningOf(word)), byWord),
    ]),
    // Namesakes are similar however many there are, so this many of them are compared.
    ...(whole === undefined
      ? []
      : [
          sql.fragment`(select platform, entry from ${words} where word = ${whole} order by word limit ${MAX_SHARED})`,
        ]),
    ...(handle === null
      ? []
      : [
          sql.fragment`(select platform, entry from ${entries} where handle = ${handle} order by handle limit ${MAX_SHARED})`,
          ...beginningsOf(handle).map((beginning) =>
            few(entries, beginsWith('handle', beginning), sql.fragment`handle`),
          ),
        ]),
  ];
  return ways.length === 0
    ? sql.fragment`select null::text as platform, null::bigint as entry where false`
    : sql.fragment`${sql.join(ways, sql.fragment` union `)}`;
};

const shownOf = ({ display_name, followers }: Row) => ({ display_name, followers });

const itemOf = (row: Row) => ({
  platform: row.platform,
  id: row.native_id,
  handle: row.handle,
  ...shownOf(row),
  ...measuredAt(olderValues(row, shownOf(row))),
  score: Number(row.score.toFixed(4)),
  reasons: [
    ...(row.by_handle >= MIN ? ['handle' as const] : []),
    ...(row.by_name >= MIN ? ['name' as const] : []),
    ...(row.shared_links > 0 ? ['shared_links' as const] : []),
    ...(row.by_size >= 0.8 ? ['size' as const] : []),
  ],
});

export type SimilarEntry = ReturnType<typeof itemOf>;

/**
 * Entries of all directory platforms similar to one, of those that share a link, a word of the name, or the beginning
 * of a word or of the handle with at most `MAX_SHARED` others: by trigrams of handles and names (Jaccard, as in pg_trgm)
 * and shared links, ranked together with the similarity in size, `1 / (1 + |ln a/b|)`.
 */
export const listSimilar = async (
  lists: ListReads,
  builds: Builds,
  found: FoundEntry,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<SimilarEntry>> => {
  const schema = builds.schema('directory');
  const { entry, key } = found;
  const handle = entry.handle ?? '';
  const name = entry.display_name ?? '';
  const links = entry.links.flatMap((link) => canonicalLink(link) ?? []);
  const page =
    after === null
      ? sql.fragment`true`
      : sql.fragment`(score, entry) < (${Number(after[0])}::float8, ${String(after[1])}::bigint)`;
  const rows = await lists.any(sql.type(rowSchema)`
    with candidates as (
      ${candidatesOf(schema, entry, links)}
    ), measured as (
      select e.entry, ${columnList(COLUMNS, 'e')},
        similarity(coalesce(e.handle, ''), ${handle})::float8 as by_handle,
        similarity(coalesce(e.display_name, ''), ${name})::float8 as by_name,
        case when e.followers > 0 and ${entry.followers ?? 0}::bigint > 0
          then 1 / (1 + abs(ln(e.followers::float8 / ${entry.followers ?? 0}::float8))) else 0 end as by_size,
        (select count(*)::int from ${sql.identifier([schema, 'links'])} l
          where l.platform = e.platform and l.entry = e.entry and l.link = any(${sql.array(links, 'text')})) as shared_links
      from candidates c
      cross join lateral (
        select * from ${sql.identifier([schema, 'entries'])} t
        where t.platform = c.platform and t.entry = c.entry offset 0
      ) e
      where e.entry <> ${key}::bigint
    ), ranked as (
      select *, 0.35 * by_handle + 0.25 * by_name + 0.15 * by_size
        + 0.25 * shared_links / greatest(cardinality(${sql.array(links, 'text')}), 1) as score
      from measured
    )
    select * from ranked
    where (by_handle >= ${MIN} or by_name >= ${MIN} or shared_links > 0) and ${page} order by score desc, entry desc limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: itemOf,
    position: (row) => [row.score, row.entry],
    observedMs: (row) => Date.parse(oldestShownAt(row, shownOf(row))),
  });
};
