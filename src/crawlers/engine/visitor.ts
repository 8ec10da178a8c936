import { type Clock, isoOf } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Random } from '../../kernel/random.ts';
import { type Backoff, backoffMs, pause } from '../../kernel/retry.ts';
import type { AccountReads } from '../../read/accounts.ts';
import { type AccountSnapshots, accountStream, recordSighting } from '../../write/accounts/account.ts';
import type { ControlCopies } from '../../write/engines.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import { type EventLog, LogUnavailableError } from '../../write/log/port.ts';
import type { Frontier, Lease } from '../frontier.ts';
import { FetchError, type Http } from '../http/port.ts';
import type { RateLimitedHttp } from '../http/rate-limited-http.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';
import { isKnown, knowledgeOf } from '../known-account.ts';
import {
  isOfThisInstallation,
  type PlatformAdapter,
  type PostsWindow,
  type Reading,
  type UnknownReason,
} from '../platforms/adapter.ts';
import { SECOND_LOOK_MS } from '../pools/candidates.ts';
import type { CurrentPools } from '../pools/current-pools.ts';
import { mentionsOf, type Recruiter } from '../recruiter.ts';
import type { Alarms } from './alarms.ts';
import type { BatchReport } from './batch-report.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Controls } from './controls.ts';
import type { LiveTraffic } from './live-traffic.ts';
import { PROBE_ALARMS, type ProbeNames, probe } from './self-probe.ts';
import { type ConclusiveReading, sightingOf } from './sighting.ts';

export interface EngineOptions {
  readonly adapter: PlatformAdapter;
  /** Identifies this process among those that crawl the platform. */
  readonly worker: string;
  readonly http: RateLimitedHttp;
  readonly liveTraffic: LiveTraffic;
  readonly log: EventLog;
  /** States of known accounts, so that their streams need not be read. */
  readonly snapshots?: AccountSnapshots;
  /** What is known of accounts, for verdicts that take more answers if they are news. */
  readonly accounts?: Pick<AccountReads, 'find' | 'verdict'>;
  /** While the log is unavailable no account is leased, and readings in progress are held. */
  readonly availability: Pick<LogAvailability, 'isUnavailable' | 'untilBack'>;
  readonly frontier: Frontier;
  readonly pools: Pick<CurrentPools, 'whileActive' | 'confirmed' | 'revision'>;
  /** What operators decided; asked before every request. */
  readonly controls: Controls;
  readonly controlCopies: ControlCopies;
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

/** Reads leased accounts of one platform and records the results. */
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

  /**
   * Reads one leased account, unless its pool is no longer crawled. An internal failure is logged; the account is read
   * again once its lease expires.
   */
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
    const { findings, seen } = await probe(adapter, http, random, names);
    this.#distrusted = new Set(findings.flatMap(({ surface }) => surface ?? []));
    for (const { reason, detail } of findings) await alarms.raise(reason, detail);
    if (findings.length > 0 || seen === null) return;
    // If little is due, it may be long until a reading closes the breaker.
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
    // No request was sent: the account is read once requests are allowed again.
    if (reading.status === 'unknown' && (paused || signal.aborted)) {
      await frontier.release(adapter.platform, [lease]);
      return;
    }
    if (reading.status === 'unknown' && reading.reason === 'erased') return this.#giveUp(lease);
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

