import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { FIRST_S, hasNumericIds, instantOf } from '../../projections/views/follows/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { OverlapCounts } from '../analysis/overlap.ts';
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
const sharedSchema = z.object({ a: z.number(), b: z.number(), shared: z.number() });

/** Members that the list has as of its last whole reading. */
const present = (edges: FragmentSqlToken, { doneSinceS }: FollowList): FragmentSqlToken =>
  sql.fragment`${edges} and last_seen_s >= ${doneSinceS ?? FIRST_S}`;

/** Every so many members are in the sample, a power of two: 1 if all are compared. */
const everyOf = (members: number, compared: number): number =>
  2 ** Math.max(0, Math.ceil(Math.log2(members / compared)));

/**
 * Compares the members of two lists of a platform. `intersect` hashes or sorts, where a join of two lists whose
 * sizes the planner underestimates would loop over one for each member of the other.
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
  const sampled = every === 1 ? sql.fragment`` : sql.fragment` and (${hash} & ${every - 1}) = 0`;
  const [found = { a: 0, b: 0, shared: 0 }] = await lists.any(sql.type(sharedSchema)`
    with in_a as materialized (select member from ${ofA}${sampled}),
      in_b as materialized (select member from ${ofB}${sampled})
    select (select count(*)::int from in_a) as a, (select count(*)::int from in_b) as b,
      (select count(*)::int from (select member from in_a intersect select member from in_b) as in_both) as shared`);
  const times = [countA.oldest_s, countB.oldest_s].flatMap((seconds) => seconds ?? []);
  return {
    counts: { a: countA.n, b: countB.n, shared: found.shared },
    sample: every === 1 ? null : found,
    oldestMs: times.length === 0 ? null : Date.parse(instantOf(Math.min(...times))),
  };
};
