import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Builds } from '../active-builds.ts';

/**
 * SQL for the accounts of a platform due at $2: each pool's share of $3 in order of due time, skipping rows locked
 * by other workers.
 */
export const dueSql = (builds: Builds, platform: Platform): string => {
  const schema = builds.schema('frontier');
  return `
    select d.platform, d.handle, d.pool, d.observed_at is null as is_new
    from (
      select pool, ceil($3::int * share / sum(share) over ())::int as quota
      from ${schema}.pools where platform = $1 and not paused
    ) p
    cross join lateral (
      select due.platform, due.handle, due.pool, due.observed_at from ${schema}.due_${platform} due
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

/** Names of the accounts that pools have, out of those asked for, as far as the frontier knows: `x:nasa`. */
export const readMembers = async (
  db: Queryable,
  builds: Builds,
  accounts: readonly { readonly platform: Platform; readonly handle: string }[],
): Promise<ReadonlySet<string>> => {
  const schema = builds.schema('frontier');
  const { rows } = await db.query<{ name: string }>({
    name: `members of ${schema}`,
    // An arm for each partition: a join would probe each of them for every account.
    text: PLATFORMS.map(
      (platform, i) =>
        `select '${platform}:' || handle as name from ${schema}.due_${platform}
         where platform = '${platform}' and handle = any($${i + 1})`,
    ).join(' union all '),
    values: PLATFORMS.map((platform) =>
      accounts.filter((each) => each.platform === platform).map(({ handle }) => handle),
    ),
  });
  return new Set(rows.map(({ name }) => name));
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
