import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../../kernel/postgres/statement.ts';

/** The window of an operation, as an answer states it. */
export interface StatedLimit {
  readonly capacity: number | null;
  readonly remaining: number | null;
  readonly resetsInMs: number | null;
}

/**
 * Limits and states of sessions in Postgres, shared by all processes. `kept` is the share of a
 * window that is kept for others, and released while the window passes; `holder` whose live read it is, null for the crawl.
 */
export const createSessionLimits = (db: Queryable) => ({
  /** Sessions that are not retired, with their waits; those that may send at once come first. */
  waits: async (
    sessions: readonly string[],
    operation: string,
    kept: number,
    holder: string | null,
  ): Promise<readonly SessionWait[]> => {
    const { rows } = await db.query<{ session: string; wait_ms: number | null; pending: boolean }>(
      waiting(sessions, operation, kept, holder),
    );
    return rows.flatMap(({ session, wait_ms: waitMs, pending: isPending }) =>
      waitMs === null ? [] : [{ session, waitMs, isPending }],
    );
  },
  /** Counts a request if the session may send it. @returns whether it may. */
  grant: async (session: string, operation: string, kept: number, holder: string | null): Promise<boolean> =>
    (await db.query(granting(session, operation, kept, holder))).rowCount === 1,
  unsent: async (session: string, operation: string, holder: string | null): Promise<void> => {
    await db.query(taking(session, operation, holder));
  },
  stated: async (session: string, operation: string, limit: StatedLimit): Promise<void> => {
    await db.query(stating(session, operation, limit));
  },
  rest: async (session: string, operation: string, ms: number | null): Promise<void> => {
    await db.query(resting(session, operation, ms ?? WINDOW_MS));
  },
  /** @returns whether the session is retired. */
  rejected: async (session: string, reason: string): Promise<boolean> =>
    (await db.query<{ retired: boolean }>(rejecting(session, reason))).rows[0]?.retired === true,
  accepted: async (session: string): Promise<void> => {
    await db.query(accepting(session));
  },
});

/** Requests of a window that are sent before an answer has stated how many are allowed. */
const UNSTATED = 2;
/** Requests of a window if answers never state how many are allowed. */
const UNLIMITED = 50;
/** The longest window of any operation. */
const WINDOW_MS = 15 * 60_000;
/** How long to wait for answers to the first requests before sending others. */
const FIRST_MS = 30_000;
/** Rest after the first rejection: the second one retires the session. */
const SUSPECT_MS = 60_000;

/** When a session may send an operation. */
interface SessionWait {
  readonly session: string;
  readonly waitMs: number;
  /** Whether its limit is not known yet, and its first requests are being answered. */
  readonly isPending: boolean;
}

const WINDOW = raw(WINDOW_MS);
const FIRST = raw(FIRST_MS);
const SUSPECT = raw(SUSPECT_MS);

/** How much of a window is left, from 1 to 0. */
const LEFT = sql`
  least(1, greatest(0, extract(epoch from l.resets_at - clock_timestamp()) * 1000 / ${WINDOW}))`;

/** Requests that a window allows so far. The share kept for others is released as the window passes. */
const allowed = (kept: number): Statement =>
  sql`coalesce(l.capacity * (1 - ${kept}::float8 * ${LEFT}), ${raw(UNSTATED)})`;

/** Requests of the window that a holder has used. */
const usedBy = (holder: string | null): Statement =>
  sql`coalesce((l.holders ->> ${holder}::text)::integer, 0)`;

/**
 * Whether a holder may use more of a window: it has used no more than is left for others. Thus no holder takes all of it,
 * and holders that used little come first. Less is kept for others as the window passes.
 */
const hasShare = (holder: string | null): Statement =>
  sql`
    (${holder}::text is null or l.capacity is null or (${usedBy(holder)} + 1) * ${LEFT} <= l.capacity - l.used)`;

/** The counts of holders after one more or one fewer request of a holder. */
const counted = (holder: string | null, change: 1 | -1): Statement =>
  sql`
    case when ${holder}::text is null then l.holders
    else l.holders || jsonb_build_object(${holder}::text, greatest(0, ${usedBy(holder)} + ${raw(change)})) end`;

/**
 * Wait until each session may send the operation, in milliseconds; null if it is retired. It is pending if the first
 * requests of the operation have not been answered yet.
 */
const waiting = (
  sessions: readonly string[],
  operation: string,
  kept: number,
  holder: string | null,
): Statement => sql.named('crawl_session_waits')`
  select asked.session,
    case when s.retired_at is null then ceil(extract(epoch from greatest(
      interval '0', s.resting_until - clock_timestamp(), l.resting_until - clock_timestamp(),
      case when l.used >= ${allowed(kept)} then l.resets_at - clock_timestamp() end,
      case when not ${hasShare(holder)} then l.resets_at - clock_timestamp()
        - interval '${WINDOW} ms' * (greatest(0, l.capacity - l.used)::float8 / (${usedBy(holder)} + 1)) end
    )) * 1000)::float8 end as wait_ms,
    coalesce(l.capacity is null and l.used >= ${raw(UNSTATED)} and l.resets_at > clock_timestamp(), false) as pending
  from unnest(${sessions}::text[]) with ordinality as asked (session, nth)
  left join crawl.session_states s on s.session = asked.session
  left join crawl.session_limits l on l.session = asked.session and l.operation = ${operation}
  order by wait_ms, l.used::float8 / nullif(l.capacity, 0) nulls first, nth`;

