import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Random } from '../../kernel/random.ts';
import { isStorable } from '../../kernel/text.ts';
import type { ControlCopies } from '../../write/engines.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import type { EventLog } from '../../write/log/port.ts';
import {
  listingId,
  type MarketObservation,
  type MarketRecorder,
  placementId,
} from '../../write/marketplace/listing.ts';
import { parseRecords, type RecordContext, readRecord } from '../../write/marketplace/read-record.ts';
import type { Alarms } from '../engine/alarms.ts';
import type { Controls } from '../engine/controls.ts';
import { FetchError, type Page, type Transport } from '../http/port.ts';
import { resetAfterMs, retryAfterMs } from '../http/retry.ts';
import {
  advanceReading,
  afterReading,
  countNoted,
  dueReading,
  type FeedCaps,
  type FeedIntervals,
  type FeedPosition,
  type FeedReading,
  forgetListings,
  movePosition,
  notedAmong,
  noteListings,
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
  /** The operators' decisions, checked before every page. */
  readonly controls: Controls;
  readonly controlCopies: ControlCopies;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly ratePerS: number;
  /** First pause after failures; doubles with each. */
  readonly retryMs: number;
  readonly intervals: FeedIntervals;
  readonly caps: FeedCaps;
  /** Called with the outcome of each page. */
  readonly onReading?: (outcome: string) => void;
}

/** A reading of the feed, and the position that it is at. */
export interface CurrentReading {
  readonly position: FeedPosition;
  readonly reading: FeedReading;
}

/** Reasons of alarms that only a complete reading can end: each page of a doubtful one is in order. */
export const READING_ALARMS: ReadonlySet<string> = new Set([
  'feed_endless',
  'feed_too_large',
  'sweep_implausible',
]);

/** Reads pages of a feed and records their listings. */
export class FeedReader {
  readonly #options: FeedEngineOptions;
  readonly #alarms: Alarms;
  readonly #keep: Keep;
  #traffic = { requests: 0, bytes: 0 };
  #isDoubtful: boolean | null = null;
  #counted: { readonly startedAt: number; readonly listings: number } | null = null;

  constructor(options: FeedEngineOptions, alarms: Alarms, keep: Keep) {
    this.#options = options;
    this.#alarms = alarms;
    this.#keep = keep;
  }

  /** Whether the last complete reading was doubtful: its alarm lasts until one that is not. Null before the first. */
  get isDoubtful(): boolean | null {
    return this.#isDoubtful;
  }

  /** Requests and bytes since the last call. */
  takeTraffic(): { readonly requests: number; readonly bytes: number } {
    const taken = this.#traffic;
    this.#traffic = { requests: 0, bytes: 0 };
    return taken;
  }

  /** The reading in progress, or the one that is due now; null if none is, or another process began it. */
  async current(position: FeedPosition): Promise<CurrentReading | null> {
    const { db, source, intervals, clock } = this.#options;
    if (position.reading !== null) return { position, reading: position.reading };
    const reading = dueReading(position, intervals, clock.now());
    if (reading === null) return null;
    await forgetListings(db, source);
    const begun = { ...position, reading };
    return (await movePosition(db, source, position, begun)) ? { position: begun, reading } : null;
  }

  async fetchPage(reading: FeedReading): Promise<FeedPage> {
    const { http, source, clock } = this.#options;
    const startedAt = clock.now();
    let answer: Page;
    try {
      this.#traffic.requests += 1;
      const headers = { accept: 'application/json' };
      answer = await http.fetch({ platform: 'marketplace', url: this.#address(reading), headers });
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const { reason, message, retryAfterMs } = error;
      return { status: 'unknown', reason, detail: message, retryAfterMs };
    }
    this.#traffic.bytes += answer.bytes;
    // The feed's own times are not trusted: a listing is observed when it is read.
    return readFeedPage(answer, { source, readAt: isoOf(startedAt), isDated: false }, clock.now());
  }

  /** Records a page and moves the position past it. */
  async store(
    { position, reading }: CurrentReading,
    page: Extract<FeedPage, { status: 'read' }>,
  ): Promise<void> {
    const { db, source, recorder, caps } = this.#options;
    const offers = new Map(page.observations.map((shown) => [idOf(shown), shown]));
    const ids = [...offers.keys(), ...page.rejectedIds.map((native) => listingId(source, native))];
    const noted = await notedAmong(db, source, ids);
    // Of a listing that a reading has on many pages, the first counts.
    const fresh = [...offers].flatMap(([id, shown]) => (noted.has(id) ? [] : [shown]));
    await this.#keep(() => recorder.record(fresh));
    const isNew = (await noteListings(db, source, ids)).size;
    const listings = await this.#listingsOf(reading, isNew);
    const advanced = advanceReading(reading, { ...page, fresh: isNew, listings }, caps);
    if (advanced.status === 'reading') {
      await movePosition(db, source, position, { ...position, reading: advanced.reading });
      return;
    }
    if (advanced.status === 'endless') await this.#endless(advanced.reading);
    else if (advanced.status === 'capped') await this.#capped(advanced.reading, listings);
    else if (reading.kind === 'sweep') await this.#sweep(advanced.reading);
    else this.#isDoubtful = false;
    await movePosition(db, source, position, afterReading(position, reading));
  }

  #address({ cursor, since }: FeedReading): string {
    const url = new URL(this.#options.url);
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    if (since !== null) url.searchParams.set('updated_since', isoOf(Math.max(0, since)));
    return url.href;
  }

  async #endless({ pages }: FeedReading): Promise<void> {
    this.#isDoubtful = true;
    await this.#alarms.raise('feed_endless', `the feed leads on after page ${pages}, without new listings`);
  }

  /** Ends a partial reading. Its listings are stored, and missing ones are not withdrawn. */
  async #capped({ pages }: FeedReading, listings: number): Promise<void> {
    this.#isDoubtful = true;
    const detail = `the feed leads on after ${pages} pages with ${listings} listings, the most that the settings allow`;
    await this.#alarms.raise('feed_too_large', detail);
  }

