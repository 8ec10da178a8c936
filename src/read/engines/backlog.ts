import { sql } from 'slonik';
import { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { DUE_SLOT_MS, readSlotTable, SPAN_MS } from '../../projections/views/frontier/tables.ts';
import { type PoolRow, poolTable } from '../../projections/views/pools/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists/lists.ts';
import { readersOf } from '../pools/pools.ts';

/** A pool's accounts that wait to be read. */
export interface PoolBacklog {
  readonly pool: string;
  readonly platform: Platform;
  readonly rule: string;
  readonly share: number;
  readonly paused: boolean;
  readonly members: number;
  /** Accounts that are due; those of the running hour in proportion to the time, if they are many. */
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

const settingsSchema = rowSchemaOf(poolTable, Object.keys(poolTable.columns) as (keyof PoolRow)[]);

const sourceSchema = z.object({
  pool: z.string(),
  members: z.string().transform(Number),
  backlog: z.number(),
  oldest: z.string().transform(Date.parse).nullable(),
});

/** What a pool recruited: its own accounts, or those of a retired pool whose heir reads them. */
type Source = z.output<typeof sourceSchema>;

const SHORT_IN_LONG = SPAN_MS.long / SPAN_MS.short;

/** The interval of a pool, or the longest that it adapts one to. */
const targetOf = (pool: PoolRow): number =>
  Math.round((pool.refresh === 'fixed' ? pool.refresh_min_s : pool.refresh_max_s) * pool.refresh_factor);

/** Accounts of the running hour that are counted one by one. Of more, the share that is due is that of the hour. */
const MAX_COUNTED = 1_000;

/** Sums of slots, and a look-up in an index for each pool. */
const readSources = (lists: ListReads, builds: Builds, nowMs: number): Promise<readonly Source[]> => {
  const schema = builds.schema('frontier');
  const table = (name: string) => sql.identifier([schema, name]);
  const slot = Math.floor(nowMs / DUE_SLOT_MS);
  const share = (nowMs % DUE_SLOT_MS) / DUE_SLOT_MS;
  const now = sql.fragment`to_timestamp(${nowMs / 1_000})`;
  return lists.any(sql.type(sourceSchema)`
    select p.pool, coalesce(m.n, 0) as members,
      passed.n + case when running.n <= ${MAX_COUNTED} then running.due else round(running.n * ${share}::float8) end as backlog,
      case when first.due_at <= ${now} then first.due_at end as oldest
    from ${table('pools')} p
    left join ${table('members')} m on m.pool = p.pool
    cross join lateral (
      select coalesce(sum(n), 0)::float8 as n from ${table('due_slots')} s
      where s.platform = p.platform and s.pool = p.pool and s.slot < ${slot}
    ) passed
    cross join lateral (
      select coalesce(sum(n), 0)::float8 as n, (
        select count(*) from ${table('due')} d
        where sum(s.n) <= ${MAX_COUNTED} and d.platform = p.platform and d.pool = p.pool and d.observed_at is not null
          and d.due_at between to_timestamp(${(slot * DUE_SLOT_MS) / 1_000}) and ${now}
      ) as due
      from ${table('due_slots')} s where s.platform = p.platform and s.pool = p.pool and s.slot = ${slot}
    ) running
    left join lateral (
      select d.due_at from ${table('due')} d
      where d.platform = p.platform and d.pool = p.pool order by d.due_at limit 1
    ) first on true
    order by p.pool`);
};

const poolBacklog = (row: PoolRow, sources: readonly Source[]): PoolBacklog => {
  const { pool, platform, rule, share, paused } = row;
  const oldest = sources.flatMap((source) => source.oldest ?? []);
  return {
    pool,
    platform,
    rule,
    share,
    paused,
    members: sources.reduce((sum, { members }) => sum + members, 0),
    backlog: sources.reduce((sum, { backlog }) => sum + backlog, 0),
    oldestDueMs: oldest.length === 0 ? null : Math.min(...oldest),
    targetS: targetOf(row),
  };
};

/** Pools that are not retired, with the accounts that they read. */
export const readPoolBacklogs = async (
  lists: ListReads,
  builds: Builds,
  nowMs: number,
): Promise<readonly PoolBacklog[]> => {
  const settings = sql.identifier([builds.schema('pools'), 'pools']);
  const rows = await lists.any(sql.type(settingsSchema)`select * from ${settings} order by pool`);
  const readers = readersOf(rows);
  const sources = Map.groupBy(
    await readSources(lists, builds, nowMs),
    ({ pool }) => readers.get(pool) ?? null,
  );
  return rows
    .filter(({ retired_at }) => retired_at === null)
    .map((row) => poolBacklog(row, sources.get(row.pool) ?? []));
};

const slotSchema = rowSchemaOf(readSlotTable, ['platform', 'slot', 'n']);
type Slot = z.output<typeof slotSchema>;

/** Where a quantile is among slots, newest first, since recent readings fill the lower ones. */
interface Found {
  readonly slot: number;
  /** Accounts of newer slots. */
  readonly newer: number;
}

/** The slot in which an account is that so many are as recent as, or more recent than. */
const slotAt = (slots: readonly Slot[], rank: number, newer = 0): Found | null => {
  let passed = newer;
  for (const { slot, n } of slots) {
    if (passed + n >= rank) return { slot, newer: passed };
    passed += n;
  }
  return null;
};

const QUANTILES = { p50_s: 0.5, p95_s: 0.95, p99_s: 0.99 } as const;
const NAMES = ['p50_s', 'p95_s', 'p99_s'] as const;

/** Ages by platform; of those without a reading nothing is known. */
export const readFreshness = async (
  lists: ListReads,
  builds: Builds,
  nowMs: number,
): Promise<ReadonlyMap<Platform, Freshness>> => {
  const table = sql.identifier([builds.schema('frontier'), 'read_slots']);
  const long = Map.groupBy(
    await lists.any(sql.type(slotSchema)`
      select platform, slot, n from ${table} where span = 'long' order by slot desc`),
    ({ platform }) => platform,
  );
  const found = [...long].flatMap(([platform, slots]) => {
    const accounts = slots.reduce((sum, { n }) => sum + n, 0);
    return NAMES.flatMap((name) => {
      const rank = QUANTILES[name] * accounts;
      const at = slotAt(slots, rank);
      return at === null ? [] : [{ platform, accounts, name, rank, ...at }];
    });
  });
  const short = Map.groupBy(
    await lists.any(sql.type(slotSchema)`
      select s.platform, s.slot, s.n
      from (select distinct platform, slot from unnest(
        ${sql.array(
          found.map(({ platform }) => platform),
          'text',
        )},
        ${sql.array(
          found.map(({ slot }) => slot),
          'int4',
        )}
      ) as at (platform, slot)) wanted
      cross join lateral (
        select platform, slot, n from ${table} where platform = wanted.platform and span = 'short'
          and slot between wanted.slot * ${SHORT_IN_LONG} and wanted.slot * ${SHORT_IN_LONG} + ${SHORT_IN_LONG - 1}
        offset 0
      ) s
      order by s.slot desc`),
    ({ platform, slot }) => `${platform} ${Math.floor(slot / SHORT_IN_LONG)}`,
  );
  const ages = new Map<Platform, Freshness>();
  for (const { platform, accounts, name, rank, slot, newer } of found) {
    const at = slotAt(short.get(`${platform} ${slot}`) ?? [], rank, newer);
    const age = at === null ? null : nowMs - (at.slot + 0.5) * SPAN_MS.short;
    ages.set(platform, {
      ...(ages.get(platform) ?? { p50_s: null, p95_s: null, p99_s: null }),
      accounts,
      [name]: age === null ? null : Math.max(0, Math.round(age / 1_000)),
    });
  }
  return ages;
};
