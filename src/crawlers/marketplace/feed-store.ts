import { isoOf } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

export const loadPosition = async (db: Queryable, source: string): Promise<FeedPosition> => {
  const { rows } = await db.query<Row>(sql`select * from crawl.feeds where source = ${source}`);
  const [row] = rows;
  if (row === undefined) return noPosition;
  const reading =
    row.kind === null || row.started_at === null
      ? null
      : {
          kind: row.kind,
          startedAt: Date.parse(row.started_at),
          since: ms(row.since),
          cursor: row.cursor,
          pages: row.pages,
          idlePages: row.idle_pages,
          isPartial: row.is_partial,
        };
  return { reading, changesAt: ms(row.changes_at), sweptAt: ms(row.swept_at) };
};

/**
 * Moves the position by compare-and-set, so that a process that lost its lease can't move it.
 * @returns whether the position was still as read.
 */
export const movePosition = async (
  db: Queryable,
  source: string,
  before: FeedPosition,
  { reading, changesAt, sweptAt }: FeedPosition,
): Promise<boolean> => {
  const { rowCount } = await db.query(sql`
    insert into crawl.feeds as f
      (source, kind, started_at, since, cursor, pages, idle_pages, is_partial, changes_at, swept_at)
    values (${source}, ${reading?.kind ?? null}, ${at(reading?.startedAt ?? null)}, ${at(reading?.since ?? null)},
      ${reading?.cursor ?? null}, ${reading?.pages ?? 0}, ${reading?.idlePages ?? 0},
      ${reading?.isPartial ?? false}, ${at(changesAt)}, ${at(sweptAt)})
    on conflict (source) do update set kind = excluded.kind, started_at = excluded.started_at,
      since = excluded.since, cursor = excluded.cursor, pages = excluded.pages, idle_pages = excluded.idle_pages,
      is_partial = excluded.is_partial, changes_at = excluded.changes_at, swept_at = excluded.swept_at
    where (f.started_at, f.cursor, f.changes_at) is not distinct from
      (${at(before.reading?.startedAt ?? null)}::timestamptz, ${before.reading?.cursor ?? null}::text,
        ${at(before.changesAt)}::timestamptz)`);
  return rowCount === 1;
};

/** Notes listings of the reading in progress. @returns those that it did not have yet. */
export const noteListings = async (
  db: Queryable,
  source: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>(sql`
    insert into crawl.feed_listings (source, id) select ${source}, id from unnest(${ids}::text[]) as v(id)
    on conflict do nothing returning id`);
  return new Set(rows.map(({ id }) => id));
};

/** The listings, of those given, that the reading in progress has. */
export const notedAmong = async (
  db: Queryable,
  source: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from crawl.feed_listings where source = ${source} and id = any(${ids})`,
  );
  return new Set(rows.map(({ id }) => id));
};

export const countNoted = async (db: Queryable, source: string): Promise<number> => {
  const { rows } = await db.query<{ n: string }>(
    sql`select count(*) as n from crawl.feed_listings where source = ${source}`,
  );
  return Number(rows[0]?.n ?? 0);
};

export const forgetListings = async (db: Queryable, source: string): Promise<void> => {
  await db.query(sql`delete from crawl.feed_listings where source = ${source}`);
};

/** Pauses the feed for all processes until a time. */
export const pauseFeed = async (db: Queryable, source: string, untilMs: number): Promise<void> => {
  await db.query(sql`
    insert into crawl.feeds as f (source, paused_until) values (${source}, ${isoOf(untilMs)})
    on conflict (source) do update set paused_until = greatest(f.paused_until, excluded.paused_until)`);
};

/** Ends the pauses of feeds. @returns whether there was one. */
export const endFeedPauses = async (db: Queryable): Promise<boolean> => {
  const { rowCount } = await db.query(
    sql`update crawl.feeds set paused_until = null where paused_until > clock_timestamp()`,
  );
  return (rowCount ?? 0) > 0;
};

/** ms since 1970; 0 if the feed is not paused. */
export const pausedUntil = async (db: Queryable, source: string): Promise<number> => {
  const { rows } = await db.query<{ paused_until: string | null }>(
    sql`select paused_until from crawl.feeds where source = ${source}`,
  );
  return ms(rows[0]?.paused_until ?? null) ?? 0;
};

/** A reading of the feed that is in progress. Times are ms since 1970. */
export interface FeedReading {
  /** Whether it covers the whole feed, or the changes since a cursor. */
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
  /** Start of the last complete reading of each kind; null before the first. */
  readonly changesAt: number | null;
  readonly sweptAt: number | null;
}

export const noPosition: FeedPosition = { reading: null, changesAt: null, sweptAt: null };

export interface FeedIntervals {
  readonly pollMs: number;
  readonly sweepMs: number;
}

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

/** Limits of one reading, since a feed may be endless. */
export interface FeedCaps {
  readonly pages: number;
  readonly listings: number;
}

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

interface Row {
  readonly kind: FeedReading['kind'] | null;
  readonly started_at: string | null;
  readonly since: string | null;
  readonly cursor: string | null;
  readonly pages: number;
  readonly idle_pages: number;
  readonly is_partial: boolean;
  readonly changes_at: string | null;
  readonly swept_at: string | null;
}

const ms = (at: string | null): number | null => (at === null ? null : Date.parse(at));

const at = (time: number | null): string | null => (time === null ? null : isoOf(time));

/** Overlap of readings of changes, since clocks differ and a feed may show changes late. */
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

/** A feed with this many pages without anything new is cyclic. */
const MAX_IDLE_PAGES = 20;

type Advanced =
  | { readonly status: 'reading'; readonly reading: FeedReading }
  | { readonly status: 'ended'; readonly reading: FeedReading }
  /** The feed leads on, but nowhere; or further than a reading may go. */
  | { readonly status: 'endless' | 'capped'; readonly reading: FeedReading };
