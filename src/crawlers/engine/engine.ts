import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, isoOf } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Random } from '../../kernel/random.ts';
import type { AccountSnapshots } from '../../write/accounts/snapshot.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import { type EventLog, LogUnavailableError } from '../../write/log/port.ts';
import type { Frontier, Lease } from '../frontier.ts';
import type { Http } from '../http/port.ts';
import type { RateLimitedHttp } from '../http/rate-limited-http.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';
import { isOurs, type PlatformAdapter, type PostsWindow, type Reading } from '../platforms/adapter.ts';
import type { Recruiter } from '../recruiter.ts';
import { createAlarms } from './alarms.ts';
import { createBatchReport } from './batch-report.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { LiveTraffic } from './live-traffic.ts';
import { createReadingHttp } from './reading-http.ts';
import { retryAppend } from './retry-append.ts';
import { type ProbeNames, probe } from './self-probe.ts';
import { createReadingStore } from './store-reading.ts';

export interface EngineOptions {
  readonly adapter: PlatformAdapter;
  /** Identifies this process among those that crawl the platform. */
  readonly worker: string;
  readonly http: RateLimitedHttp;
  readonly liveTraffic: LiveTraffic;
  readonly log: EventLog;
  /** States of known accounts, so that their streams need not be read. */
  readonly snapshots?: AccountSnapshots;
  /** While the log is unavailable no account is leased, and readings in progress are held. */
  readonly availability: Pick<LogAvailability, 'isUnavailable' | 'untilBack'>;
  readonly frontier: Frontier;
  readonly recruiter: Recruiter;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly concurrency: number;
  readonly posts: boolean;
  /** Pages of posts that a reading takes at most; 1 by default. */
  readonly postPages?: number;
  /** Accounts with a known status, for self-probes; public ones only until some were seen. */
  readonly probes: ProbeNames;
  /** First delay after an inconclusive reading; doubles with each consecutive one. */
  readonly retryMs: number;
  /** Called with the outcome of each reading. */
  readonly onReading?: (outcome: string) => void;
}

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

const IDLE_MS = 500;
/** How long a stop waits for readings in flight. */
const GRACE_MS = 3_000;
const MAX_RETRY_MS = 3_600_000;
const REMEMBERED = 32;
/** How far back a crawl reads posts. */
const POSTS_MS = 30 * 86_400_000;

