import type { GrowthPoint } from '../../analysis/growth.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { type DigestPost, decodeDigest } from '../../projections/views/posts/tables.ts';
import type { Span } from '../../write/accounts/post.ts';

/** The digest of an account, and the sighting that its row is as of. */
export interface SampledDigest {
  readonly posts: readonly DigestPost[];
  readonly span: Span | null;
  readonly anchorMs: number;
}

interface SampleSize {
  /** About so many accounts. */
  readonly accounts: number;
  /** Of so many. */
  readonly of: number;
}

const percentOf = ({ accounts, of }: SampleSize): number => Math.min(100, (100 * accounts) / Math.max(1, of));

/**
 * Digests of accounts that exist, drawn at random by pages, so that only these are read: the same ones for the same rows.
 */
export const sampleDigests = async (
  db: Queryable,
  schema: string,
  platform: Platform,
  size: SampleSize,
): Promise<readonly SampledDigest[]> => {
  const { rows } = await db.query<{ digest: Buffer; at: string }>(sql`
    select digest, observed_at as at
      from ${ident(schema)}.accounts_${ident(platform)} tablesample system (${percentOf(size)}) repeatable (1)
    where not is_gone and is_seen order by handle limit ${2 * size.accounts}`);
  return rows.map(({ digest, at }) => ({ ...decodeDigest(digest), anchorMs: Date.parse(at) }));
};

/** Readings are compared for so many days. */
const DAYS = 400;

/** The followers of accounts by time, drawn at random among those large enough to show a small change. */
export const sampleFollowers = async (
  db: Queryable,
  schema: string,
  platform: Platform,
  { leastFollowers, ...size }: SampleSize & { readonly leastFollowers: number },
): Promise<readonly (readonly GrowthPoint[])[]> => {
  const { rows } = await db.query<{ points: readonly (readonly [string, number])[] }>(sql`
    select h.points from (
      select platform, entry
        from ${ident(schema)}.entries_${ident(platform)} tablesample system (${percentOf(size)}) repeatable (1)
      where followers >= ${leastFollowers} limit ${2 * size.accounts}
    ) e cross join lateral (
      select json_agg(json_build_array(at, followers) order by at) as points
        from ${ident(schema)}.history_${ident(platform)} h
      where h.platform = e.platform and h.entry = e.entry and h.followers is not null
        and h.at > now() - interval '${raw(DAYS)} days'
    ) h where h.points is not null`);
  return rows.map(({ points }) => points.map(([at, followers]) => ({ atMs: Date.parse(at), followers })));
};
