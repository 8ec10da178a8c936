import { isoOf } from '../../kernel/clock.ts';
import type { MarketObservation } from '../../write/marketplace/listing.ts';
import { listingId, placementId } from '../../write/marketplace/listing.ts';
import type { Alarms } from '../engine/alarms.ts';
import { FetchError, type Page } from '../http/port.ts';
import type { FeedEngineOptions } from './feed-options.ts';
import { type FeedPage, readFeedPage } from './feed-page.ts';
import {
  advanceReading,
  afterReading,
  dueReading,
  type FeedPosition,
  type FeedReading,
} from './feed-position.ts';
import { countNoted, forgetListings, movePosition, notedAmong, noteListings } from './feed-store.ts';
import { withdrawMissing } from './withdraw-missing.ts';

/** Repeats work that appends while the log is unavailable. */
export type Keep = <T>(work: () => Promise<T>) => Promise<T>;

/** A reading of the feed, and the position that it is at. */
export interface CurrentReading {
  readonly position: FeedPosition;
  readonly reading: FeedReading;
}

const idOf = ({ kind, source, native }: MarketObservation): string =>
  kind === 'listing' ? listingId(source, native) : placementId(source, native);

/** Reasons of alarms that only a complete reading can end: each page of a doubtful one is in order. */
export const READING_ALARMS: ReadonlySet<string> = new Set([
  'feed_endless',
  'feed_too_large',
  'sweep_implausible',
]);

/** Reads pages of a feed and records what they show. */
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
    // What the feed says of times is not trusted: it is observed when it is read.
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

  /** What was read is stored; what is missing in a part of a feed is not withdrawn. */
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

  /** Withdraws what a whole sweep does not have. */
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