  /** Listings of a reading, counted in the database once by each process that takes it over. */
  async #listingsOf({ startedAt }: FeedReading, added: number): Promise<number> {
    const { db, source } = this.#options;
    const listings =
      this.#counted?.startedAt === startedAt ? this.#counted.listings + added : await countNoted(db, source);
    this.#counted = { startedAt, listings };
    return listings;
  }

  /** Withdraws the listings that a complete sweep lacks. */
  async #sweep({ startedAt, isPartial }: FeedReading): Promise<void> {
    if (isPartial) return;
    const { db, source, recorder, schema } = this.#options;
    const observedAt = isoOf(startedAt);
    const withdrawal = await this.#keep(async () =>
      withdrawMissing({ db, schema: schema(), recorder }, source, {
        seen: await countNoted(db, source),
        seenAmong: (ids) => notedAmong(db, source, ids),
        observedAt,
      }),
    );
    this.#isDoubtful = withdrawal.status === 'refused';
    if (withdrawal.status === 'refused') await this.#alarms.raise('sweep_implausible', withdrawal.reason);
    else await this.#keep(() => recorder.swept(source, observedAt));
  }
}

/** A page of the feed, or why it could not be parsed. */
export type FeedPage =
  | {
      readonly status: 'read';
      /** The first record of each offer. */
      readonly observations: readonly MarketObservation[];
      /** IDs of listings with invalid records, which are still on offer. */
      readonly rejectedIds: readonly string[];
      readonly rejected: number;
      /** Why records were rejected, naming fields but no values. */
      readonly warnings: readonly string[];
      /** Null if it is the last page. */
      readonly next: string | null;
      /** Whether the page may lack listings. */
      readonly isPartial: boolean;
    }
  | {
      readonly status: 'unknown';
      readonly reason: string;
      readonly detail: string;
      readonly retryAfterMs: number | null;
    };

/** Maximum records of a page; the others are dropped. */
export const MAX_RECORDS = 10_000;

/** Parses a response of the feed. Pure; never throws. */
export const readFeedPage = (
  { status, headers, body }: Pick<Page, 'status' | 'headers' | 'body'>,
  context: RecordContext,
  nowMs: number,
): FeedPage => {
  const asked =
    retryAfterMs(headers['retry-after'], nowMs) ?? resetAfterMs(headers['x-rate-limit-reset'], nowMs);
  if (status === 429) return unknown('rate_limited', 'the feed limits requests', asked);
  if (status === 400 || status === 404 || status === 410)
    return unknown('page_refused', `the feed answered with status ${status}`);
  if (status !== 200) return unknown('http_error', `the feed answered with status ${status}`, asked);
  const document = parsed(body);
  if (document === undefined) return unknown('layout_changed', 'the page is not JSON');
  const { listings, next_cursor: cursor } = (document ?? {}) as { listings?: unknown; next_cursor?: unknown };
  if (!Array.isArray(listings)) return unknown('layout_changed', 'the page has no array "listings"');
  const { next, isMalformed } = nextCursorOf(cursor);
  const observations = new Map<string, MarketObservation>();
  const rejectedIds: string[] = [];
  const warnings = new Set<string>();
  let rejected = 0;
  let unidentified = 0;
  for (const record of listings.slice(0, MAX_RECORDS)) {
    const read = readRecord(record, context);
    if (read.observation !== null) {
      const { kind, native } = read.observation;
      const key = `${kind} ${native}`;
      if (!observations.has(key)) observations.set(key, read.observation);
      continue;
    }
    rejected += 1;
    warnings.add(`record rejected: ${read.reason.split(':')[0]}`);
    if (read.native === null) unidentified += 1;
    else rejectedIds.push(read.native);
  }
  if (listings.length > MAX_RECORDS) warnings.add('page has too many records');
  if (isMalformed) warnings.add('cursor is unusable');
  return {
    status: 'read',
    observations: [...observations.values()],
    rejectedIds,
    rejected,
    warnings: [...warnings],
    next,
    isPartial: unidentified > 0 || listings.length > MAX_RECORDS || isMalformed,
  };
};

/** Repeats work that appends while the log is unavailable. */
type Keep = <T>(work: () => Promise<T>) => Promise<T>;

const idOf = ({ kind, source, native }: MarketObservation): string =>
  kind === 'listing' ? listingId(source, native) : placementId(source, native);

/** Maximum characters of a cursor. */
const MAX_CURSOR = 2_048;

const unknown = (reason: string, detail: string, retryAfter: number | null = null): FeedPage => ({
  status: 'unknown',
  reason,
  detail: detail.slice(0, 500),
  retryAfterMs: retryAfter,
});

const parsed = (body: string): unknown => {
  try {
    return parseRecords(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The cursor of the next page, null on the last one; or that the feed's cursor is malformed. */
const nextCursorOf = (value: unknown): { readonly next: string | null; readonly isMalformed: boolean } => {
  if (value === null || value === undefined || value === '') return { next: null, isMalformed: false };
  const text = typeof value === 'number' ? String(value) : value;
  const isUsable = typeof text === 'string' && text.length <= MAX_CURSOR && isStorable(text);
  return isUsable ? { next: text, isMalformed: false } : { next: null, isMalformed: true };
};
