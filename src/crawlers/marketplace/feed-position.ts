/** A reading of the feed that is in progress. Times are ms since 1970. */
export interface FeedReading {
  /** The whole feed, or what changed since. */
  readonly kind: 'sweep' | 'changes';
  readonly startedAt: number;
  /** Null for a sweep. */
  readonly since: number | null;
  /** Null for the first page. */
  readonly cursor: string | null;
  readonly pages: number;
  /** Pages in a row without a listing that the reading did not have yet. */
  readonly idlePages: number;
  readonly isPartial: boolean;
}

/** How far a feed was read. */
export interface FeedPosition {
  readonly reading: FeedReading | null;
  /** Begin of the last complete reading of each kind; null before the first. */
  readonly changesAt: number | null;
  readonly sweptAt: number | null;
}

export const noPosition: FeedPosition = { reading: null, changesAt: null, sweptAt: null };

export interface FeedIntervals {
  readonly pollMs: number;
  readonly sweepMs: number;
}

/** Clocks differ, and a feed may show a change late: readings of changes overlap. */
const OVERLAP_MS = 10 * 60_000;

const begin = (kind: FeedReading['kind'], startedAt: number, since: number | null): FeedReading => ({
  kind,
  startedAt,
  since,
  cursor: null,
  pages: 0,
  idlePages: 0,
  isPartial: false,
});

/** The reading that is due, a sweep before one of changes; null if none is. */
export const dueReading = (
  { changesAt, sweptAt }: FeedPosition,
  { pollMs, sweepMs }: FeedIntervals,
  nowMs: number,
): FeedReading | null => {
  if (sweptAt === null || nowMs - sweptAt >= sweepMs) return begin('sweep', nowMs, null);
  const known = Math.max(changesAt ?? 0, sweptAt);
  return nowMs - known >= pollMs ? begin('changes', nowMs, known - OVERLAP_MS) : null;
};

/** How much of a source one reading takes at most: a feed may be endless. */
export interface FeedCaps {
  readonly pages: number;
  readonly listings: number;
}

/** A feed whose pages show nothing new for so long is going round in circles. */
const MAX_IDLE_PAGES = 20;

export type Advanced =
  | { readonly status: 'reading'; readonly reading: FeedReading }
  | { readonly status: 'ended'; readonly reading: FeedReading }
  /** The feed leads on, but nowhere; or further than a reading may go. */
  | { readonly status: 'endless' | 'capped'; readonly reading: FeedReading };

/**
 * The reading after a page.
 * @param page with `fresh`, the number of its listings that the reading did not have yet, and `listings`, how many the
 * reading has with them.
 */
export const advanceReading = (
  before: FeedReading,
  page: {
    readonly next: string | null;
    readonly isPartial: boolean;
    readonly fresh: number;
    readonly listings: number;
  },
  caps: FeedCaps,
): Advanced => {
  const reading = {
    ...before,
    cursor: page.next,
    pages: before.pages + 1,
    idlePages: page.fresh > 0 ? 0 : before.idlePages + 1,
    isPartial: before.isPartial || page.isPartial,
  };
  if (page.next === null) return { status: 'ended', reading };
  if (page.next === before.cursor || reading.idlePages >= MAX_IDLE_PAGES)
    return { status: 'endless', reading };
  const isCapped = reading.pages >= caps.pages || page.listings >= caps.listings;
  return { status: isCapped ? 'capped' : 'reading', reading };
};

/** The position once a reading has ended. One without an end counts too, so that it is not begun again at once. */
export const afterReading = (position: FeedPosition, { kind, startedAt }: FeedReading): FeedPosition => ({
  reading: null,
  changesAt: Math.max(position.changesAt ?? 0, startedAt),
  sweptAt: kind === 'sweep' ? startedAt : position.sweptAt,
});
