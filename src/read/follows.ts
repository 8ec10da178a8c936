/** Reads of follower lists: edges, and the overlap of two lists. */

import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { OverlapCounts } from '../analysis/overlap.ts';
import type { Platform } from '../kernel/platform.ts';
import { hasStream } from '../platforms/index.ts';
import {
  directionCode,
  FIRST_S,
  hasNumericIds,
  instantOf,
  numericEdges,
  numericMembers,
} from '../projections/views/follows/tables.ts';
import type { FollowDirection } from '../write/follows.ts';
import type { Builds } from './active-builds.ts';
import type { CursorPosition, ListPage } from './keyset.ts';
import type { ListReads } from './lists.ts';

/** A list of followers, or of followed accounts, that was read at least in part. */
export interface FollowList {
  readonly platform: Platform;
  readonly direction: FollowDirection;
  /** Native ID of its owner. */
  readonly owner: string;
  readonly handle: string;
  /** Start of the last complete reading. Edges that were last seen before it are gone. Null if there was none. */
  readonly doneSinceS: number | null;
  /** Its newest part, ms since 1970. */
  readonly seenMs: number;
  readonly coverage: ListCoverage;
}

/** How much of a list the readings cover. */
export interface ListCoverage {
  /**
   * How the last reading that ended did so: `whole`, or `capped` if the list continued beyond what was read. `broken_off`: no
   * reading has ended, so any part of the list may be missing.
   */
  readonly status: 'whole' | 'capped' | 'broken_off';
  /** When that reading ended. */
  readonly ended_at: string | null;
  /** Start of the last complete reading. Accounts that began to follow later may be missing. */
  readonly whole_at: string | null;
  /** When the newest part of the list was read. */
  readonly read_at: string;
}

const listSchema = z.object({
  owner: z.string(),
  handle: z.string(),
  seen_s: z.number(),
  done_since_s: z.number().nullable(),
  done_s: z.number().nullable(),
  capped_s: z.number().nullable(),
});

const coverageOf = ({
  seen_s,
  done_since_s,
  done_s,
  capped_s,
}: z.output<typeof listSchema>): ListCoverage => {
  const endedS = done_s === null || capped_s === null ? (done_s ?? capped_s) : Math.max(done_s, capped_s);
  return {
    status: endedS === null ? 'broken_off' : endedS === done_s ? 'whole' : 'capped',
    ended_at: endedS === null ? null : instantOf(endedS),
    whole_at: done_since_s === null ? null : instantOf(done_since_s),
    read_at: instantOf(seen_s),
  };
};

/**
 * The list of an account; null if it was never read.
 * @param by the native ID of its owner, or a handle under which it was read. If the handle had several owners, the one that was
 *   read last.
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
    select owner, handle, seen_s, done_since_s, done_s, capped_s from ${sql.identifier([builds.schema('follows'), 'lists'])}
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
    coverage: coverageOf(row),
  };
};

/**
 * A page as one text, one line per edge. Rows of the driver, each validated by itself, would take several times as long for a
 * thousand edges, and JSON would keep each short name in the heap until a full collection.
 */
const pageSchema = z.object({ rows: z.string().nullable() });

/** Neither IDs nor handles have control characters. */
const SEPARATOR = '\t';

type Row = readonly [member: string, firstSeenS: number, lastSeenS: number, handle: string | null];

const rowOf = (line: string): Row => {
  const [member = '', first, last, handle = ''] = line.split(SEPARATOR);
  return [member, Number(first), Number(last), handle === '' ? null : handle];
};

/** An account in a form that every endpoint accepts: its handle, or `id:` with its native ID. */
const referenceOf = (platform: Platform, id: string, handle: string | null): string =>
  handle ?? (hasStream(platform, id) ? id : `id:${id}`);

