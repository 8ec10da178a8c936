import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import {
  directionCode,
  hasNumericIds,
  instantOf,
  numericEdges,
  numericMembers,
} from '../../projections/views/follows/tables.ts';
import type { FollowDirection } from '../../write/follows/events.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';

/** A list of followers, or of followed accounts, that was read at least in part. */
export interface FollowList {
  readonly platform: Platform;
  readonly direction: FollowDirection;
  /** Native ID of its owner. */
  readonly owner: string;
  readonly handle: string;
  /** Start of the last whole reading; edges that were last seen before it are gone. Null if there was none. */
  readonly doneSinceS: number | null;
  /** Its newest part, ms since 1970. */
  readonly seenMs: number;
}

const listSchema = z.object({
  owner: z.string(),
  handle: z.string(),
  seen_s: z.number(),
  done_since_s: z.number().nullable(),
});

/**
 * The list of an account; null if it was never read.
 * @param by its owner's native ID, or a handle under which it was read; of several owners, the one that was read last.
 */
export const findList = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform,
  direction: FollowDirection,
  by: { readonly owner: string } | { readonly handle: string },
): Promise<FollowList | null> => {
  const named = 'owner' in by ? sql.fragment`owner = ${by.owner}` : sql.fragment`handle = ${by.handle}`;
  const [row] = await lists.any(sql.type(listSchema)`
    select owner, handle, seen_s, done_since_s from ${sql.identifier([builds.schema('follows'), 'lists'])}
    where platform = ${platform} and direction = ${directionCode(direction)} and ${named}
    order by seen_s desc, owner limit 1`);
  if (row === undefined) return null;
  const { owner, handle, seen_s, done_since_s } = row;
  return {
    platform,
    direction,
    owner,
    handle,
    doneSinceS: done_since_s,
    seenMs: Date.parse(instantOf(seen_s)),
  };
};

const positionSchema = z.object({ member: z.union([z.string(), z.bigint()]).transform(String) });

const rowSchema = positionSchema.extend({
  first_seen_s: z.number(),
  last_seen_s: z.number(),
  handle: z.string().nullable(),
});

type Row = z.output<typeof rowSchema>;

/** An account in a form that every endpoint accepts: its handle, or `id:` with its native ID. */
const referenceOf = (platform: Platform, id: string, handle: string | null): string =>
  handle ?? (id.startsWith('did:') && platform === 'bluesky' ? id : `id:${id}`);

export interface FollowEdge {
  /** Who follows. */
  readonly source: string;
  /** Who is followed. */
  readonly target: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

const edgeOf =
  ({ platform, direction, owner, handle }: FollowList) =>
  (row: Row): FollowEdge => {
    const other = referenceOf(platform, row.member, row.handle);
    const own = referenceOf(platform, owner, handle);
    return {
      source: direction === 'followers' ? other : own,
      target: direction === 'followers' ? own : other,
      first_seen_at: instantOf(row.first_seen_s),
      last_seen_at: instantOf(row.last_seen_s),
    };
  };

/** The edges of a list with the handles of its members; the position is typed as its column. */
const edgesOf = (
  schema: string,
  { platform, direction, owner }: FollowList,
): { table: FragmentSqlToken; after: (member: string) => FragmentSqlToken } => {
  if (hasNumericIds(platform)) {
    return {
      table: sql.fragment`(select e.*, m.handle from ${sql.identifier([schema, numericEdges(platform, direction)])} e
        left join ${sql.identifier([schema, numericMembers(platform)])} m on m.id = e.member
        where e.owner = ${owner}::bigint) as found`,
      after: (member) => sql.fragment`member > ${member}::bigint`,
    };
  }
  return {
    table: sql.fragment`(select e.*, m.handle from ${sql.identifier([schema, 'edges'])} e
      left join ${sql.identifier([schema, 'members'])} m on m.platform = e.platform and m.id = e.member
      where e.platform = ${platform} and e.direction = ${directionCode(direction)} and e.owner = ${owner}) as found`,
    after: (member) => sql.fragment`member > ${member}`,
  };
};

/** Rows scanned for a page at least: members that are gone are skipped. */
const MIN_SCANNED = 10_000;

/** A page of a list's edges in order of its members' native IDs, which costs the same at any depth. */
export const listEdges = async (
  lists: ListReads,
  builds: Builds,
  list: FollowList,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<FollowEdge>> => {
  const { table, after: isAfter } = edgesOf(builds.schema('follows'), list);
  const { doneSinceS } = list;
  const { rows, end } = await scan(
    lists,
    {
      table,
      ranked: sql.fragment``,
      rowPosition: sql.fragment`member`,
      columns: ['first_seen_s', 'last_seen_s', 'handle'],
      row: rowSchema,
      at: positionSchema,
      within: after === null ? [] : [isAfter(String(after[1]))],
      filters: doneSinceS === null ? [] : [sql.fragment`last_seen_s >= ${doneSinceS}`],
      order: sql.fragment`member`,
      orderByName: sql.fragment`member`,
    },
    limit,
    Math.max(MIN_SCANNED, limit + 1),
  );
  const page = pageOf(rows, limit, {
    item: edgeOf(list),
    position: ({ member }) => [list.owner, member],
    observedMs: () => list.seenMs,
  });
  return { ...page, next: page.next ?? (end === null ? null : [list.owner, end.member]) };
};
