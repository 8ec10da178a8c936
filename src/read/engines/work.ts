import { sql } from 'slonik';
import { z } from 'zod';
import { quantileOf } from '../../kernel/log-bins.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists/lists.ts';
import { type Window, type WindowBounds, windowsAt } from './windows.ts';

/** Percentiles of latencies, within 1 % of those of all readings; null without readings whose latencies are known. */
export interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** What an engine's workers did; null is unknown: nothing was reported in the window. */
export interface EngineWork {
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
export const readWork = async (
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
