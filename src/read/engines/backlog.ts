import { sql } from 'slonik';
import { z } from 'zod';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { poolTable, SLOT_MS } from '../../projections/views/frontier/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists/lists.ts';

/** A pool's accounts that wait to be read. */
export interface PoolBacklog {
  readonly pool: string;
  readonly platform: Platform;
  readonly rule: string;
  readonly share: number;
  readonly paused: boolean;
  readonly members: number;
  /** Accounts that are due; those of the running five minutes in proportion. */
  readonly backlog: number;
  /** Since when the oldest of them is due; null if none is. */
  readonly oldestDueMs: number | null;
  /** Age that its readings may reach. */
  readonly targetS: number;
}

/** Ages of a platform's accounts at their last reading, with a resolution of five minutes. */
export interface Freshness {
  readonly accounts: number;
  readonly p50_s: number | null;
  readonly p95_s: number | null;
  readonly p99_s: number | null;
}

const poolSchema = rowSchemaOf(poolTable, [
  'pool',
  'platform',
  'rule',
  'share',
  'paused',
  'refresh',
  'refresh_min_s',
  'refresh_max_s',
  'refresh_factor',
]).extend({
  members: z.bigint().transform(Number),
  backlog: z.number(),
  oldest: z.number().nullable(),
});

/** The interval of a pool, or the longest that it adapts one to. */
const targetOf = (pool: z.output<typeof poolSchema>): number =>
  Math.round((pool.refresh === 'fixed' ? pool.refresh_min_s : pool.refresh_max_s) * pool.refresh_factor);

/** Sums of slots and a look-up in an index for each pool: no account is counted. */
export const readPoolBacklogs = async (
  lists: ListReads,
  builds: Builds,
  nowMs: number,
): Promise<readonly PoolBacklog[]> => {
  const schema = builds.schema('frontier');
  const table = (name: string) => sql.identifier([schema, name]);
  const slot = Math.floor(nowMs / SLOT_MS);
  const share = (nowMs % SLOT_MS) / SLOT_MS;
  const rows = await lists.any(sql.type(poolSchema)`
    select p.pool, p.platform, p.rule, p.share, p.paused, p.refresh, p.refresh_min_s, p.refresh_max_s, p.refresh_factor,
      coalesce(m.n, 0) as members,
      coalesce(round(due.n), 0)::float8 as backlog,
      case when first.due_at <= to_timestamp(${nowMs / 1_000}) then first.due_at end as oldest
    from ${table('pools')} p
    left join ${table('members')} m on m.pool = p.pool
    cross join lateral (
      select sum(case when s.slot < ${slot} then s.n else s.n * ${share}::float8 end) as n
      from ${table('due_slots')} s where s.platform = p.platform and s.pool = p.pool and s.slot <= ${slot}
    ) due
    left join lateral (
      select d.due_at from ${table('due')} d
      where d.platform = p.platform and d.pool = p.pool order by d.due_at limit 1
    ) first on true
    order by p.pool`);
  return rows.map((row) => ({
    pool: row.pool,
    platform: row.platform,
    rule: row.rule,
    share: row.share,
    paused: row.paused,
    members: row.members,
    backlog: row.backlog,
    oldestDueMs: row.oldest,
    targetS: targetOf(row),
  }));
};

const freshnessSchema = z.object({
  platform: platformSchema,
  accounts: z.bigint().transform(Number),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});

/** Ages by platform; of those without a reading nothing is known. */
export const readFreshness = async (
  lists: ListReads,
  builds: Builds,
  nowMs: number,
): Promise<ReadonlyMap<Platform, Freshness>> => {
  const slots = sql.identifier([builds.schema('frontier'), 'read_slots']);
  // Newest first: recent readings fill the lower quantiles.
  const rows = await lists.any(sql.type(freshnessSchema)`
    select platform, max(total)::bigint as accounts,
      max(slot) filter (where passed >= 0.5 * total) as p50,
      max(slot) filter (where passed >= 0.95 * total) as p95,
      max(slot) filter (where passed >= 0.99 * total) as p99
    from (
      select platform, slot, sum(n) over (partition by platform order by slot desc) as passed,
        sum(n) over (partition by platform) as total
      from ${slots}
    ) s
    group by platform`);
  const ageOf = (slot: number): number => Math.max(0, Math.round((nowMs - (slot + 0.5) * SLOT_MS) / 1_000));
  return new Map(
    rows.map(({ platform, accounts, p50, p95, p99 }) => [
      platform,
      { accounts, p50_s: ageOf(p50), p95_s: ageOf(p95), p99_s: ageOf(p99) },
    ]),
  );
};
