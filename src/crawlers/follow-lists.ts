import { randomUUID } from 'node:crypto';
import { type Clock, isoOf } from '../kernel/clock.ts';
import type { Platform } from '../kernel/platform.ts';
import { ADVISORY_LOCKS } from '../kernel/postgres/advisory-locks.ts';
import type { Connection, Db, Queryable } from '../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../kernel/postgres/statement.ts';
import { endsEarly, eventsOfSweep, type FollowDirection, recordFollows } from '../write/follows.ts';
import type { EventLog } from '../write/log/port.ts';
import type { Http } from './http/port.ts';
import type { FollowsReading, PlatformAdapter } from './platforms/adapter.ts';

/** The outcome of reading a follower list. */
export interface ListReading {
  readonly end: ListEnd;
  /** Members read so far, by this call and those before it. */
  readonly members: number;
  /** Requests of this call. */
  readonly requests: number;
}

/**
 * Reads a list from where the last call stopped until it ends, is capped, or can't be read further. Every page is recorded
 * before its position is stored, so that a crash loses nothing.
 * @param options.most members of a list at most.
 * @param options.onMembers called with the members read so far.
 */
export const readList = async (options: {
  readonly adapter: PlatformAdapter;
  readonly list: SweptList;
  readonly http: Http;
  readonly log: EventLog;
  readonly sweeps: SweepStore;
  readonly quota: RequestQuota;
  readonly clock: Clock;
  readonly most: number;
  /** Members that the owner's profile states; null if unknown. */
  readonly stated: number | null;
  readonly signal: AbortSignal;
  readonly onMembers: (members: number) => void;
}): Promise<ListReading> => {
  const { adapter, list, http, log, sweeps, quota, clock, most, signal } = options;
  const { readFollows } = adapter;
  if (readFollows === undefined) throw new TypeError(`${adapter.name} shows no lists`);
  const claimed = await sweeps.claim(list);
  if (claimed === null) return { end: { status: 'busy' }, members: 0, requests: 0 };
  let sweep: Sweep = claimed;
  let requests = 0;

  const record = async (page: Extract<FollowsReading, { status: 'present' }>): Promise<ListEnd | null> => {
    const members = page.members.slice(0, most - sweep.members);
    const isCapped =
      members.length < page.members.length ||
      (page.cursor !== null && sweep.members + members.length >= most);
    const isEarly = endsEarly(sweep.members + members.length, options.stated);
    const isDone = page.cursor === null && !isCapped && !isEarly;
    const recorded = await recordFollows(
      log,
      list.platform,
      list.handle,
      {
        observed_at: isoOf(clock.now()),
        source: 'crawler',
        surface: page.surface,
        direction: list.direction,
        owner: list.owner,
        sweep: sweep.id,
        members,
        order: page.order,
        done: isDone,
        capped: isCapped || (page.cursor === null && isEarly),
      },
      sweep.pages,
      randomUUID,
    );
    // Another process has written to the sweep: the list is read again from its start.
    const isBroken = recorded.sweep !== sweep.id;
    sweep = { ...sweep, cursor: page.cursor, pages: recorded.pages, members: sweep.members + members.length };
    options.onMembers(sweep.members);
    if (isDone || isCapped || isBroken || page.cursor === null) {
      await sweeps.end(list);
      return { status: isDone && !isBroken ? 'done' : 'capped' };
    }
    await sweeps.advance(list, sweep);
    return null;
  };

  const readPages = async (): Promise<ListEnd> => {
    for (;;) {
      if (signal.aborted) return { status: 'stopped' };
      const until = await quota.take();
      if (until !== null) return { status: 'quota_spent', until };
      requests += 1;
      const { owner, direction } = list;
      const page = await readFollows(owner, direction, { http, cursor: sweep.cursor });
      if (page.status === 'present') {
        const end = await record(page);
        if (end !== null) return end;
      } else if (page.status === 'unknown') {
        // Its position would name it.
        if (page.reason === 'erased') await sweeps.end(list);
        return { status: 'unknown', reason: page.reason, detail: page.detail };
      } else {
        await sweeps.end(list);
        return { status: page.status };
      }
    }
  };

  try {
    sweep = { ...claimed, pages: await nextPage(log, list, claimed) };
    const end = await readPages();
    return { end, members: sweep.members, requests };
  } finally {
    await sweeps.release(list);
  }
};

/** The daily quota of requests for follower lists, shared by all processes and kept over restarts. */
export interface RequestQuota {
  /** Takes a request. @returns null, or the instant at which requests are available again. */
  take(): Promise<string | null>;
}

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

/** Durable positions of list readings, so that any process can continue one after a crash. */
export interface SweepStore {
  /** Claims a list, with its unfinished sweep or a new one; null if another process reads the list. */
  claim(list: SweptList): Promise<Sweep | null>;
  /** Notes a recorded page. */
  advance(list: SweptList, sweep: Sweep): Promise<void>;
  /** The list ended or is capped. */
  end(list: SweptList): Promise<void>;
  /** Ends the claim. A sweep that has not ended can be resumed. */
  release(list: SweptList): Promise<void>;
}

