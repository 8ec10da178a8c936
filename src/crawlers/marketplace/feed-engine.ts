import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Random } from '../../kernel/random.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import type { EventLog } from '../../write/log/port.ts';
import { listingId, placementId } from '../../write/marketplace/events.ts';
import type { MarketObservation } from '../../write/marketplace/observation.ts';
import type { MarketRecorder } from '../../write/marketplace/record.ts';
import { createAlarms } from '../engine/alarms.ts';
import { createBatchReport } from '../engine/batch-report.ts';
import { createCircuitBreaker } from '../engine/circuit-breaker.ts';
import { retryAppend } from '../engine/retry-append.ts';
import { FetchError, type Page, type Transport } from '../http/port.ts';
import { type FeedPage, readFeedPage } from './feed-page.ts';
import {
  advanceReading,
  afterReading,
  dueReading,
  type FeedIntervals,
  type FeedPosition,
  type FeedReading,
} from './feed-position.ts';
import {
  countNoted,
  forgetListings,
  loadPosition,
  movePosition,
  notedAmong,
  noteListings,
  pausedUntil,
  pauseFeed,
} from './feed-store.ts';
import { withdrawMissing } from './withdraw-missing.ts';

export interface FeedEngineOptions {
  /** Base of the feed; `cursor` and `updated_since` are added to it. */
  readonly url: string;
  /** Name of the source: IDs of its listings begin with it. */
  readonly source: string;
  readonly worker: string;
  readonly http: Transport<'marketplace'>;
  readonly db: Queryable;
  /** Schema of the build of `listings`. @throws if there is none. */
  readonly schema: () => string;
  readonly recorder: MarketRecorder;
  readonly log: EventLog;
  readonly availability: Pick<LogAvailability, 'isUnavailable' | 'untilBack'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly ratePerS: number;
  /** First pause after failures; doubles with each. */
  readonly retryMs: number;
  readonly intervals: FeedIntervals;
  /** Called with the outcome of each page. */
  readonly onReading?: (outcome: string) => void;
}

