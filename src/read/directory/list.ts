import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import type { Builds } from '../builds.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListReads } from '../lists.ts';
import { type ListPage, pageOf } from '../page.ts';
import type { Entry } from './entry.ts';

export type EntrySort = 'followers' | 'recent' | 'handle' | 'growth_30d' | 'growth_7d';

export interface EntryFilters {
  readonly platform?: Platform | undefined;
  /** Prefix of the handle, or words (the beginnings of them) of the name. */
  readonly q?: string | undefined;
  readonly min_followers?: number | undefined;
  readonly max_followers?: number | undefined;
  readonly verified?: boolean | undefined;
  readonly status?: string | undefined;
  readonly seen_since?: string | undefined;
  readonly created_since?: string | undefined;
  /** Only entries whose sort figure is known. */
  readonly ranked?: boolean | undefined;
}

const count = z.bigint().transform(Number).nullable();
const instant = z.number().transform(isoOf);

const rowSchema = z.object({
  entry: z.bigint(),
  rank: z.union([z.bigint(), z.number(), z.string()]),
  observed_at: z.number(),
  platform: platformSchema,
  native_id: z.string().nullable(),
  handle: z.string().nullable(),
  display_name: z.string().nullable(),
  followers: count,
  following: count,
  posts: count,
  verified: z.boolean().nullable(),
  created_at: instant.nullable(),
  first_seen_at: instant,
  last_seen_at: instant,
  bio: z.string().nullable(),
  avatar_url: z.string().nullable(),
  location: z.string().nullable(),
  links: z.array(z.string()),
  status: z.enum(['active', 'private', 'suspended', 'deactivated', 'absent', 'unknown']),
  previous_handles: z.array(z.string()),
});

type Row = z.output<typeof rowSchema>;

const entryOf = (row: Row): Entry => ({
  platform: row.platform,
  id: row.native_id,
  handle: row.handle,
  display_name: row.display_name,
  followers: row.followers,
  following: row.following,
  posts: row.posts,
  verified: row.verified,
  created_at: row.created_at,
  first_seen_at: row.first_seen_at,
  last_seen_at: row.last_seen_at,
  bio: row.bio,
  avatar_url: row.avatar_url,
  location: row.location,
  links: row.links,
  status: row.status,
  previous_handles: row.previous_handles,
});

interface Sorting {
  /** As in the index of the sort, to the letter. */
  readonly by: FragmentSqlToken;
  readonly known: FragmentSqlToken;
  readonly order: FragmentSqlToken;
  readonly after: (position: CursorPosition) => FragmentSqlToken;
}

const numeric = (by: FragmentSqlToken, column: FragmentSqlToken): Sorting => ({
  by,
  known: sql.fragment`${column} is not null`,
  order: sql.fragment`${by} desc, entry desc`,
  after: ([rank, entry]) =>
    sql.fragment`(${by}, entry) < (${String(rank)}::bigint, ${String(entry)}::bigint)`,
});

const SORTINGS: Readonly<Record<EntrySort, Sorting>> = {
  followers: numeric(sql.fragment`coalesce(followers, -9000000000000000)`, sql.fragment`followers`),
  growth_7d: numeric(sql.fragment`coalesce(growth_7d, -9000000000000000)`, sql.fragment`growth_7d`),
  growth_30d: numeric(sql.fragment`coalesce(growth_30d, -9000000000000000)`, sql.fragment`growth_30d`),
  recent: {
    by: sql.fragment`last_seen_at`,
    known: sql.fragment`true`,
    order: sql.fragment`last_seen_at desc, entry desc`,
    after: ([rank, entry]) =>
      sql.fragment`(last_seen_at, entry) < (${isoOf(Number(rank))}::timestamptz, ${String(entry)}::bigint)`,
  },
  handle: {
    by: sql.fragment`coalesce(handle, '')`,
    known: sql.fragment`handle is not null`,
    order: sql.fragment`coalesce(handle, ''), entry`,
    after: ([rank, entry]) =>
      sql.fragment`(coalesce(handle, ''), entry) > (${String(rank)}, ${String(entry)}::bigint)`,
  },
};

const likePrefix = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** `nora quill` → `nora:* & quill:*`; null where there is no word. */
const wordQuery = (text: string): string | null => {
  const words = text.match(/[\p{L}\p{N}]+/gu);
  return words === null ? null : words.map((word) => `${word.toLowerCase()}:*`).join(' & ');
};

const search = (schema: string, q: string): FragmentSqlToken => {
  const names = sql.identifier([schema, 'names']);
  const words = wordQuery(q);
  const byHandle = sql.fragment`select n.entry from ${names} n where n.handle like ${likePrefix(q.replace(/^@/, '').toLowerCase())}`;
  return words === null
    ? sql.fragment`entry in (${byHandle})`
    : sql.fragment`entry in (${byHandle} union
        select n.entry from ${names} n where to_tsvector('simple', n.name) @@ to_tsquery('simple', ${words}))`;
};

const conditions = (schema: string, filters: EntryFilters, sorting: Sorting): FragmentSqlToken[] => {
  const out: FragmentSqlToken[] = [sql.fragment`true`];
  if (filters.q !== undefined) out.push(search(schema, filters.q));
  if (filters.min_followers !== undefined) out.push(sql.fragment`followers >= ${filters.min_followers}`);
  if (filters.max_followers !== undefined) out.push(sql.fragment`followers <= ${filters.max_followers}`);
  if (filters.verified !== undefined) out.push(sql.fragment`verified = ${filters.verified}`);
  if (filters.status !== undefined) out.push(sql.fragment`status = ${filters.status}`);
  if (filters.seen_since !== undefined)
    out.push(sql.fragment`last_seen_at >= ${filters.seen_since}::timestamptz`);
  if (filters.created_since !== undefined)
    out.push(sql.fragment`created_at >= ${filters.created_since}::timestamptz`);
  if (filters.ranked === true) out.push(sorting.known);
  return out;
};

/** A page of entries: keyset on the sort's index, the same cost at any depth. */
export const listEntries = async (
  lists: ListReads,
  builds: Builds,
  filters: EntryFilters,
  sort: EntrySort,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<Entry>> => {
  const schema = builds.schema('directory');
  const table = filters.platform === undefined ? 'entries' : `entries_${filters.platform}`;
  const sorting = SORTINGS[sort];
  const where = conditions(schema, filters, sorting);
  if (after !== null) where.push(sorting.after(after));
  const rows = await lists.any(sql.type(rowSchema)`
    select entry, ${sorting.by} as rank, observed_at, platform, native_id, handle, display_name, followers, following,
      posts, verified, created_at, first_seen_at, last_seen_at, bio, avatar_url, location, links, status,
      previous_handles
    from ${sql.identifier([schema, table])}
    where ${sql.join(where, sql.fragment` and `)}
    order by ${sorting.order}
    limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: entryOf,
    position: (row) => [typeof row.rank === 'bigint' ? String(row.rank) : row.rank, String(row.entry)],
    observedMs: (row) => row.observed_at,
  });
};