  /** An account that was erased says nothing of its platform. The frontier forgets it as well, sooner or later. */
  async #giveUp(lease: Lease): Promise<void> {
    const { adapter, clock, frontier, recruiter } = this.#parts.options;
    if (lease.candidate !== null) await recruiter.missed(lease.candidate);
    await frontier.retry(adapter.platform, lease, clock.now() + MOST_REST_MS);
  }

  async #fail(lease: Lease, reading: Unknown): Promise<void> {
    const { options, breaker, alarms, logger } = this.#parts;
    const { adapter, clock, frontier, random } = options;
    const now = clock.now();
    const asked = reading.retryAfterMs === undefined ? null : Math.min(reading.retryAfterMs, MAX_WAIT_MS);
    const delayMs = backoffMs(this.#retry, lease.failures) * (0.5 + random.next() / 2);
    // Said of the account, whoever asks and however often: of a name that nobody has seen it says that there may be none.
    const isOfAccount = lease.isNew && OF_THE_ACCOUNT.has(reading.reason);
    if (isOfAccount && lease.candidate !== null) await options.recruiter.missed(lease.candidate);
    const restMs = isOfAccount || isTiresome(lease) ? longRestMs(lease) : delayMs;
    await frontier.retry(adapter.platform, lease, now + Math.max(restMs, asked ?? 0));
    logger.debug(
      { handle: lease.handle, reason: reading.reason, detail: reading.detail },
      'reading inconclusive',
    );
    // A repeatedly inconclusive account, or a missing session, says nothing about the platform.
    const isInformative = lease.failures === 0 || reading.reason === 'rate_limited' || breaker.isOpen();
    if (isOfAccount || !isInformative || isOfThisInstallation(reading.reason)) return;
    const waited = breaker.waitMs(now);
    const opened = breaker.failed(now, asked, reading.reason === 'rate_limited');
    const wait = breaker.waitMs(now);
    // Other processes and live reads have to pause as well.
    if (wait > waited) await options.http.circuit.open(adapter.platform, wait, reading.reason);
    if (opened) await alarms.raise(reading.reason, reading.detail);
  }

  #remember(handle: string): void {
    if (this.#known.includes(handle)) return;
    if (this.#known.length < REMEMBERED) this.#known.push(handle);
    else this.#known[this.#parts.options.random.int(REMEMBERED)] = handle;
  }

  /** Posts that a crawl reads. Older ones are read on request only. */
  #window(nowMs: number): PostsWindow {
    return { pages: this.#parts.options.postPages ?? 1, since: isoOf(nowMs - POSTS_MS) };
  }
}

/**
 * Stores the reading of a leased account: recruits it if another one named it, notes the accounts that the reading names,
 * appends the sighting, and completes the lease. In this order, since a crash in between leaves the account due: it is read
 * again, and names them again.
 * @param options.keep retries an append while the log is unavailable.
 * @param options.onDiscovered called with what finding the account is worth to the pool whose account named it.
 * @returns a function that stores one reading and returns the handle under which it is stored.
 */
export const createReadingStore =
  (options: {
    readonly adapter: PlatformAdapter;
    readonly log: EventLog;
    readonly snapshots?: AccountSnapshots;
    readonly accounts?: EngineOptions['accounts'];
    readonly frontier: Pick<Frontier, 'done'>;
    readonly recruiter: Recruiter;
    readonly clock: Clock;
    readonly keep: <T>(work: () => Promise<T>) => Promise<T>;
    readonly onDiscovered: BatchReport['discovered'];
  }) =>
  async (lease: Lease, reading: ConclusiveReading, startedAt: number): Promise<string> => {
    const { handle: named, pool, depth, isNew } = lease;
    const { adapter, log, snapshots, frontier, recruiter, clock, keep } = options;
    const { platform } = adapter;
    const isFound = reading.status !== 'absent';
    const seen =
      reading.status === 'present' || reading.status === 'private' ? reading.profile.handle : named;
    // The account was linked by its ID. From now on it is crawled by its handle.
    const byId = adapter.isBareId(named) && seen !== named;
    // An account that has lost its handle is stored by its ID.
    const handle = byId || adapter.isBareId(seen) ? seen : named;
    const sighting = sightingOf(reading, startedAt, 'crawler');
    // The same events on every retry, so that one with unknown outcome is not appended twice.
    const ids = new Map<string, string>();
    const nowMs = clock.now();
    const idOf = ({ type }: { readonly type: string }) => {
      const id = ids.get(type) ?? uuidV7(nowMs);
      ids.set(type, id);
      return id;
    };
    const from = accountStream(platform, handle);
    const isNewcomer = await keep(() =>
      recruitRead(recruiter, lease, { handle, isFound, byId }, clock.now()),
    );
    if (reading.status === 'present')
      await keep(() => recruiter.name(mentionsOf(reading, platform), { from, pool, depth }, clock.now()));
    const context = { nowMs, idOf, snapshots, isNew: isNew && !byId };
    const { candidate } = lease;
    // Strangers name as many as they like: that nobody has a name is no news.
    const isNews =
      candidate === null ||
      isFound ||
      (await isKnown(options.accounts, platform, { kind: 'handle', handle }));
    if (isNews) await keep(() => recordSighting(log, platform, handle, sighting, context));
    await settleCandidate(options, lease, isFound, isNewcomer);
    const restMs = byId ? KNOWN_BY_HANDLE_MS : isFound || candidate === null ? 0 : SECOND_LOOK_MS;
    await frontier.done(platform, named, clock.now() + restMs);
    return handle;
  };

