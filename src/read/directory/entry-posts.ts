import { sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import type { FoundEntry } from './entry.ts';

const count = z.bigint().transform(Number).nullable();

const postSchema = z.object({
  post: z.string(),
  url: z.string().nullable(),
  at: z.number().nullable(),
  kind: z.enum(['original', 'reply', 'repost', 'quote']),
  text: z.string().nullable(),
  likes: count,
  replies: count,
  reposts: count,
  views: count,
  observed_at: z.number(),
});

const postOf = ({ post, url, at, observed_at, ...rest }: z.output<typeof postSchema>) => ({
  id: post,
  url,
  at: at === null ? null : isoOf(at),
  ...rest,
  observed_at: isoOf(observed_at),
});

export type EntryPost = ReturnType<typeof postOf>;

/** Posts of an entry, newest first; those without a time come last. */
export const listPosts = async (
  lists: ListReads,
  builds: Builds,
  found: FoundEntry,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<EntryPost>> => {
  const table = sql.identifier([builds.schema('directory'), `posts_${found.entry.platform}`]);
  const before =
    after === null
      ? sql.fragment`true`
      : sql.fragment`(coalesce(at, '-infinity'), post) < (${after[0] === '' ? '-infinity' : isoOf(Number(after[0]))}::timestamptz, ${String(after[1])})`;
  const rows = await lists.any(sql.type(postSchema)`
    select post, url, at, kind, text, likes, replies, reposts, views, observed_at from ${table}
    where platform = ${found.entry.platform} and entry = ${found.key}::bigint and ${before}
    order by coalesce(at, '-infinity') desc, post desc limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: postOf,
    position: (row) => [row.at ?? '', row.post],
    observedMs: () => Date.parse(found.observed_at),
  });
};
