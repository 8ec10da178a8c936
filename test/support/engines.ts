import { countsByBin } from '../../src/kernel/log-bins.ts';
import { platformOfSource, type Source } from '../../src/kernel/platform.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { EventDataOf } from '../../src/write/event-types.ts';

export type ReportData = EventDataOf<'CrawlBatchCompleted'>;

/** A reading that a worker reports. */
export interface TestReading {
  readonly outcome: string;
  readonly latencyMs: number;
}

/** A worker's report on readings, up to an instant. */
export const reportOf = (
  engine: Source,
  worker: string,
  finishedAt: number,
  readings: readonly TestReading[],
  more: Partial<ReportData> = {},
): ReportData => {
  const outcomes: Record<string, number> = {};
  for (const { outcome } of readings) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const at = new Date(finishedAt).toISOString();
  return {
    platform: platformOfSource(engine),
    worker,
    started_at: new Date(finishedAt - 60_000).toISOString(),
    finished_at: at,
    requests: 2 * readings.length,
    bytes: 1_000 * readings.length,
    live: { requests: 0, bytes: 0 },
    outcomes,
    latency_ms: null,
    latency_bins: countsByBin(readings.map(({ latencyMs }) => latencyMs)),
    pools: {},
    last_success_at: readings.some(({ outcome }) => !outcome.startsWith('unknown:')) ? at : null,
    last_error: readings.some(({ outcome }) => outcome === 'unknown:timeout')
      ? { reason: 'timeout', at }
      : null,
    warnings: {},
    ...more,
  };
};

/** Readings with latencies over three decades, a tenth of them inconclusive. */
export const drawnReadings = (random: Random, n: number): readonly TestReading[] =>
  Array.from({ length: n }, () => ({
    outcome: random.next() < 0.1 ? 'unknown:timeout' : random.next() < 0.2 ? 'absent' : 'present',
    latencyMs: Math.round(20 * 1_000 ** random.next()),
  }));

/** The value at a quantile of all readings. */
export const exactLatency = (readings: readonly TestReading[], quantile: number): number => {
  const sorted = readings.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
  return sorted[Math.floor(quantile * (sorted.length - 1))] as number;
};
