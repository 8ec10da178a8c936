import type { Queryable } from '../../src/kernel/postgres/pool.ts';

/**
 * The former lease, which the figures are compared with: quotas by share in one statement, rows locked, a join with all
 * leases, and no account of requests.
 */
export const leaseFormerly = async (
  db: Queryable,
  schema: string,
  {
    platform,
    max,
    nowMs,
    untilMs,
  }: { readonly platform: string; readonly max: number; readonly nowMs: number; readonly untilMs: number },
): Promise<number> => {
  const { rows } = await db.query(
    `with due as (
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
       limit $3
     ),
     leased as (
       insert into crawl.leases as l (platform, handle, worker, until)
       select platform, handle, $4, $5 from due
       on conflict (platform, handle) do update set worker = excluded.worker, until = excluded.until
         where l.until <= $2
       returning handle, failures
     )
     select handle, due.pool, due.is_new as "isNew", failures from leased join due using (handle)`,
    [platform, new Date(nowMs), max, 'bench', new Date(untilMs)],
  );
  return rows.length;
};
