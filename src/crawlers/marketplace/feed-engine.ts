import { realMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { pause } from '../../kernel/retry.ts';
import { type Alarms, createAlarms } from '../engine/alarms.ts';
import { type BatchReport, createBatchReport } from '../engine/batch-report.ts';
import { type CircuitBreaker, createCircuitBreaker } from '../engine/circuit-breaker.ts';
import { retryAppend } from '../engine/retry-append.ts';
import {
  type CurrentReading,
  type FeedEngineOptions,
  type FeedPage,
  FeedReader,
  READING_ALARMS,
} from './feed-reader.ts';
import { loadPosition, movePosition, pausedUntil, pauseFeed } from './feed-store.ts';

/** The crawler of a marketplace's feed. One process runs it at a time. */
export class FeedEngine {
  readonly #options: FeedEngineOptions;
  readonly #logger: Logger;
  readonly #breaker: CircuitBreaker;
  #isPauseShared = false;
  readonly #alarms: Alarms;
  readonly #reader: FeedReader;
  readonly #report: BatchReport;
  #stopping: AbortSignal = AbortSignal.abort();

  constructor(options: FeedEngineOptions) {
    const { worker, log, availability, clock, retryMs } = options;
    this.#options = options;
    this.#logger = options.logger.child({ engine: 'marketplace' });
    this.#breaker = createCircuitBreaker({
      threshold: FAILURES,
      firstPauseMs: retryMs,
      maxPauseMs: MAX_PAUSE_MS,
    });
    const keep = <T>(work: () => Promise<T>): Promise<T> => retryAppend(availability, this.#stopping, work);
    this.#alarms = createAlarms({ engine: 'marketplace', worker, logger: this.#logger, clock, log, keep });
    this.#reader = new FeedReader(options, this.#alarms, keep);
    const traffic = async () => ({ crawl: this.#reader.takeTraffic(), live: { requests: 0, bytes: 0 } });
    this.#report = createBatchReport('marketplace', worker, log, traffic, clock.now());
  }

  /** Reads until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.step(signal).catch((error: unknown) => {
        if (!signal.aborted) {
          this.#logger.error({ err: error }, 'position in the feed could not be read or stored');
        }
        return this.#options.retryMs;
      });
      await pause(realMs(waitMs), signal);
    }
  }

  /** Reads one page, if one is due. @returns how long to wait for the next one, in ms. */
  async step(signal: AbortSignal): Promise<number> {
    const { availability, clock, controls, db, source } = this.#options;
    this.#stopping = signal;
    if (availability.isUnavailable()) {
      await availability.untilBack(signal);
      return 0;
    }
    const shared = (await pausedUntil(db, source)) - clock.now();
    // An operator has ended the pause.
    if (this.#isPauseShared && shared <= 0) this.#breaker.endPause();
    this.#isPauseShared = shared > 0;
    const paused = Math.max(shared, this.#breaker.waitMs(clock.now()));
    if (paused > 0) {
      this.#breaker.hold(clock.now() + paused);
      return Math.min(paused, IDLE_MS);
    }
    const { paused: isPaused, ratePerS } = await controls.engine('marketplace');
    if (isPaused) return IDLE_MS;
    const current = await this.#reader.current(await loadPosition(db, source));
    if (current === null) return IDLE_MS;
    const page = await this.#fetch(current);
    if (signal.aborted) return 0;
    if (page.status === 'unknown') return this.#fail(current, page);
    try {
      await this.#reader.store(current, page);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#logger.error({ err: error }, 'page of the feed could not be stored');
      return this.#fail(current, NOT_STORED);
    }
    this.#breaker.succeeded();
    const { isDoubtful } = this.#reader;
    // A process that was started since has no complete reading yet.
    if (isDoubtful !== true) await this.#alarms.end(isDoubtful === null ? READING_ALARMS : undefined);
    return 1_000 / (ratePerS ?? this.#options.ratePerS);
  }

  async report(): Promise<void> {
    const { availability, clock, controlCopies } = this.#options;
    try {
      if (!availability.isUnavailable()) await this.#report.send(clock.now());
    } finally {
      this.#alarms.recheck();
      if (!availability.isUnavailable()) await controlCopies.copy('marketplace');
    }
  }

  /** Fetches a page and counts its outcome, unless it was stopped meanwhile. */
  async #fetch({ reading }: CurrentReading): Promise<FeedPage> {
    const { clock, onReading } = this.#options;
    const startedAt = clock.now();
    const page = await this.#reader.fetchPage(reading);
    if (this.#stopping.aborted) return page;
    const atMs = clock.now();
    const outcome = page.status === 'read' ? 'read' : `unknown:${page.reason}`;
    const warnings = page.status === 'read' ? page.warnings : [];
    this.#report.reading({ outcome, latencyMs: atMs - startedAt, warnings, pool: POOL, requests: 1, atMs });
    onReading?.(outcome);
    return page;
  }

  /** @returns how long to wait. */
  async #fail(
    { position, reading }: CurrentReading,
    { reason, detail, retryAfterMs }: Extract<FeedPage, { status: 'unknown' }>,
  ): Promise<number> {
    const { db, source, clock, random, retryMs } = this.#options;
    this.#logger.debug({ reason, detail }, 'page of the feed was rejected');
    // The cursor may have expired: the reading starts over.
    if (reason === 'page_refused' && reading.cursor !== null) {
      await movePosition(db, source, position, { ...position, reading: null });
    }
    const now = clock.now();
    const opened = this.#breaker.failed(now, retryAfterMs, reason === 'rate_limited');
    const wait = this.#breaker.waitMs(now);
    if (opened) await this.#alarms.raise(reason, detail);
    if (wait > 0) await pauseFeed(db, source, now + wait);
    return Math.max(wait, retryMs * (0.5 + random.next() / 2));
  }
}

const IDLE_MS = 1_000;
const FAILURES = 3;
const MAX_PAUSE_MS = 15 * 60_000;
/** Its readings belong to no pool of accounts. */
const POOL = 'marketplace-feed';

/** The page is read again: the cause may be the page, the event log or the database. */
const NOT_STORED = {
  status: 'unknown',
  reason: 'page_not_stored',
  detail: 'a page could not be stored; the process has logged the error',
  retryAfterMs: null,
} as const;
