import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { OverlapCounts } from '../../analysis/overlap.ts';
import { FIRST_S, hasNumericIds, instantOf } from '../../projections/views/follows/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists/lists.ts';
import { edgesOf, type FollowList } from './edges.ts';

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
