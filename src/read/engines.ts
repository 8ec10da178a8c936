/** Reads of engines: windows of their reports, their state, and the backlog of their pools. */

import { sql } from 'slonik';
import { z } from 'zod';
import { quantileOf } from '../kernel/log-bins.ts';
import { type Platform, platformOfSource, SOURCES, type Source } from '../kernel/platform.ts';
import { rowSchemaOf } from '../projections/table/table.ts';
import {
  type EngineRow,
  engineTable,
  HOUR_MINUTES,
  MINUTE_MS,
  minuteTable,
} from '../projections/views/engines/tables.ts';
import { DUE_SLOT_MS, readSlotTable, SPAN_MS } from '../projections/views/frontier/tables.ts';
import { PLACEMENT } from '../projections/views/listings/tables.ts';
import { type PoolRow, poolTable } from '../projections/views/pools/tables.ts';
import type { Builds } from './active-builds.ts';
import { ageS } from './age.ts';
import type { ListReads } from './lists.ts';
import { readersOf } from './pools.ts';

/** Windows of an engine's figures. They are computed from buckets and end with the newest report. */
export const WINDOWS = ['1m', '1h', '24h'] as const;
export type Window = (typeof WINDOWS)[number];

/** Buckets of the windows at an instant. */
export interface WindowBounds {
  /**
   * First minute of the window of a minute. Each worker reports at the beginning of a minute on the previous one, so its newest
   * report counts, whether it is of this minute or the last.
   */
  readonly minute: number;
  /** First minute of the window of an hour. */
  readonly hourMinute: number;
  /** First hour of the window of 24 hours: the running hour, and 23 before it. */
  readonly dayHour: number;
  /** Minutes that each window has. */
  readonly lengths: Readonly<Record<Window, number>>;
}

export const windowsAt = (nowMs: number): WindowBounds => {
  const now = Math.floor(nowMs / MINUTE_MS);
  const dayHour = Math.floor(now / HOUR_MINUTES) - 23;
  return {
    minute: now - 1,
    hourMinute: now - HOUR_MINUTES + 1,
    dayHour,
    lengths: { '1m': 1, '1h': HOUR_MINUTES, '24h': now - dayHour * HOUR_MINUTES + 1 },
  };
};

const UNKNOWN = 'unknown:';

/** Share of readings with a conclusive outcome; null if nothing was read. */
export const successRate = (outcomes: Readonly<Record<string, number>>): number | null => {
  const all = Object.entries(outcomes);
  const total = all.reduce((sum, [, n]) => sum + n, 0);
  if (total === 0) return null;
  const failed = all.reduce((sum, [name, n]) => (name.startsWith(UNKNOWN) ? sum + n : sum), 0);
  return (total - failed) / total;
};

/** In order of precedence: the operator's decision, the alarm, the reports. */
export const ENGINE_STATUSES = ['paused', 'blocked', 'degraded', 'idle', 'healthy'] as const;
export type EngineStatus = (typeof ENGINE_STATUSES)[number];

/** Alarm reasons which mean that the platform refuses requests. Others are about what it shows, or about this installation. */
const REFUSALS: ReadonlySet<string> = new Set(['rate_limited', 'login_wall', 'challenge', 'region']);

/** An engine without a reading for this long is idle. A feed is polled every five minutes by default. */
const IDLE_MS = 10 * MINUTE_MS;

/** What decides on the status of an engine. */
interface StatusInput {
  readonly paused_at: string | null;
  readonly alarm: string | null;
  readonly read_at: string | null;
}

export const statusOf = ({ paused_at, alarm, read_at }: StatusInput, nowMs: number): EngineStatus => {
  if (paused_at !== null) return 'paused';
  if (alarm !== null) return REFUSALS.has(alarm) ? 'blocked' : 'degraded';
  return read_at === null || nowMs - Date.parse(read_at) >= IDLE_MS ? 'idle' : 'healthy';
};

/** The read model behind an engine's work: what it reads next, or for a feed what it has read. */
export const modelOf = (engine: Source): 'frontier' | 'listings' =>
  engine === 'marketplace' ? 'listings' : 'frontier';