export interface FollowEdge {
  /** The account that follows. */
  readonly source: string;
  /** The account that is followed. */
  readonly target: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

const edgesFrom = ({ platform, direction, owner, handle }: FollowList) => {
  // The members of a page were mostly read in the same seconds.
  const instants = new Map<number, string>();
  const instantAt = (seconds: number): string => {
    const known = instants.get(seconds);
    if (known !== undefined) return known;
    const instant = instantOf(seconds);
    instants.set(seconds, instant);
    return instant;
  };
  const own = referenceOf(platform, owner, handle);
  return ([member, firstSeenS, lastSeenS, memberHandle]: Row): FollowEdge => {
    const other = referenceOf(platform, member, memberHandle);
    return {
      source: direction === 'followers' ? other : own,
      target: direction === 'followers' ? own : other,
      first_seen_at: instantAt(firstSeenS),
      last_seen_at: instantAt(lastSeenS),
    };
  };
};

/** Where the edges of a list are, and the handles of its members; IDs are typed as their columns. */
const tablesOf = (
  schema: string,
  { platform, direction, owner }: FollowList,
): {
  edges: FragmentSqlToken;
  after: (member: string) => FragmentSqlToken;
  members: FragmentSqlToken;
} => {
  if (hasNumericIds(platform)) {
    return {
      edges: sql.fragment`${sql.identifier([schema, numericEdges(platform, direction)])} where owner = ${owner}::bigint`,
      after: (member) => sql.fragment` and member > ${member}::bigint`,
      members: sql.fragment`${sql.identifier([schema, numericMembers(platform)])} m on m.id = p.member`,
    };
  }
  return {
    edges: sql.fragment`${sql.identifier([schema, 'edges'])} where platform = ${platform}
      and direction = ${directionCode(direction)} and owner = ${owner}`,
    after: (member) => sql.fragment` and member > ${member}`,
    members: sql.fragment`${sql.identifier([schema, 'members'])} m on m.platform = ${platform} and m.id = p.member`,
  };
};

/** The edges of a list, those that are gone included: a table and a condition. */
const edgesOf = (schema: string, list: FollowList): FragmentSqlToken => tablesOf(schema, list).edges;

/** Maximum edges scanned for a page: those that are gone are skipped. */
const MAX_SCANNED = 20_000;

/** A page of a list's edges in order of its members' native IDs, which costs the same at any depth. */
export const listEdges = async (
  lists: ListReads,
  builds: Builds,
  list: FollowList,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<FollowEdge>> => {
  const { edges, after: isAfter, members } = tablesOf(builds.schema('follows'), list);
  const from = after === null ? sql.fragment`` : isAfter(String(after[1]));
  const sinceS = list.doneSinceS ?? FIRST_S;
  const [page] = await lists.any(sql.type(pageSchema)`
    select string_agg(concat_ws(${SEPARATOR}, p.member, p.first_seen_s, p.last_seen_s, m.handle), chr(10) order by p.member) as rows
    from (
      select * from (select * from ${edges}${from} order by member limit ${MAX_SCANNED}) as scanned
      where last_seen_s >= ${sinceS} order by member limit ${limit + 1}
    ) as p left join ${members}`);
  const rows = (page?.rows ?? '').split('\n').filter(Boolean).map(rowOf);
  const last = rows[limit - 1];
  const end = rows.length > limit && last !== undefined ? last[0] : await scannedTo(lists, edges, from);
  return {
    items: rows.slice(0, limit).map(edgesFrom(list)),
    next: end === null ? null : [list.owner, end],
    // An edge is as old as the page that showed it last.
    oldestMs: rows.length === 0 ? null : Date.parse(instantOf(Math.min(...rows.map(([, , lastS]) => lastS)))),
  };
};

/** The last member scanned for a page that is not full; null if the list has no more. */
const scannedTo = async (
  lists: ListReads,
  edges: FragmentSqlToken,
  from: FragmentSqlToken,
): Promise<string | null> => {
  const [end] = await lists.any(sql.type(z.object({ member: z.string() }))`
    select member::text as member from (
      select member from ${edges}${from} order by member offset ${MAX_SCANNED - 1} limit 1
    ) as scanned`);
  return end?.member ?? null;
};

/** Members of the longer list up to which all are compared, and about as many as a sample of longer ones has. */
const COMPARED = 65_536;

export interface ComparedLists {
  readonly counts: OverlapCounts;
  /** Null if all members were compared. */
  readonly sample: OverlapCounts | null;
  /** When the oldest page was read that showed one of the members, ms since 1970; null if there are none. */
  readonly oldestMs: number | null;
}

const countSchema = z.object({ n: z.number(), oldest_s: z.number().nullable() });
const comparedSchema = z.object({
  a: z.number(),
  b: z.number(),
  shared: z.number(),
  oldest_s: z.number().nullable(),
});

/** Members that the list has as of its last whole reading. */
const present = (edges: FragmentSqlToken, { doneSinceS }: FollowList): FragmentSqlToken =>
  sql.fragment`${edges} and last_seen_s >= ${doneSinceS ?? FIRST_S}`;

/** Every so many members are in the sample, a power of two: 1 if all are compared. */
const everyOf = (members: number, compared: number): number =>
  2 ** Math.max(0, Math.ceil(Math.log2(members / compared)));

const msOf = (seconds: number | null): number | null =>
  seconds === null ? null : Date.parse(instantOf(seconds));

/**
 * Counts the members of two lists and those of both, up to a number of each. A full join is hashed or merged, where
 * another join of lists whose sizes the planner underestimates would loop over one for each member of the other.
 */
const joined = async (lists: ListReads, a: FragmentSqlToken, b: FragmentSqlToken, most: number | null) => {
  const [found = { a: 0, b: 0, shared: 0, oldest_s: null }] = await lists.any(sql.type(comparedSchema)`
    select count(a.member)::int as a, count(b.member)::int as b,
      count(*) filter (where a.member = b.member)::int as shared,
      least(min(a.last_seen_s), min(b.last_seen_s))::int as oldest_s
    from (select member, last_seen_s from ${a} limit ${most}) as a
    full join (select member, last_seen_s from ${b} limit ${most}) as b on b.member = a.member`);
  return found;
};

/**
 * Compares the members of two lists of a platform.
 * @param compared members of the longer list up to which all are compared.
 */
export const compareLists = async (
  lists: ListReads,
  builds: Builds,
  [a, b]: readonly [FollowList, FollowList],
  compared: number = COMPARED,
): Promise<ComparedLists> => {
  const schema = builds.schema('follows');
  const [ofA, ofB] = [present(edgesOf(schema, a), a), present(edgesOf(schema, b), b)];
  const { oldest_s, ...whole } = await joined(lists, ofA, ofB, compared + 1);
  if (Math.max(whole.a, whole.b) <= compared)
    return { counts: whole, sample: null, oldestMs: msOf(oldest_s) };

  const countOf = async (from: FragmentSqlToken) => {
    const [row] = await lists.any(
      sql.type(countSchema)`select count(*)::int as n, min(last_seen_s)::int as oldest_s from ${from}`,
    );
    return row ?? { n: 0, oldest_s: null };
  };
  const [countA, countB] = await Promise.all([countOf(ofA), countOf(ofB)]);
  const every = everyOf(Math.max(countA.n, countB.n), compared);
  const hash = hasNumericIds(a.platform)
    ? sql.fragment`hashint8extended(member, 0)`
    : sql.fragment`hashtextextended(member, 0)`;
  const sampled = sql.fragment` and (${hash} & ${every - 1}) = 0`;
  const { oldest_s: _, ...sample } = await joined(
    lists,
    sql.fragment`${ofA}${sampled}`,
    sql.fragment`${ofB}${sampled}`,
    null,
  );
  const times = [countA.oldest_s, countB.oldest_s].filter((seconds) => seconds !== null);
  return {
    counts: { a: countA.n, b: countB.n, shared: sample.shared },
    sample,
    oldestMs: msOf(times.length === 0 ? null : Math.min(...times)),
  };
};
