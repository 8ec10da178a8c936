import { sql } from 'slonik';
import { z } from 'zod';
import { canonicalLink } from '../../kernel/canonical-link.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { entryTable } from '../../projections/views/directory/tables.ts';
import { measuredAt, olderValues, oldestShownAt } from '../../write/accounts/value-ages.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { columnList } from '../verbatim.ts';
import type { FoundEntry } from './entry.ts';

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
 * Entries of all directory platforms similar to one: by shared trigrams of handles and names (Jaccard, as in
 * pg_trgm) and shared links, ranked together with the similarity in size, `1 / (1 + |ln a/b|)`. Membership depends
 * only on the two entries, so pages are consistent.
 */
export const listSimilar = async (
  lists: ListReads,
  builds: Builds,
  found: FoundEntry,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<SimilarEntry>> => {
  const schema = builds.schema('directory');
  const names = sql.identifier([schema, 'names']);
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
      select n.platform, n.entry from ${names} n
        where n.handle % ${handle} and similarity(n.handle, ${handle}) >= ${MIN}
      union
      select n.platform, n.entry from ${names} n
        where n.name % ${name} and similarity(n.name, ${name}) >= ${MIN}
      union
      select l.platform, l.entry from ${sql.identifier([schema, 'links'])} l
        where l.link = any(${sql.array(links, 'text')})
    ), measured as (
      select e.entry, ${columnList(COLUMNS, 'e')},
        similarity(coalesce(e.handle, ''), ${handle})::float8 as by_handle,
        similarity(coalesce(e.display_name, ''), ${name})::float8 as by_name,
        case when e.followers > 0 and ${entry.followers ?? 0}::bigint > 0
          then 1 / (1 + abs(ln(e.followers::float8 / ${entry.followers ?? 0}::float8))) else 0 end as by_size,
        (select count(*)::int from ${sql.identifier([schema, 'links'])} l
          where l.platform = e.platform and l.entry = e.entry and l.link = any(${sql.array(links, 'text')})) as shared_links
      from candidates c join ${sql.identifier([schema, 'entries'])} e using (platform, entry)
      where e.entry <> ${key}::bigint
    ), ranked as (
      select *, 0.35 * by_handle + 0.25 * by_name + 0.15 * by_size
        + 0.25 * shared_links / greatest(cardinality(${sql.array(links, 'text')}), 1) as score
      from measured
    )
    select * from ranked where ${page} order by score desc, entry desc limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: itemOf,
    position: (row) => [row.score, row.entry],
    observedMs: (row) => Date.parse(oldestShownAt(row, shownOf(row))),
  });
};
