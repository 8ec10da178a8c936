import { createAlarms } from './alarms.ts';
import { createBatchReport } from './batch-report.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { EngineOptions } from './engine-options.ts';
import { LeaseLoop } from './lease-loop.ts';
import { retryAppend } from './retry-append.ts';
import { Visitor } from './visitor.ts';

/** The crawler of one platform. */
export interface Engine {
  /** Crawls until stopped. */
  run(): Promise<void>;
  /** Reads accounts with a known status; raises an alarm for wrong verdicts. */
  selfProbe(): Promise<void>;
  report(): Promise<void>;
  /** Leases no more accounts, finishes readings in flight that end soon, releases the rest. */
  stop(): Promise<void>;
}

/** How long a stop waits for readings in flight. */
const GRACE_MS = 3_000;
const MAX_PAUSE_MS = 15 * 60_000;

export const createEngine = (options: EngineOptions): Engine => {
  const { adapter, log, availability, frontier, clock, concurrency, worker } = options;
  const { platform } = adapter;
  const logger = options.logger.child({ engine: platform });
  const stopping = new AbortController();
  const aborting = new AbortController();
  const breaker = createCircuitBreaker({
    threshold: Math.max(5, concurrency),
    firstPauseMs: options.retryMs,
    maxPauseMs: MAX_PAUSE_MS,
  });
  const traffic = async () => ({
    live: await options.liveTraffic.take(platform),
    crawl: options.http.takeTraffic(platform, 'crawl'),
  });
  const report = createBatchReport(platform, worker, log, traffic, clock.now());
  const keep = <T>(work: () => Promise<T>): Promise<T> => retryAppend(availability, stopping.signal, work);
  const alarms = createAlarms(platform, worker, logger, clock, log, keep);
  const signals = { stopping: stopping.signal, aborting: aborting.signal };
  const visitor = new Visitor({ options, logger, breaker, alarms, report, keep, ...signals });
  const visit = visitor.visit.bind(visitor);
  const loop = new LeaseLoop({ ...options, logger, breaker, visit, stopping: stopping.signal });
  let running: Promise<void> | undefined;
  return {
    run: () => {
      running ??= loop.run();
      return running;
    },
    selfProbe: async () => {
      if (breaker.waitMs(clock.now()) > 0 || availability.isUnavailable()) return;
      if ((await options.controls.engine(platform)).paused) return;
      await visitor.selfProbe();
    },
    report: async () => {
      // Findings wait for the log like everything else.
      try {
        if (!availability.isUnavailable()) await report.send(clock.now());
      } finally {
        alarms.recheck();
        if (!availability.isUnavailable()) await options.controlCopies.copy(platform);
        await frontier.sweep(clock.now());
      }
    },
    stop: async () => {
      stopping.abort();
      const patience = setTimeout(() => aborting.abort(), GRACE_MS);
      await running;
      clearTimeout(patience);
      aborting.abort();
      if (!availability.isUnavailable()) await report.send(clock.now());
    },
  };
};
