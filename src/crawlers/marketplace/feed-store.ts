import { isoOf } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { type FeedPosition, type FeedReading, noPosition } from './feed-position.ts';

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

const at = (time: number | null): string | null => (time === null ? null : isoOf(time));

/**
 * Moves the position by compare-and-set, so that a process that lost its lease can't move it.
 * @returns whether it was where it was read.
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

/** Those of some listings that the reading in progress has. */
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

/** Nothing is requested until then, whichever process reads the feed. */
export const pauseFeed = async (db: Queryable, source: string, untilMs: number): Promise<void> => {
  await db.query(sql`
    insert into crawl.feeds as f (source, paused_until) values (${source}, ${isoOf(untilMs)})
    on conflict (source) do update set paused_until = greatest(f.paused_until, excluded.paused_until)`);
};

/** ms since 1970; 0 if the feed is not paused. */
export const pausedUntil = async (db: Queryable, source: string): Promise<number> => {
  const { rows } = await db.query<{ paused_until: string | null }>(
    sql`select paused_until from crawl.feeds where source = ${source}`,
  );
  return ms(rows[0]?.paused_until ?? null) ?? 0;
};