export const createEngine = (options: EngineOptions): Engine => {
  const { adapter, log, availability, frontier, clock, random, concurrency } = options;
  const { platform } = adapter;
  const logger = options.logger.child({ engine: platform });
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const observedHttp = (
    onPause: () => void,
    without: ReadonlySet<string> = new Set(),
    onRequest: () => void = () => undefined,
  ): Http =>
    createReadingHttp(adapter, options.http, {
      without,
      signal: givingUp.signal,
      onRequest,
      onPause: (ms) => {
        breaker.hold(clock.now() + ms);
        onPause();
      },
    });
  const inFlight = new Set<Promise<void>>();
  const breaker = createCircuitBreaker({
    threshold: Math.max(5, concurrency),
    firstPauseMs: options.retryMs,
    maxPauseMs: 15 * 60_000,
  });
  const report = createBatchReport(
    platform,
    options.worker,
    log,
    async () => ({
      live: await options.liveTraffic.take(platform),
      crawl: options.http.takeTraffic(platform, 'crawl'),
    }),
    clock.now(),
  );
  /** Accounts recently seen to exist. */
  const known: string[] = [];
  /** Surfaces with false verdicts at the last self-probe; skipped until they are right again. */
  let distrusted: ReadonlySet<string> = new Set();
  let running: Promise<void> | undefined;

  const keep = <T>(work: () => Promise<T>): Promise<T> => retryAppend(availability, stopping.signal, work);
  const alarms = createAlarms(platform, options.worker, logger, clock, log, keep);

  const remember = (handle: string): void => {
    if (known.includes(handle)) return;
    if (known.length < REMEMBERED) known.push(handle);
    else known[random.int(REMEMBERED)] = handle;
  };

  const store = createReadingStore({ ...options, keep, onDiscovered: report.discovered });

  const fail = async (lease: Lease, reading: Extract<Reading, { status: 'unknown' }>): Promise<void> => {
    const now = clock.now();
    const asked = reading.retryAfterMs === undefined ? null : Math.min(reading.retryAfterMs, MAX_WAIT_MS);
    const backoff = Math.min(MAX_RETRY_MS, options.retryMs * 2 ** Math.min(lease.failures, 12));
    await frontier.retry(platform, lease, now + Math.max(backoff * (0.5 + random.next() / 2), asked ?? 0));
    logger.debug(
      { handle: lease.handle, reason: reading.reason, detail: reading.detail },
      'reading inconclusive',
    );
    // A repeatedly inconclusive account, or a missing session, says nothing about the platform.
    const isInformative = lease.failures === 0 || reading.reason === 'rate_limited' || breaker.isOpen();
    if (!isInformative || isOurs(reading.reason)) return;
    const waited = breaker.waitMs(now);
    const opened = breaker.failed(now, asked, reading.reason === 'rate_limited');
    const wait = breaker.waitMs(now);
    // Other processes and live reads have to pause as well.
    if (wait > waited) await options.http.pauses.pause(platform, wait);
    if (opened) await alarms.raise(reading.reason, reading.detail);
  };

  const visit = async (lease: Lease): Promise<void> => {
    const startedAt = clock.now();
    let paused = false;
    let requests = 0;
    const onPause = () => {
      paused = true;
    };
    const http = observedHttp(onPause, distrusted, () => {
      requests += 1;
    });
    try {
      const reading = await adapter.read(
        adapter.isBareId(lease.handle)
          ? { kind: 'id', id: lease.handle }
          : { kind: 'handle', handle: lease.handle },
        { http, posts: options.posts, window: windowAt(startedAt) },
      );
      // The request was not sent: the account is read once requests are allowed again.
      if (reading.status === 'unknown' && (paused || givingUp.signal.aborted)) {
        await frontier.release(platform, [lease]);
        return;
      }
      const kind = reading.status === 'unknown' ? `unknown:${reading.reason}` : reading.status;
      const nowMs = clock.now();
      report.reading({
        outcome: kind,
        latencyMs: nowMs - startedAt,
        warnings: reading.warnings,
        pool: lease.pool,
        requests,
        atMs: nowMs,
      });
      options.onReading?.(kind);
      if (reading.status === 'unknown') {
        await fail(lease, reading);
        return;
      }
      const handle = await store(lease, reading, startedAt);
      // Self-probes take remembered accounts as public: skip surfaces that can't show privacy.
      if (reading.status === 'present' && reading.measured.includes('private')) remember(handle);
      breaker.succeeded();
      if (distrusted.size === 0) await alarms.end();
    } catch (error) {
      // The failure is ours (log or database): the lease expires and the account is read again. Stopping while the
      // log is unavailable drops readings in progress, which is logged already.
      const level = error instanceof LogUnavailableError ? 'debug' : 'error';
      logger[level]({ err: error, handle: lease.handle }, 'reading could not be stored');
      await sleep(IDLE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  /** Older posts are left to those who ask for them. */
  const windowAt = (nowMs: number): PostsWindow => ({
    pages: options.postPages ?? 1,
    since: isoOf(nowMs - POSTS_MS),
  });

  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const crawl = async (): Promise<void> => {
    let waiting: Lease[] = [];
    while (!stopping.signal.aborted) {
      if (availability.isUnavailable()) {
        await availability.untilBack(stopping.signal);
        continue;
      }
      const wait = breaker.waitMs(clock.now());
      if (wait > 0) {
        await frontier.release(platform, waiting.splice(0)).catch(() => undefined);
        await pause(Math.min(wait, IDLE_MS));
        continue;
      }
      // Half open: one reading first.
      const width = breaker.isOpen() ? 1 : concurrency;
      if (inFlight.size >= width) {
        await Promise.race(inFlight);
        continue;
      }
      if (waiting.length === 0) {
        try {
          waiting = [...(await frontier.lease(platform, width === 1 ? 1 : concurrency * 4, clock.now()))];
        } catch (error) {
          logger.warn({ err: errorMessage(error) }, 'frontier unavailable');
          await pause(IDLE_MS * 2);
        }
        if (waiting.length === 0) {
          await pause(IDLE_MS);
          continue;
        }
      }
      const lease = waiting.shift();
      // Its lease may have expired behind slower readings: another worker may have it.
      if (lease === undefined || lease.untilMs <= clock.now()) continue;
      const visiting = visit(lease).finally(() => inFlight.delete(visiting));
      inFlight.add(visiting);
    }
    await Promise.all(inFlight);
    await frontier.release(platform, waiting).catch(() => undefined);
  };

  return {
    run: () => {
      running ??= crawl();
      return running;
    },
    selfProbe: async () => {
      if (breaker.waitMs(clock.now()) > 0 || availability.isUnavailable()) return;
      const { probes } = options;
      const names = { ...probes, present: known.length > 0 ? known : probes.present };
      const { findings, sees } = await probe(
        adapter,
        observedHttp(() => undefined),
        random,
        names,
      );
      distrusted = new Set(findings.flatMap(({ surface }) => surface ?? []));
      for (const { reason, detail } of findings) await alarms.raise(reason, detail);
      if (findings.length > 0 || !sees) return;
      // If little is due, no reading would close the breaker for long: the probe does.
      breaker.succeeded();
      await alarms.end();
    },
    report: async () => {
      // Findings wait for the log like everything else.
      try {
        if (!availability.isUnavailable()) await report.send(clock.now());
      } finally {
        alarms.recheck();
        await frontier.sweep(clock.now());
      }
    },
    stop: async () => {
      stopping.abort();
      const patience = setTimeout(() => givingUp.abort(), GRACE_MS);
      await running;
      clearTimeout(patience);
      givingUp.abort();
      if (!availability.isUnavailable()) await report.send(clock.now());
    },
  };
};
