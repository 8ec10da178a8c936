import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type Statement, sql } from '../../kernel/postgres/statement.ts';

/** Requests for follower lists that may be made in a day, shared by all processes and kept over restarts. */
export interface RequestQuota {
  /** Takes a request. @returns null, or the instant at which requests are available again. */
  take(): Promise<string | null>;
}

/** Takes one of the day's requests, unless none is left. The clock is the database's, so processes agree on the day. */
const taking = (perDay: number): Statement => sql.named('take_follow_request')`
  with today as materialized (select (clock_timestamp() at time zone 'UTC')::date as day)
  insert into crawl.follow_requests as r (day, requests) select day, 1 from today where ${perDay}::int > 0
  on conflict (day) do update set requests = r.requests + 1 where r.requests < ${perDay}
  returning requests`;

const NEXT_DAY = sql`
  select ((clock_timestamp() at time zone 'UTC')::date + 1)::timestamp at time zone 'UTC' as at`;

/** Days kept for operators to look at. */
const FORGET = sql`
  delete from crawl.follow_requests where day < (clock_timestamp() at time zone 'UTC')::date - 30`;

/** @param perDay setting of this process. */
export const createRequestQuota = (db: Queryable, perDay: number): RequestQuota => ({
  take: async () => {
    const { rows } = await db.query<{ requests: number }>(taking(perDay));
    if (rows[0]?.requests === 1) await db.query(FORGET);
    if (rows.length > 0) return null;
    const next = await db.query<{ at: string }>(NEXT_DAY);
    const [row] = next.rows;
    if (row === undefined) throw new Error('the database has no time');
    return row.at;
  },
});
