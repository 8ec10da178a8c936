import { isoOf } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type Backoff, backoffMs, pause } from '../../kernel/retry.ts';
import { LogUnavailableError } from '../../write/log/port.ts';
import type { Lease } from '../frontier.ts';
import type { Http } from '../http/port.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';
import { knowledgeOf } from '../known-account.ts';
import { isOfThisInstallation, type PostsWindow, type Reading } from '../platforms/adapter.ts';
import type { Alarms } from './alarms.ts';
import type { BatchReport } from './batch-report.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { EngineOptions } from './engine-options.ts';
import { createReadingHttp } from './reading-http.ts';
import { PROBE_ALARMS, probe } from './self-probe.ts';
import { createReadingStore } from './store-reading.ts';

type Unknown = Extract<Reading, { status: 'unknown' }>;

/** What a visitor shares with the loop that hands it leases. */
export interface VisitorParts {
  readonly options: EngineOptions;
  readonly logger: Logger;
  readonly breaker: CircuitBreaker;
  readonly alarms: Alarms;
  readonly report: BatchReport;
  /** Repeats work that appends while the log is unavailable. */
  readonly keep: <T>(work: () => Promise<T>) => Promise<T>;
  /** No account is leased any more. */
  readonly stopping: AbortSignal;
  /** Readings in flight are given up. */
  readonly aborting: AbortSignal;
}

/** Pause after a reading that could not be stored. */
const FAILED_MS = 500;
const MAX_RETRY_MS = 3_600_000;
const REMEMBERED = 32;
/** How far back a crawl reads posts. */
const POSTS_MS = 30 * 86_400_000;

/** Reads accounts of one platform, and records what came of it. */
export class Visitor {
  readonly #parts: VisitorParts;
  readonly #retry: Backoff;
  readonly #store: ReturnType<typeof createReadingStore>;
  /** Accounts recently seen to exist. */
  readonly #known: string[] = [];
  /** Surfaces with false verdicts at the last self-probe; skipped until they are right again. */
  #distrusted: ReadonlySet<string> = new Set();

  constructor(parts: VisitorParts) {
    const { options, keep, report } = parts;
    this.#parts = parts;
    this.#retry = { firstMs: options.retryMs, maxMs: MAX_RETRY_MS };
    this.#store = createReadingStore({ ...options, keep, onDiscovered: report.discovered });
  }

  /** Reads one leased account, unless its pool is not crawled any more. Failures of ours are logged: the lease expires and the account is read again. */
  async visit(lease: Lease): Promise<void> {
    const { logger, stopping } = this.#parts;
    try {
      await this.#read(lease);
    } catch (error) {
      // Stopping while the log is unavailable drops readings in progress, which is logged already.
      const level = error instanceof LogUnavailableError ? 'debug' : 'error';
      logger[level]({ err: error, handle: lease.handle }, 'reading could not be stored');
      await pause(FAILED_MS, stopping);
    }
  }

  /** Reads accounts with a known status; raises an alarm for wrong verdicts. */
  async selfProbe(): Promise<void> {
    const { options, breaker, alarms, aborting } = this.#parts;
    const { probes, adapter, random } = options;
    const names = { ...probes, present: this.#known.length > 0 ? this.#known : probes.present };
    const http = this.#http(aborting, () => undefined);
    const { findings, sees } = await probe(adapter, http, random, names);
    this.#distrusted = new Set(findings.flatMap(({ surface }) => surface ?? []));
    for (const { reason, detail } of findings) await alarms.raise(reason, detail);
    if (findings.length > 0 || !sees) return;
    // If little is due, no reading would close the breaker for long: the probe does.
    breaker.succeeded();
    await alarms.end();
  }

  #http(
    signal: AbortSignal,
    onPause: () => void,
    without: ReadonlySet<string> = new Set(),
    onRequest: () => void = () => undefined,
  ): Http {
    const { options, breaker } = this.#parts;
    return createReadingHttp(options.adapter, options.http, {
      without,
      signal,
      isHeld: async () => {
        const { paused } = await options.controls.engine(options.adapter.platform);
        await options.pools.confirmed();
        return paused || signal.aborted;
      },
      onHeld: onPause,
      onRequest,
      onPause: (ms) => {
        breaker.hold(options.clock.now() + ms);
        onPause();
      },
    });
  }

