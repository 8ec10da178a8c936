import { sql } from 'slonik';
import { z } from 'zod';
import { quantileOf } from '../../kernel/log-bins.ts';
import type { Platform } from '../../kernel/platform.ts';
import { platformOfSource, SOURCES, type Source } from '../../kernel/source.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { type EngineRow, engineTable } from '../../projections/views/engines/tables.ts';
import { PLACEMENT } from '../../projections/views/listings/tables.ts';
import type { Builds } from '../active-builds.ts';
import { ageS } from '../age.ts';
import type { ListReads } from '../lists/lists.ts';
import { type PoolBacklog, readFreshness, readPoolBacklogs } from './backlog.ts';
import {
  type EngineStatus,
  statusOf,
  successRate,
  type Window,
  type WindowBounds,
  windowsAt,
} from './windows.ts';

/** Percentiles of latencies, within 1 % of those of all readings; null without readings whose latencies are known. */
interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** What an engine's workers did; null is unknown: nothing was reported in the window. */
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

/** The buckets of a window; of the shortest one each worker's newest. */
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

/** What engines did, by key. One that reported nothing for a day has no entry. */
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

/** An engine as it is now. Null is unknown: never zero. */
export interface EngineState extends EngineWork {
  readonly key: Source;
  readonly platform: Platform | null;
  readonly status: EngineStatus;
  /** What operators and alarms say; null if its stream has no event. */
  readonly row: EngineRow | null;
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
