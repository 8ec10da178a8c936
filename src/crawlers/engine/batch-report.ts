import { isoOf } from '../../kernel/clock.ts';
import { countsByBin } from '../../kernel/log-bins.ts';
import { platformOfSource, type Source } from '../../kernel/platform.ts';
import { engineEvent, engineReportStream } from '../../write/engines.ts';
import { type EventLog, LogRequestRejectedError, type NewEvent } from '../../write/log/port.ts';
import type { Traffic, TrafficClass } from '../http/rate-limited-http.ts';

/** Collects an engine's activity for its report to the log. */
export interface BatchReport {
  reading(reading: ReportedReading): void;
  /** An account was found that one of the pool's accounts named. @param isFirst whether it is that one's first of the day. */
  discovered(pool: string, isFirst: boolean): void;
  /** Appends the activity since the last report, if any. */
  send(nowMs: number): Promise<void>;
}

/** @param worker identifies this process among those that run the engine. */
export const createBatchReport = (
  engine: Source,
  worker: string,
  log: EventLog,
  takeTraffic: () => Promise<TrafficByClass>,
  startedAtMs: number,
): BatchReport => {
  let since = startedAtMs;
  let batch = emptyBatch();
  let traffic = NO_TRAFFIC;
  let lastSuccessMs: number | null = null;
  let lastError: { readonly reason: string; readonly atMs: number } | null = null;
  /** A report whose append failed or is in doubt. It is sent again as the same event. */
  let unsent: NewEvent | null = null;
  const deliver = async (): Promise<void> => {
    const sending = unsent;
    if (sending === null) return;
    try {
      await log.append(engineReportStream(engine), [sending], 'any');
    } catch (error) {
      // A report that the log rejects must not block all later ones.
      if (error instanceof LogRequestRejectedError && unsent === sending) unsent = null;
      throw error;
    }
    if (unsent === sending) unsent = null;
  };
  const workOf = (pool: string): PoolWork => {
    const work = batch.pools.get(pool) ?? { requests: 0, readings: 0, errors: 0, discovered: 0, namers: 0 };
    batch.pools.set(pool, work);
    return work;
  };
  return {
    reading: ({ outcome, latencyMs, warnings, pool, requests, atMs }) => {
      const { outcomes, warned, latencies } = batch;
      const isError = outcome.startsWith(UNKNOWN);
      add(outcomes, outcome);
      latencies.push(latencyMs);
      for (const warning of warnings)
        if (warned.has(warning) || warned.size < MAX_WARNINGS) add(warned, warning);
      const work = workOf(pool);
      work.requests += requests;
      work.readings += 1;
      work.errors += isError ? 1 : 0;
      if (isError) lastError = { reason: outcome.slice(UNKNOWN.length), atMs };
      else lastSuccessMs = atMs;
    },
    discovered: (pool, isFirst) => {
      const work = workOf(pool);
      work.discovered += 1;
      work.namers += isFirst ? 1 : 0;
    },
    send: async (nowMs) => {
      await deliver();
      const taken = await takeTraffic();
      traffic = sumOf(traffic, taken);
      const { outcomes, warned, latencies, pools } = batch;
      const sorted = latencies.sort((a, b) => a - b);
      const { crawl, live } = traffic;
      // Includes requests of readings that are still in flight.
      if (outcomes.size === 0 && live.requests === 0) return;
      traffic = NO_TRAFFIC;
      const data = {
        platform: platformOfSource(engine),
        worker,
        started_at: isoOf(since),
        finished_at: isoOf(nowMs),
        ...crawl,
        live,
        outcomes: Object.fromEntries(outcomes),
        latency_ms:
          sorted.length === 0
            ? null
            : { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), p99: percentile(sorted, 0.99) },
        latency_bins: countsByBin(sorted),
        pools: Object.fromEntries([...pools].slice(0, MAX_POOLS)),
        last_success_at: lastSuccessMs === null ? null : isoOf(lastSuccessMs),
        last_error: lastError === null ? null : { reason: lastError.reason, at: isoOf(lastError.atMs) },
        warnings: Object.fromEntries(warned),
      };
      since = nowMs;
      batch = emptyBatch();
      unsent = engineEvent('CrawlBatchCompleted', data, nowMs);
      await deliver();
    },
  };
};

/** A reading as the report counts it. */
interface ReportedReading {
  readonly outcome: string;
  readonly latencyMs: number;
  readonly warnings: readonly string[];
  /** The pool whose account was read. */
  readonly pool: string;
  readonly requests: number;
  readonly atMs: number;
}

const percentile = (sorted: readonly number[], quantile: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0);

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

interface PoolWork {
  requests: number;
  readings: number;
  errors: number;
  discovered: number;
  namers: number;
}

/** Activity since the last report. */
const emptyBatch = () => ({
  outcomes: new Map<string, number>(),
  warned: new Map<string, number>(),
  latencies: [] as number[],
  pools: new Map<string, PoolWork>(),
});

type TrafficByClass = Readonly<Record<TrafficClass, Traffic>>;

const NO_TRAFFIC: TrafficByClass = { crawl: { requests: 0, bytes: 0 }, live: { requests: 0, bytes: 0 } };

const sumOf = (a: TrafficByClass, b: TrafficByClass): TrafficByClass => {
  const sum = (trafficClass: TrafficClass) => ({
    requests: a[trafficClass].requests + b[trafficClass].requests,
    bytes: a[trafficClass].bytes + b[trafficClass].bytes,
  });
  return { crawl: sum('crawl'), live: sum('live') };
};

/** Maximum pools of a report. */
const MAX_POOLS = 1_000;
/** Maximum distinct warnings of a report. */
const MAX_WARNINGS = 20;

const UNKNOWN = 'unknown:';