  async #read(lease: Lease): Promise<void> {
    const { options, report, breaker, alarms, aborting } = this.#parts;
    const { adapter, clock, frontier } = options;
    const startedAt = clock.now();
    let paused = false;
    let requests = 0;
    const onPause = () => {
      paused = true;
    };
    // Ends the reading before its next request when the pool is paused.
    const signal = AbortSignal.any([aborting, options.pools.whileActive(lease.pool)]);
    const http = this.#http(signal, onPause, this.#distrusted, () => {
      requests += 1;
    });
    const subject = adapter.isBareId(lease.handle)
      ? { kind: 'id' as const, id: lease.handle }
      : { kind: 'handle' as const, handle: lease.handle };
    const window = this.#window(startedAt);
    const knowledge = knowledgeOf(options.accounts, adapter.platform, subject);
    const reading = await adapter
      .read(subject, { http, posts: options.posts, window, ...knowledge })
      .finally(() => frontier.used(lease, requests));
    // The request was not sent: the account is read once requests are allowed again.
    if (reading.status === 'unknown' && (paused || signal.aborted)) {
      await frontier.release(adapter.platform, [lease]);
      return;
    }
    const outcome = reading.status === 'unknown' ? `unknown:${reading.reason}` : reading.status;
    const atMs = clock.now();
    const { warnings } = reading;
    report.reading({ outcome, latencyMs: atMs - startedAt, warnings, pool: lease.pool, requests, atMs });
    options.onReading?.(outcome);
    if (reading.status === 'unknown') return this.#fail(lease, reading);
    const handle = await this.#store(lease, reading, startedAt);
    // Self-probes take remembered accounts as public: skip surfaces that can't show privacy.
    if (reading.status === 'present' && reading.measured.includes('private')) this.#remember(handle);
    breaker.succeeded();
    if (this.#distrusted.size === 0) await alarms.end(PROBE_ALARMS);
  }

  async #fail(lease: Lease, reading: Unknown): Promise<void> {
    const { options, breaker, alarms, logger } = this.#parts;
    const { adapter, clock, frontier, random } = options;
    const now = clock.now();
    const asked = reading.retryAfterMs === undefined ? null : Math.min(reading.retryAfterMs, MAX_WAIT_MS);
    const delayMs = backoffMs(this.#retry, lease.failures) * (0.5 + random.next() / 2);
    await frontier.retry(adapter.platform, lease, now + Math.max(delayMs, asked ?? 0));
    logger.debug(
      { handle: lease.handle, reason: reading.reason, detail: reading.detail },
      'reading inconclusive',
    );
    // A repeatedly inconclusive account, or a missing session, says nothing about the platform.
    const isInformative = lease.failures === 0 || reading.reason === 'rate_limited' || breaker.isOpen();
    if (!isInformative || isOfThisInstallation(reading.reason)) return;
    const waited = breaker.waitMs(now);
    const opened = breaker.failed(now, asked, reading.reason === 'rate_limited');
    const wait = breaker.waitMs(now);
    // Other processes and live reads have to pause as well.
    if (wait > waited) await options.http.circuit.open(adapter.platform, wait);
    if (opened) await alarms.raise(reading.reason, reading.detail);
  }

  #remember(handle: string): void {
    if (this.#known.includes(handle)) return;
    if (this.#known.length < REMEMBERED) this.#known.push(handle);
    else this.#known[this.#parts.options.random.int(REMEMBERED)] = handle;
  }

  /** Older posts are left to those who ask for them. */
  #window(nowMs: number): PostsWindow {
    return { pages: this.#parts.options.postPages ?? 1, since: isoOf(nowMs - POSTS_MS) };
  }
}