export const createSweepStore = (db: Db): SweepStore => {
  /** Connections that hold the lock of a list. The server releases the lock of a process that dies. */
  const held = new Map<string, Connection>();

  const unlock = async (list: SweptList): Promise<void> => {
    const client = held.get(nameOf(list));
    held.delete(nameOf(list));
    const failure = await client?.query(sql`select pg_advisory_unlock_all()`).then(
      () => undefined,
      (error: Error) => error,
    );
    client?.release(failure);
  };

  const lock = async (list: SweptList): Promise<boolean> => {
    const client = await db.connect();
    held.set(nameOf(list), client);
    try {
      const { rows } = await client.query<{ locked: boolean }>(
        sql`select pg_try_advisory_lock(${ADVISORY_LOCKS.FOLLOW_SWEEP}, hashtext(${nameOf(list)})) as locked`,
      );
      if (rows[0]?.locked === true) return true;
      await unlock(list);
      return false;
    } catch (error) {
      await unlock(list);
      throw error;
    }
  };

  return {
    claim: async (list) => {
      if (held.has(nameOf(list)) || !(await lock(list))) return null;
      try {
        await db.query(beginning(list));
        const { rows } = await db.query<Row>(sweepOf(list));
        const [row] = rows;
        if (row === undefined) throw new Error(`the sweep of ${nameOf(list)} is gone`);
        return { id: row.sweep, cursor: row.cursor, pages: row.pages, members: row.members };
      } catch (error) {
        await unlock(list);
        throw error;
      }
    },
    advance: async (list, { id, cursor, pages, members }) => {
      await db.query(sql.named('advance_follow_sweep')`
        update crawl.follow_sweeps set cursor = ${cursor}, pages = ${pages}, members = ${members}
        ${ofList(list)} and sweep = ${id}`);
    },
    end: async (list) => {
      await db.query(sql.named('end_follow_sweep')`delete from crawl.follow_sweeps ${ofList(list)}`);
    },
    release: unlock,
  };
};

/** How the reading of a list ended, or was interrupted. */
type ListEnd =
  | { readonly status: 'done' | 'capped' | 'busy' | 'stopped' }
  /** What the platform said instead of a page. */
  | { readonly status: 'private' | 'suspended' | 'deactivated' | 'absent' }
  | { readonly status: 'unknown'; readonly reason: string; readonly detail: string }
  /** No request is left until then. */
  | { readonly status: 'quota_spent'; readonly until: string };

/**
 * Number of the sweep's next event. It is beyond the stored one if a crash came between recording a page and storing its
 * position: that page is then read again and recorded as a further one, since the list may have moved meanwhile.
 */
const nextPage = async (log: EventLog, { platform, handle }: SweptList, sweep: Sweep): Promise<number> => {
  const recorded = await eventsOfSweep(log, platform, handle, sweep.id);
  return Math.max(sweep.pages, ...recorded.map(({ page }) => page + 1));
};

/** Takes one of the day's requests, unless none is left. Uses the database's clock, so that processes agree on the day. */
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

interface SweptList {
  readonly platform: Platform;
  readonly handle: string;
  readonly direction: FollowDirection;
  /** Native ID of its owner. */
  readonly owner: string;
}

/** A reading of a list, at the position from which it continues. */
interface Sweep {
  readonly id: string;
  readonly cursor: string | null;
  /** Events recorded so far. */
  readonly pages: number;
  readonly members: number;
}

/** How long a platform's cursor is trusted. Afterwards the list is read from its start. */
const RESUME_WITHIN = raw(`interval '7 days'`);

interface Row {
  readonly sweep: string;
  readonly cursor: string | null;
  readonly pages: number;
  readonly members: number;
}

const nameOf = ({ platform, handle, direction }: SweptList): string => `${platform}:${handle} ${direction}`;

/** The sweep to resume, or a new one if it is too old or the handle has another owner by now. */
const beginning = ({ platform, handle, direction, owner }: SweptList): Statement => sql.named(
  'begin_follow_sweep',
)`
  insert into crawl.follow_sweeps as s (platform, handle, direction, sweep, owner, started_at)
  values (${platform}, ${handle}, ${direction}, ${randomUUID()}, ${owner}, clock_timestamp())
  on conflict (platform, handle, direction) do update set
    sweep = excluded.sweep, owner = excluded.owner, started_at = excluded.started_at,
    cursor = null, pages = 0, members = 0
  where s.owner <> excluded.owner or s.started_at < clock_timestamp() - ${RESUME_WITHIN}`;

const ofList = ({ platform, handle, direction }: SweptList): Statement =>
  sql`where platform = ${platform} and handle = ${handle} and direction = ${direction}`;

const sweepOf = (list: SweptList): Statement => sql.named('follow_sweep')`
  select sweep, cursor, pages, members from crawl.follow_sweeps
  ${ofList(list)}`;
