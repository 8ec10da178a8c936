import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';

/** What the crawl schedule knows of a pool's accounts; null where it knows nothing. */
export interface PoolFigures {
  /** Accounts that it recruited. */
  readonly accounts: number | null;
  /** Those of them with a conclusive reading. */
  readonly read: number | null;
  /** Those that are due, counted up to `MOST_DUE`. */
  readonly due: number | null;
  readonly oldest_due_at: string | null;
}

/** Where counting of due accounts ends. */
const MOST_DUE = 100_000;

/** Figures of pools. @param schema of the crawl schedule. */
export const readPoolFigures = async (
  db: Queryable,
  schema: string,
  pools: readonly { readonly pool: string; readonly platform: Platform }[],
): Promise<ReadonlyMap<string, PoolFigures>> => {
  const { rows } = await db.query<{
    pool: string;
    n: string;
    unread: string;
    due: string;
    oldest: string | null;
  }>(sql`
    select p.pool, coalesce(m.n, 0) as n, u.unread, d.due, d.oldest
    from unnest(${pools.map(({ pool }) => pool)}::text[],
      ${pools.map(({ platform }) => platform)}::text[]) as p(pool, platform)
    left join ${ident(schema)}.members m on m.platform = p.platform and m.pool = p.pool
    cross join lateral (
      select count(*) as due, min(due_at) as oldest
      from (select due_at from ${ident(schema)}.due f where f.platform = p.platform and f.pool = p.pool
        and due_at <= now()
            order by due_at limit ${raw(MOST_DUE)}) as some_due
    ) d
    cross join lateral (
      select count(*) as unread from (
        select from ${ident(schema)}.due f where f.platform = p.platform and f.pool = p.pool and f.observed_at is null
      ) as unread
    ) u`);
  return new Map(
    rows.map(({ pool, n, unread, due, oldest }) => [
      pool,
      {
        accounts: Number(n),
        read: Number(n) - Number(unread),
        due: Number(due),
        oldest_due_at: oldest,
      },
    ]),
  );
};

/** An account of a pool, with its times in the crawl schedule. */
export interface PoolMember {
  readonly handle: string;
  readonly depth: number | null;
  readonly due_at: string;
  readonly observed_at: string | null;
  /** Position of the event that recruited it. */
  readonly recruited: bigint;
}

/**
 * Accounts that a pool recruited, those that are due first.
 * @param handles only these; all if null.
 */
export const readPoolMembers = async (
  db: Queryable,
  schema: string,
  { platform, pool }: { readonly platform: Platform; readonly pool: string },
  handles: readonly string[] | null,
  limit: number,
): Promise<readonly PoolMember[]> => {
  const { rows } = await db.query<{
    handle: string;
    depth: number | null;
    due_at: string;
    observed_at: string | null;
    recruited: string;
  }>(sql`
    select handle, depth, due_at, observed_at, recruited from ${ident(schema)}.due_${ident(platform)}
    where pool = ${pool} and (${handles}::text[] is null or handle = any(${handles})) order by due_at, handle
      limit ${limit}`);
  return rows.map((row) => ({
    handle: row.handle,
    depth: row.depth,
    due_at: row.due_at,
    observed_at: row.observed_at,
    recruited: BigInt(row.recruited),
  }));
};