/** Percentiles of latencies, within 1 % of those of all readings; null without readings whose latencies are known. */
export interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** The work of an engine's workers; null is unknown: nothing was reported in the window. */
interface EngineWork {
  readonly perMin: Readonly<Record<Window, number | null>>;
  /** Requests of the crawl a minute in the last hour. */
  readonly requestsPerMin: number | null;
  /** Of the chosen window. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly latencyMs: Latency;
  /** Processes that reported in the last hour. */
  readonly workers: number;
}

const sumSchema = z.object({
  engine: z.string(),
  minute: z.string().transform(Number).nullable(),
  hour: z.string().transform(Number).nullable(),
  day: z.string().transform(Number).nullable(),
  requests: z.string().transform(Number).nullable(),
  workers: z.string().transform(Number).nullable(),
});

const readSums = (lists: ListReads, builds: Builds, { minute, hourMinute, dayHour }: WindowBounds) => {
  const schema = builds.schema('engines');
  const minutes = sql.identifier([schema, 'minutes']);
  const hours = sql.identifier([schema, 'hours']);
  return lists.any(sql.type(sumSchema)`
    select engine, last_minute.n as minute, last_hour.n as hour, last_day.n as day, last_hour.requests, last_hour.workers
    from (
      select engine, sum(readings)::bigint as n from ${hours} where hour >= ${dayHour} group by engine
    ) last_day
    left join (
      select engine, sum(readings)::bigint as n, sum(requests)::bigint as requests, count(distinct worker) as workers
      from ${minutes} where minute >= ${hourMinute} group by engine
    ) last_hour using (engine)
    left join (
      select engine, sum(readings)::bigint as n from (
        select distinct on (engine, worker) engine, readings from ${minutes}
        where minute >= ${minute} order by engine, worker, minute desc
      ) newest group by engine
    ) last_minute using (engine)`);
};

const countSchema = z.object({
  engine: z.string(),
  kind: z.enum(['outcome', 'latency']),
  name: z.string(),
  n: z.string().transform(Number),
});

type CountRow = z.output<typeof countSchema>;

/** The buckets of a window. The shortest window takes the newest report of each worker. */
const bucketsOf = (builds: Builds, window: Window, { minute, hourMinute, dayHour }: WindowBounds) => {
  const schema = builds.schema('engines');
  const minutes = sql.identifier([schema, 'minutes']);
  const hours = sql.identifier([schema, 'hours']);
  switch (window) {
    case '1m':
      return sql.fragment`select distinct on (engine, worker) engine, outcomes, latency_bins from ${minutes}
        where minute >= ${minute} order by engine, worker, minute desc`;
    case '1h':
      return sql.fragment`select engine, outcomes, latency_bins from ${minutes} where minute >= ${hourMinute}`;
    case '24h':
      return sql.fragment`select engine, outcomes, latency_bins from ${hours} where hour >= ${dayHour}`;
  }
};

const readCounts = (lists: ListReads, builds: Builds, window: Window, bounds: WindowBounds) =>
  lists.any(sql.type(countSchema)`
    with buckets as materialized (${bucketsOf(builds, window, bounds)})
    select engine, 'outcome' as kind, name, sum(n::bigint)::bigint as n
    from buckets, jsonb_each_text(outcomes) as each (name, n) group by engine, name
    union all
    select engine, 'latency', name, sum(n::bigint)::bigint
    from buckets, jsonb_each_text(latency_bins) as each (name, n) group by engine, name`);