/** Ends a candidate's wait, or counts that it was not found. */
const settleCandidate = async (
  {
    recruiter,
    clock,
    onDiscovered,
  }: Pick<EngineOptions, 'recruiter' | 'clock'> & {
    readonly onDiscovered: BatchReport['discovered'];
  },
  { candidate }: Lease,
  isFound: boolean,
  isNewcomer: boolean,
): Promise<void> => {
  if (candidate === null) return;
  if (!isFound) return recruiter.missed(candidate);
  const isFirst = await recruiter.settle(candidate, clock.now());
  if (isNewcomer) onDiscovered(candidate.source, isFirst);
};

/**
 * Recruits the account of a reading, if another one named it or it has another handle than the one that was leased.
 * @returns whether it is an account that no pool knew.
 */
const recruitRead = async (
  recruiter: Recruiter,
  { platform, pool, depth, candidate }: Lease,
  { handle, isFound, byId }: { readonly handle: string; readonly isFound: boolean; readonly byId: boolean },
  nowMs: number,
): Promise<boolean> => {
  if (candidate !== null) return isFound && recruiter.found(candidate, handle, nowMs);
  const from = accountStream(platform, handle);
  const renamed = { platform, handle, via: 'link', from, source: pool, depth, isRenamed: true } as const;
  if (byId) await recruiter.take([renamed], nowMs);
  return false;
};

type Unknown = Extract<Reading, { status: 'unknown' }>;

/** What the visitor shares with its engine. */
interface VisitorParts {
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
/** Reasons of an account that it keeps, and that a name without one may give. */
const OF_THE_ACCOUNT: ReadonlySet<UnknownReason> = new Set([
  'ambiguous',
  'other_address',
  'region',
  'restricted',
  'too_large',
]);
const MOST_REST_MS = 30 * 86_400_000;
/** Inconclusive readings in a row after which a name that nobody has seen no longer keeps others waiting. */
const TIRESOME = 3;

const isTiresome = ({ candidate, failures }: Lease): boolean => candidate !== null && failures >= TIRESOME;

/** Candidates are given up by their own count; members rest longer each time. */
const longRestMs = ({ candidate, failures }: Lease): number =>
  candidate === null ? Math.min(MOST_REST_MS, SECOND_LOOK_MS * 2 ** failures) : SECOND_LOOK_MS;
const REMEMBERED = 32;
/** How far back a crawl reads posts. */
const POSTS_MS = 30 * 86_400_000;

/** How an engine controls and observes the requests of one reading, or of a self-probe. */
interface ReadingHttpOptions {
  /** Names of surfaces that are not asked, since their verdicts were false. */
  readonly without: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Whether an operator has paused what the request is for. Asked right before each request is sent. */
  readonly isHeld: () => Promise<boolean>;
  /** Called when a request was not sent for that. */
  readonly onHeld: () => void;
  /** Called for each request that is sent. */
  readonly onRequest: () => void;
  /** Called with the remaining milliseconds when requests to the platform are paused, by any process. */
  readonly onPause: (ms: number) => void;
}

/** The crawl's HTTP for one reading. */
const createReadingHttp = (
  adapter: Pick<PlatformAdapter, 'surfaces'>,
  http: RateLimitedHttp,
  { without, signal, isHeld, onHeld, onRequest, onPause }: ReadingHttpOptions,
): Http => ({
  fetch: async (request) => {
    const url = new URL(request.url);
    const surface = adapter.surfaces.find(({ name, matches }) => without.has(name) && matches(url));
    if (surface !== undefined) {
      throw new FetchError(
        'distrusted',
        `${surface.name} gave false verdicts on accounts with a known status`,
      );
    }
    let held = false;
    const mayStart = async () => {
      if (!(await isHeld())) return;
      held = true;
      onHeld();
      throw new FetchError('paused', 'An operator paused the crawl');
    };
    try {
      return await http.fetch(request, { signal, mayStart, onRequest });
    } catch (error) {
      if (!held && error instanceof FetchError && error.reason === 'paused') onPause(error.retryAfterMs ?? 0);
      throw error;
    }
  },
  close: () => http.close(),
});

/** How long an ID is not read again, once its account is crawled by its handle. */
const KNOWN_BY_HANDLE_MS = 7 * 86_400_000;