/** The crawler of a marketplace's feed. One process runs it at a time. */
export interface FeedEngine {
  /** Reads until the signal fires. */
  run(signal: AbortSignal): Promise<void>;
  /** Reads one page, if one is due. @returns how long to wait for the next one, in ms. */
  step(signal: AbortSignal): Promise<number>;
  report(): Promise<void>;
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

const idOf = ({ kind, source, native }: MarketObservation): string =>
  kind === 'listing' ? listingId(source, native) : placementId(source, native);

export const createFeedEngine = (options: FeedEngineOptions): FeedEngine => {
  const { source, db, log, availability, clock, recorder, http } = options;
  const logger = options.logger.child({ engine: 'marketplace' });
  const breaker = createCircuitBreaker({
    threshold: FAILURES,
    firstPauseMs: options.retryMs,
    maxPauseMs: MAX_PAUSE_MS,
  });
  let traffic = { requests: 0, bytes: 0 };
  const report = createBatchReport(
    'marketplace',
    options.worker,
    log,
    async () => {
      const crawl = traffic;
      traffic = { requests: 0, bytes: 0 };
      return { crawl, live: { requests: 0, bytes: 0 } };
    },
    clock.now(),
  );
  let stopping: AbortSignal = AbortSignal.abort();
  const keep = <T>(work: () => Promise<T>): Promise<T> => retryAppend(availability, stopping, work);
  const alarms = createAlarms('marketplace', options.worker, logger, clock, log, keep);
  /** Whether the last complete reading was doubtful: its alarm lasts until one that is not. */
  let isDoubtful = false;

  const addressOf = ({ cursor, since }: FeedReading): string => {
    const url = new URL(options.url);
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    if (since !== null) url.searchParams.set('updated_since', isoOf(Math.max(0, since)));
    return url.href;
  };

  const fetchPage = async (reading: FeedReading): Promise<FeedPage> => {
    const startedAt = clock.now();
    let answer: Page;
    try {
      traffic.requests += 1;
      const headers = { accept: 'application/json' };
      answer = await http.fetch({ platform: 'marketplace', url: addressOf(reading), headers });
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const { reason, message, retryAfterMs } = error;
      return { status: 'unknown', reason, detail: message, retryAfterMs };
    }
    traffic.bytes += answer.bytes;
    // What the feed says of times is not trusted: it is observed when it is read.
    return readFeedPage(answer, { source, readAt: isoOf(startedAt), isDated: false }, clock.now());
  };

  /** @returns how long to wait. */
  const fail = async (
    position: FeedPosition,
    reading: FeedReading,
    { reason, detail, retryAfterMs }: Extract<FeedPage, { status: 'unknown' }>,
  ): Promise<number> => {
    logger.debug({ reason, detail }, 'page of the feed was not taken');
    // A cursor does not live for ever: the reading starts over.
    if (reason === 'page_refused' && reading.cursor !== null)
      await movePosition(db, source, position, { ...position, reading: null });
    const now = clock.now();
    const opened = breaker.failed(now, retryAfterMs, reason === 'rate_limited');
    const wait = breaker.waitMs(now);
    if (opened) await alarms.raise(reason, detail);
    if (wait > 0) await pauseFeed(db, source, now + wait);
    return Math.max(wait, options.retryMs * (0.5 + options.random.next() / 2));
  };

  /** Withdraws what a whole sweep does not have. */
  const sweep = async ({ startedAt, isPartial }: FeedReading): Promise<void> => {
    if (isPartial) return;
    const withdrawal = await keep(async () =>
      withdrawMissing({ db, schema: options.schema(), recorder }, source, {
        seen: await countNoted(db, source),
        seenAmong: (ids) => notedAmong(db, source, ids),
        observedAt: isoOf(startedAt),
      }),
    );
    isDoubtful = withdrawal.status === 'refused';
    if (withdrawal.status === 'refused') await alarms.raise('sweep_implausible', withdrawal.reason);
    else await keep(() => recorder.swept(source, isoOf(startedAt)));
  };

  const store = async (
    position: FeedPosition,
    reading: FeedReading,
    page: Extract<FeedPage, { status: 'read' }>,
  ): Promise<void> => {
    const offers = new Map(page.observations.map((shown) => [idOf(shown), shown]));
    const ids = [...offers.keys(), ...page.rejectedIds.map((native) => listingId(source, native))];
    const noted = await notedAmong(db, source, ids);
    // Of a listing that a reading has on many pages, the first counts.
    const fresh = [...offers].flatMap(([id, shown]) => (noted.has(id) ? [] : [shown]));
    await keep(() => recorder.record(fresh));
    const isNew = (await noteListings(db, source, ids)).size;
    const advanced = advanceReading(reading, { ...page, fresh: isNew });
    if (advanced.status === 'reading') {
      await movePosition(db, source, position, { ...position, reading: advanced.reading });
      return;
    }
    if (advanced.status === 'endless') {
      isDoubtful = true;
      await alarms.raise(
        'feed_endless',
        `the feed leads on after page ${advanced.reading.pages}, without new listings`,
      );
    } else if (reading.kind === 'sweep') await sweep(advanced.reading);
    else isDoubtful = false;
    await movePosition(db, source, position, afterReading(position, reading));
  };

  /** The reading in progress, or the one that is due now. */
  const currentReading = async (
    position: FeedPosition,
  ): Promise<{ readonly position: FeedPosition; readonly reading: FeedReading } | null> => {
    if (position.reading !== null) return { position, reading: position.reading };
    const reading = dueReading(position, options.intervals, clock.now());
    if (reading === null) return null;
    await forgetListings(db, source);
    const begun = { ...position, reading };
    return (await movePosition(db, source, position, begun)) ? { position: begun, reading } : null;
  };

  const step = async (signal: AbortSignal): Promise<number> => {
    stopping = signal;
    if (availability.isUnavailable()) {
      await availability.untilBack(signal);
      return 0;
    }
    const paused = Math.max((await pausedUntil(db, source)) - clock.now(), breaker.waitMs(clock.now()));
    if (paused > 0) {
      breaker.hold(clock.now() + paused);
      return Math.min(paused, IDLE_MS);
    }
    const current = await currentReading(await loadPosition(db, source));
    if (current === null) return IDLE_MS;
    const { position, reading } = current;
    const startedAt = clock.now();
    const page = await fetchPage(reading);
    if (signal.aborted) return 0;
    const nowMs = clock.now();
    const outcome = page.status === 'read' ? 'read' : `unknown:${page.reason}`;
    const warnings = page.status === 'read' ? page.warnings : [];
    report.reading({ outcome, latencyMs: nowMs - startedAt, warnings, pool: POOL, requests: 1, atMs: nowMs });
    options.onReading?.(outcome);
    if (page.status === 'unknown') return fail(position, reading, page);
    try {
      await store(position, reading, page);
    } catch (error) {
      if (signal.aborted) throw error;
      logger.error({ err: error }, 'page of the feed could not be stored');
      return fail(position, reading, NOT_STORED);
    }
    breaker.succeeded();
    if (!isDoubtful) await alarms.end();
    return 1_000 / options.ratePerS;
  };

  return {
    step,
    run: async (signal) => {
      while (!signal.aborted) {
        const waitMs = await step(signal).catch((error: unknown) => {
          if (!signal.aborted)
            logger.error({ err: error }, 'position in the feed could not be read or stored');
          return options.retryMs;
        });
        await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      }
    },
    report: async () => {
      try {
        if (!availability.isUnavailable()) await report.send(clock.now());
      } finally {
        alarms.recheck();
      }
    },
  };
};
