import { isoOf } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { engineEvent, engineStream } from '../../write/engines/events.ts';
import type { EventLog, NewEvent } from '../../write/log/port.ts';
import type { Traffic } from '../http/rate-limited-http.ts';

/** Collects an engine's activity for its report to the log. */
export interface BatchReport {
  outcome(kind: string, latencyMs: number, warnings: readonly string[]): void;
  /** Appends the activity since the last report, if any. */
  send(nowMs: number): Promise<void>;
}

const percentile = (sorted: readonly number[], quantile: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0);

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Maximum distinct warnings of a report. */
const MAX_WARNINGS = 20;

export const createBatchReport = (
  platform: Platform,
  log: EventLog,
  takeTraffic: () => Traffic,
  startedAtMs: number,
): BatchReport => {
  let since = startedAtMs;
  let outcomes = new Map<string, number>();
  let warned = new Map<string, number>();
  let latencies: number[] = [];
  /** A report whose append failed or is in doubt: it is sent again as the same event. */
  let unsent: NewEvent | null = null;
  const deliver = async (): Promise<void> => {
    if (unsent === null) return;
    await log.append(engineStream(platform), [unsent], 'any');
    unsent = null;
  };
  return {
    outcome: (kind, latencyMs, warnings) => {
      add(outcomes, kind);
      latencies.push(latencyMs);
      for (const warning of warnings)
        if (warned.has(warning) || warned.size < MAX_WARNINGS) add(warned, warning);
    },
    send: async (nowMs) => {
      await deliver();
      if (outcomes.size === 0) return;
      const sorted = latencies.sort((a, b) => a - b);
      const { requests, bytes } = takeTraffic();
      const data = {
        platform,
        started_at: isoOf(since),
        finished_at: isoOf(nowMs),
        requests,
        bytes,
        outcomes: Object.fromEntries(outcomes),
        latency_ms: {
          p50: percentile(sorted, 0.5),
          p95: percentile(sorted, 0.95),
          p99: percentile(sorted, 0.99),
        },
        warnings: Object.fromEntries(warned),
      };
      since = nowMs;
      outcomes = new Map();
      warned = new Map();
      latencies = [];
      unsent = engineEvent('CrawlBatchCompleted', data, nowMs);
      await deliver();
    },
  };
};
