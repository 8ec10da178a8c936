import { createBatcher } from '../../kernel/batch.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Builds } from '../active-builds.ts';

/**
 * SQL for the accounts of a platform due at $2: each pool's share of $3 in order of due time, skipping rows locked
 * by other workers.
 */
export const dueSql = (builds: Builds, platform: Platform): string => {
  const schema = builds.schema('frontier');
  return `
    select d.platform, d.handle, d.pool
    from (
      select pool, ceil($3::int * share / sum(share) over ())::int as quota
      from ${schema}.pools where platform = $1 and not paused
    ) p
    cross join lateral (
      select due.platform, due.handle, due.pool from ${schema}.due_${platform} due
      where due.pool = p.pool and due.due_at <= $2 and not exists (
        select from crawl.leases l where l.platform = $1 and l.handle = due.handle and l.until > $2
      )
      order by due.due_at limit p.quota for update of due skip locked
    ) d
    limit $3`;
};

export interface PoolCapacity {
  readonly pool: string;
  readonly platform: Platform;
  readonly paused: boolean;
  /** Accounts that it may still recruit. */
  readonly capacity: number;
}

/** Pools with their remaining capacity. */
export const readPools = async (db: Queryable, builds: Builds): Promise<readonly PoolCapacity[]> => {
  const schema = builds.schema('frontier');
  const { rows } = await db.query<PoolCapacity>(
    `select p.pool, p.platform, p.paused, greatest(0, p.size_cap - coalesce(m.n, 0))::int as capacity
     from ${schema}.pools p left join ${schema}.members m using (pool) order by p.pool`,
  );
  return rows;
};

/** Whether a pool has an account, as far as the frontier knows; look-ups of one tick share a query. */
export const createMembership = (
  db: Queryable,
  builds: Builds,
): ((platform: Platform, handle: string) => Promise<boolean>) => {
  const create = (platform: Platform) =>
    createBatcher<string, boolean>(async (handles) => {
      const table = `${builds.schema('frontier')}.due_${platform}`;
      const { rows } = await db.query<{ handle: string }>({
        name: `members among ${table}`,
        text: `select handle from ${table} where handle = any($1)`,
        values: [handles],
      });
      const members = new Set(rows.map(({ handle }) => handle));
      return handles.map((handle) => members.has(handle));
    });
  const lookups = new Map<Platform, (handle: string) => Promise<boolean>>();
  return (platform, handle) => {
    const lookup = lookups.get(platform) ?? create(platform);
    lookups.set(platform, lookup);
    return lookup(handle);
  };
};

/** Recruited accounts by platform, and how many of them have been read. */
export const readProgress = async (
  db: Queryable,
  builds: Builds,
): Promise<readonly { readonly platform: Platform; readonly known: number; readonly read: number }[]> => {
  const schema = builds.schema('frontier');
  const { rows } = await db.query<{ platform: Platform; known: number; read: number }>(
    `select platform, count(*)::int as known, count(observed_at)::int as read from ${schema}.due group by platform`,
  );
  return rows;
};
