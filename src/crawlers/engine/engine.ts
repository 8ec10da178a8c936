import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { pause } from '../../kernel/retry.ts';
import type { Lease } from '../frontier.ts';
import type { SharedCircuit } from '../http/rate-limited-http.ts';
import { createAlarms } from './alarms.ts';
import { createBatchReport } from './batch-report.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { retryAppend } from './retry-append.ts';
import { type EngineOptions, Visitor } from './visitor.ts';

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
  const alarms = createAlarms({ engine: platform, worker, logger, clock, log, keep });
  const signals = { stopping: stopping.signal, aborting: aborting.signal };
  const visitor = new Visitor({ options, logger, breaker, alarms, report, keep, ...signals });
  const visit = visitor.visit.bind(visitor);
  const { circuit } = options.http;
  const loop = new LeaseLoop({ ...options, circuit, logger, breaker, visit, stopping: stopping.signal });
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
      // Without the log no report is sent.
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

export interface LeaseLoopOptions
  extends Pick<
    EngineOptions,
    'adapter' | 'availability' | 'frontier' | 'controls' | 'pools' | 'clock' | 'concurrency'
  > {
  readonly breaker: CircuitBreaker;
  readonly circuit: Pick<SharedCircuit, 'openForMs'>;
  readonly logger: Logger;
  readonly visit: (lease: Lease) => Promise<void>;
  /** Fires when no account is leased any more. */
  readonly stopping: AbortSignal;
}

/** Leases due accounts and has them visited, as many at a time as the breaker and the concurrency allow. */
export class LeaseLoop {
  readonly #options: LeaseLoopOptions;
  readonly #inFlight = new Set<Promise<void>>();
  #waiting: Lease[] = [];
  #leasedAtMs = 0;
  /** Visits begun since accounts were last leased. */
  #visits = 0;
  /** Whether all processes pause, as of the last look during a pause. */
  #isPauseShared = false;
  /** Revision of the pools' settings at that time. */
  #revision = 0;

  constructor(options: LeaseLoopOptions) {
    this.#options = options;
  }

  /** Runs until it is stopped and the last visit has ended. */
  async run(): Promise<void> {
    while (!this.#options.stopping.aborted) await this.#step();
    await Promise.all(this.#inFlight);
    await this.#release();
  }

  async #step(): Promise<void> {
    const { availability, breaker, clock, concurrency, frontier, pools, stopping } = this.#options;
    if (availability.isUnavailable()) {
      await availability.untilBack(stopping);
      return;
    }
    const wait = (await this.#isPaused()) ? IDLE_MS : breaker.waitMs(clock.now());
    if (wait > 0) {
      await this.#release();
      await this.#lookForEnd();
      return pause(Math.min(wait, IDLE_MS), stopping);
    }
    this.#isPauseShared = false;
    // Half open: one reading at a time.
    const width = breaker.isOpen() ? 1 : concurrency;
    if (this.#inFlight.size >= width) return Promise.race(this.#inFlight);
    // Leases taken under former settings, or long ago, are given back.
    if (this.#revision !== pools.revision() || this.#isStale()) await this.#release();
    if (this.#waiting.length === 0) await this.#lease(width === 1 ? 1 : this.#nextCount());
    const lease = this.#waiting.shift();
    if (lease === undefined) return pause(IDLE_MS, stopping);
    // Its lease may have expired behind slower readings: another worker may have it.
    if (lease.untilMs <= clock.now()) frontier.used(lease, 0);
    else if (pools.whileActive(lease.pool).aborted) await this.#release([lease]);
    else this.#visit(lease);
  }

  /** Ends the pause of this process's breaker once an operator has ended that of all processes. */
  async #lookForEnd(): Promise<void> {
    const { adapter, breaker, circuit, logger } = this.#options;
    try {
      const isShared = (await circuit.openForMs(adapter.platform)) > 0;
      if (this.#isPauseShared && !isShared) breaker.endPause();
      this.#isPauseShared = isShared;
    } catch (error) {
      logger.warn({ err: errorMessage(error) }, 'pause of the platform unavailable');
    }
  }

  /** Whether the engine is paused; true while that is unknown. */
  async #isPaused(): Promise<boolean> {
    const { adapter, controls, logger, pools } = this.#options;
    try {
      await pools.confirmed();
      return (await controls.engine(adapter.platform)).paused;
    } catch (error) {
      logger.warn({ err: errorMessage(error) }, 'state of the engine and its pools unavailable');
      return true;
    }
  }

  #isStale(): boolean {
    return this.#waiting.length > 0 && this.#options.clock.now() - this.#leasedAtMs > 2 * AHEAD_MS;
  }

  /** As many accounts as the recent pace needs for `AHEAD_MS`, so that slow platforms lease fewer at a time. */
  #nextCount(): number {
    const { clock, concurrency } = this.#options;
    const most = concurrency * 4;
    if (this.#visits === 0) return most;
    return Math.min(most, Math.ceil((this.#visits * AHEAD_MS) / (clock.now() - this.#leasedAtMs)));
  }

  #visit(lease: Lease): void {
    this.#visits += 1;
    const visiting = this.#options.visit(lease).finally(() => this.#inFlight.delete(visiting));
    this.#inFlight.add(visiting);
  }

  async #lease(count: number): Promise<void> {
    const { adapter, clock, frontier, logger, pools, stopping } = this.#options;
    this.#revision = pools.revision();
    try {
      this.#waiting = [...(await frontier.lease(adapter.platform, count, clock.now()))];
      this.#leasedAtMs = clock.now();
      this.#visits = 0;
    } catch (error) {
      logger.warn({ err: errorMessage(error) }, 'frontier unavailable');
      await pause(IDLE_MS * 2, stopping);
    }
  }

  /** Releases what is leased and not visited; leases that can't be released expire. */
  async #release(leases: readonly Lease[] = this.#waiting.splice(0)): Promise<void> {
    const { adapter, frontier } = this.#options;
    for (const lease of leases) frontier.used(lease, 0);
    await frontier.release(adapter.platform, leases).catch(() => undefined);
  }
}

/** How long a stop waits for readings in flight. */
const GRACE_MS = 3_000;
const MAX_PAUSE_MS = 15 * 60_000;

const IDLE_MS = 500;
/** How far ahead accounts are leased. Short, since pools and due accounts change after a lease has taken its turn. */
const AHEAD_MS = 2_000;