/**
 * Counts a request, unless the session rests, is retired or has used up its window. A window that no answer has ended
 * yet is as long as the longest.
 */
const granting = (
  session: string,
  operation: string,
  kept: number,
  holder: string | null,
): Statement => sql.named('crawl_session_grant')`
  insert into crawl.session_limits as l (session, operation, used, resets_at, holders)
  select ${session}, ${operation}, 1, clock_timestamp() + interval '${FIRST} ms',
    case when ${holder}::text is null then '{}' else jsonb_build_object(${holder}::text, 1) end
  where not exists (
    select from crawl.session_states s
    where s.session = ${session} and (s.retired_at is not null or s.resting_until > clock_timestamp()))
  on conflict (session, operation) do update set
    used = case when coalesce(l.resets_at <= clock_timestamp(), true) then 1 else l.used + 1 end,
    holders = case when coalesce(l.resets_at <= clock_timestamp(), true) then excluded.holders
      else ${counted(holder, 1)} end,
    resets_at = case when coalesce(l.resets_at <= clock_timestamp(), true)
      then clock_timestamp() + case when l.capacity is null then interval '${FIRST} ms'
        else interval '${WINDOW} ms' end
      else l.resets_at end
  where coalesce(l.resting_until <= clock_timestamp(), true)
    and (coalesce(l.resets_at <= clock_timestamp(), true)
      or l.used < ${allowed(kept)} and ${hasShare(holder)})
  returning used`;

const taking = (session: string, operation: string, holder: string | null): Statement => sql`
  update crawl.session_limits l set used = used - 1, holders = ${counted(holder, -1)}
  where session = ${session} and operation = ${operation} and used > 0`;

/** Takes over the stated use, which includes requests sent by others. Answers from an ended window are ignored. */
const stating = (
  session: string,
  operation: string,
  { capacity, remaining, resetsInMs }: StatedLimit,
): Statement => sql.named('crawl_session_stated')`
  update crawl.session_limits l set
    capacity = coalesce(${capacity}::integer, l.capacity, ${raw(UNLIMITED)}),
    used = case when ${resetsInMs}::float8 > 0 then greatest(l.used,
      coalesce(${capacity}::integer - ${remaining}::integer, 0)) else l.used end,
    resets_at = case when ${resetsInMs}::float8 > 0
      then clock_timestamp() + least(${resetsInMs}::float8, ${WINDOW}) * interval '1 ms'
      when ${resetsInMs}::float8 is null and l.capacity is null then clock_timestamp() + interval '${WINDOW} ms'
      else l.resets_at end
  where session = ${session} and operation = ${operation} and (${resetsInMs}::float8 is not null or capacity is null)`;

/** Never shortens a rest. */
const resting = (session: string, operation: string, ms: number): Statement => sql`
  insert into crawl.session_limits as l (session, operation, resting_until)
  values (${session}, ${operation}, clock_timestamp() + least(${ms}::float8, ${WINDOW}) * interval '1 ms')
  on conflict (session, operation) do update set resting_until = greatest(l.resting_until, excluded.resting_until)`;

/** A rejection while the session rests after another one belongs to that one, and does not count again. */
const rejecting = (session: string, reason: string): Statement => sql`
  insert into crawl.session_states as s (session, rejections, resting_until, reason, last_used_at)
  values (${session}, 1, clock_timestamp() + interval '${SUSPECT} ms', ${reason}, clock_timestamp())
  on conflict (session) do update set
    rejections = s.rejections + case when s.resting_until > clock_timestamp() then 0 else 1 end,
    resting_until = clock_timestamp() + interval '${SUSPECT} ms',
    retired_at = case when s.rejections >= 1 and coalesce(s.resting_until <= clock_timestamp(), true)
      then coalesce(s.retired_at, clock_timestamp()) else s.retired_at end,
    reason = excluded.reason, last_used_at = excluded.last_used_at
  returning retired_at is not null as retired`;

/**
 * Notes the use at most every ten seconds, and that the session is accepted. An answer to a request from before a rest
 * does not end it.
 */
const accepting = (session: string): Statement => sql.named('crawl_session_accepted')`
  insert into crawl.session_states as s (session, last_used_at) values (${session}, clock_timestamp())
  on conflict (session) do update set rejections = 0, resting_until = null, reason = null,
    last_used_at = clock_timestamp()
  where s.retired_at is null and coalesce(s.resting_until <= clock_timestamp(), true)
    and (s.rejections > 0 or coalesce(s.last_used_at < clock_timestamp() - interval '10 s', true))`;
