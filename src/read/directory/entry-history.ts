import { sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import type { FoundEntry } from './entry.ts';

const count = z.bigint().transform(Number).nullable();

const historySchema = z.object({
  at: z.number(),
  followers: count,
  following: count,
  posts: count,
  verified: z.boolean().nullable(),
  handle: z.string().nullable(),
  display_name: z.string().nullable(),
});

const historyOf = ({ at, ...rest }: z.output<typeof historySchema>) => ({ at: isoOf(at), ...rest });

export type HistoryPoint = ReturnType<typeof historyOf>;

/** History of an entry, newest first. */
export const listHistory = async (
  lists: ListReads,
  builds: Builds,
  found: FoundEntry,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<HistoryPoint>> => {
  const table = sql.identifier([builds.schema('directory'), `history_${found.entry.platform}`]);
  const before =
    after === null ? sql.fragment`true` : sql.fragment`at < ${isoOf(Number(after[0]))}::timestamptz`;
  const rows = await lists.any(sql.type(historySchema)`
    select at, followers, following, posts, verified, handle, display_name from ${table}
    where platform = ${found.entry.platform} and entry = ${found.key}::bigint and ${before}
    order by at desc limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: historyOf,
    position: (row) => [row.at],
    observedMs: () => Date.parse(found.observed_at),
  });
};