const latencyOf = (rows: readonly CountRow[]): Latency => {
  const bins = rows.map(({ name, n }) => ({ bin: Number(name), n })).toSorted((a, b) => a.bin - b.bin);
  const at = (quantile: number): number | null => {
    const value = quantileOf(bins, quantile);
    return value === null ? null : Math.round(value);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

const perMinute = (n: number | null | undefined, minutes: number): number | null =>
  n === null || n === undefined ? null : n / minutes;

/** The work of engines by key. An engine that reported nothing for a day has no entry. */
const readWork = async (
  lists: ListReads,
  builds: Builds,
  window: Window,
  nowMs: number,
): Promise<ReadonlyMap<string, EngineWork>> => {
  const bounds = windowsAt(nowMs);
  const { lengths } = bounds;
  const sums = await readSums(lists, builds, bounds);
  const counts = Map.groupBy(await readCounts(lists, builds, window, bounds), ({ engine }) => engine);
  return new Map(
    sums.map((row) => {
      const own = counts.get(row.engine) ?? [];
      const outcomes = own.filter(({ kind }) => kind === 'outcome').map(({ name, n }) => [name, n] as const);
      return [
        row.engine,
        {
          perMin: {
            '1m': perMinute(row.minute, lengths['1m']),
            '1h': perMinute(row.hour, lengths['1h']),
            '24h': perMinute(row.day, lengths['24h']),
          },
          requestsPerMin: perMinute(row.requests, lengths['1h']),
          outcomes: Object.fromEntries(outcomes.toSorted(([a], [b]) => (a < b ? -1 : 1))),
          latencyMs: latencyOf(own.filter(({ kind }) => kind === 'latency')),
          workers: row.workers ?? 0,
        },
      ] as const;
    }),
  );
};

/** The current state of an engine. Null is unknown, never zero. */
export interface EngineState extends EngineWork {
  readonly key: Source;
  readonly platform: Platform | null;
  readonly status: EngineStatus;
  /** What operators and alarms say; null if its stream has no event. */
  readonly row: EngineRow | null;
  /** Null while requests are sent. */
  readonly pause: EnginePause | null;
  readonly successRate: number | null;
  readonly freshness: {
    readonly p50_s: number | null;
    readonly p95_s: number | null;
    readonly p99_s: number | null;
    /** The longest age that a pool allows. */
    readonly target_s: number | null;
  };
  readonly catalogSize: number | null;
  readonly backlog: number | null;
  readonly oldestDueS: number | null;
  readonly pools: readonly PoolBacklog[];
}

const engineSchema = rowSchemaOf(engineTable, [
  'engine',
  'reported_at',
  'read_at',
  'last_success_at',
  'last_error',
  'last_error_at',
  'alarm',
  'alarm_detail',
  'alarm_at',
  'paused_at',
  'paused_why',
  'rate_per_s',
]);

const seriesSchema = rowSchemaOf(minuteTable, ['minute', 'requests', 'outcomes']);

/** The work of an engine in a minute; null if it reported nothing. */
export interface EngineMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly requests: number | null;
  /** Readings by outcome. */
  readonly outcomes: Readonly<Record<string, number>> | null;
}

/** The work of an engine in each minute of the last hour, oldest first. */
export const readEngineMinutes = async (
  lists: ListReads,
  builds: Builds,
  engine: Source,
  nowMs: number,
): Promise<readonly EngineMinute[]> => {
  const minutes = sql.identifier([builds.schema('engines'), 'minutes']);
  const { hourMinute: first } = windowsAt(nowMs);
  const rows = await lists.any(sql.type(seriesSchema)`
    select minute, requests, outcomes from ${minutes} where engine = ${engine} and minute >= ${first}`);
  const byMinute = Map.groupBy(rows, ({ minute }) => minute);
  return Array.from({ length: HOUR_MINUTES }, (_, i) => {
    const reports = byMinute.get(first + i);
    if (reports === undefined) return { minute: first + i, requests: null, outcomes: null };
    const outcomes: Record<string, number> = {};
    for (const report of reports)
      for (const [outcome, n] of Object.entries(report.outcomes))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + n;
    return {
      minute: first + i,
      requests: reports.reduce((sum, { requests }) => sum + Number(requests), 0),
      outcomes,
    };
  });
};

const sizeSchema = z.object({ source: z.string(), n: z.string().transform(Number) });

/** Accounts that were read by platform, and listings of marketplaces. */
const readSizes = async (lists: ListReads, builds: Builds): Promise<ReadonlyMap<string, number>> => {
  const accounts = sql.identifier([builds.schema('accounts'), 'totals']);
  const listings = sql.identifier([builds.schema('listings'), 'totals']);
  const rows = await lists.any(sql.type(sizeSchema)`
    select platform as source, n from ${accounts}
    union all
    select 'marketplace', coalesce(sum(n), 0)::bigint from ${listings} where status <> ${PLACEMENT}`);
  return new Map(rows.map(({ source, n }) => [source, n]));
};

const NO_WORK: EngineWork = {
  perMin: { '1m': null, '1h': null, '24h': null },
  requestsPerMin: null,
  outcomes: {},
  latencyMs: { p50: null, p95: null, p99: null },
  workers: 0,
};

/** What waits in pools that are read. */
const backlogOf = (pools: readonly PoolBacklog[], nowMs: number) => {
  const read = pools.filter(({ paused }) => !paused);
  const oldest = read.flatMap(({ oldestDueMs }) => oldestDueMs ?? []);
  return {
    // A feed has no backlog, and neither has a platform without pools.
    backlog: pools.length === 0 ? null : read.reduce((sum, { backlog }) => sum + backlog, 0),
    oldestDueS: oldest.length === 0 ? null : ageS(Math.min(...oldest), nowMs),
    target_s: read.length === 0 ? null : Math.max(...read.map(({ targetS }) => targetS)),
  };
};

/** The pause of a platform's requests, which readings that failed began. */
export interface EnginePause {
  readonly until: string;
  readonly why: string | null;
}

const pauseSchema = z.object({ platform: z.string(), until: z.string(), why: z.string().nullable() });

const readPauses = async (lists: ListReads): Promise<ReadonlyMap<string, EnginePause>> => {
  const rows = await lists.any(sql.type(pauseSchema)`
    select platform, paused_until as until, paused_why as why from crawl.buckets
    where paused_until > clock_timestamp()
    union all
    select 'marketplace', max(paused_until), null from crawl.feeds where paused_until > clock_timestamp()
    having count(*) > 0`);
  return new Map(rows.map(({ platform, until, why }) => [platform, { until, why }]));
};

/** All engines, in the order of platforms. @param window of outcomes, success and latencies. */
export const readEngines = async (
  lists: ListReads,
  builds: Builds,
  window: Window,
  nowMs: number,
): Promise<readonly EngineState[]> => {
  const table = sql.identifier([builds.schema('engines'), 'engines']);
  const rows = await lists.any(sql.type(engineSchema)`
    select engine, reported_at, read_at, last_success_at, last_error, last_error_at, alarm, alarm_detail, alarm_at,
      paused_at, paused_why, rate_per_s
    from ${table}`);
  const work = await readWork(lists, builds, window, nowMs);
  const pools = await readPoolBacklogs(lists, builds, nowMs);
  const ages = await readFreshness(lists, builds, nowMs);
  const sizes = await readSizes(lists, builds);
  const pauses = await readPauses(lists);
  return SOURCES.map((key): EngineState => {
    const platform = platformOfSource(key);
    const row = rows.find(({ engine }) => engine === key) ?? null;
    const own = pools.filter((pool) => pool.platform === platform);
    const done = work.get(key) ?? NO_WORK;
    const freshness = platform === null ? undefined : ages.get(platform);
    const { backlog, oldestDueS, target_s } = backlogOf(own, nowMs);
    return {
      key,
      platform,
      status: statusOf(row ?? { paused_at: null, alarm: null, read_at: null }, nowMs),
      row,
      pause: pauses.get(key) ?? null,
      ...done,
      successRate: successRate(done.outcomes),
      freshness: {
        p50_s: freshness?.p50_s ?? null,
        p95_s: freshness?.p95_s ?? null,
        p99_s: freshness?.p99_s ?? null,
        target_s,
      },
      catalogSize: sizes.get(key) ?? null,
      backlog,
      oldestDueS,
      pools: own,
    };
  });
};

/** A pool's accounts that wait to be read. */
export interface PoolBacklog {
  readonly pool: string;
  readonly platform: Platform;
  readonly rule: string;
  readonly share: number;
  readonly paused: boolean;
  readonly members: number;
  /** Accounts that are due. If there are many, those of the current hour are estimated in proportion to the time. */
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
type MarketplaceSource = z.output<typeof sourceSchema>;

const SHORT_IN_LONG = SPAN_MS.long / SPAN_MS.short;

/** The interval of a pool, or the longest that it adapts one to. */
const targetOf = (pool: PoolRow): number =>
  Math.round((pool.refresh === 'fixed' ? pool.refresh_min_s : pool.refresh_max_s) * pool.refresh_factor);

/** Number of accounts of the current hour that are counted one by one. If there are more, the due share of the hour is used. */
const MAX_COUNTED = 1_000;

/** Sums of slots, and a look-up in an index for each pool. */
const readSources = (
  lists: ListReads,
  builds: Builds,
  nowMs: number,
): Promise<readonly MarketplaceSource[]> => {
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

const poolBacklog = (row: PoolRow, sources: readonly MarketplaceSource[]): PoolBacklog => {
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

/** The slot of the account at which this many accounts are as recent or more recent. */
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

/** Ages by platform. Accounts without a reading have no age. */
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
