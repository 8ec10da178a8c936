import { randomUUID } from 'node:crypto';
import type { Platform } from '../../kernel/platform.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import type { Connection, Db } from '../../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../../kernel/postgres/statement.ts';
import type { FollowDirection } from '../../write/follows.ts';

export interface SweptList {
  readonly platform: Platform;
  readonly handle: string;
  readonly direction: FollowDirection;
  /** Native ID of its owner. */
  readonly owner: string;
}

/** A reading of a list, at the position from which it continues. */
export interface Sweep {
  readonly id: string;
  readonly cursor: string | null;
  /** Events recorded so far. */
  readonly pages: number;
  readonly members: number;
}

/** Positions of readings of lists: durable, so that a reading continues after a crash, in whatever process. */
export interface SweepStore {
  /** Claims a list, with the sweep that was left off or a new one; null if another process reads it. */
  claim(list: SweptList): Promise<Sweep | null>;
  /** Notes a recorded page. */
  advance(list: SweptList, sweep: Sweep): Promise<void>;
  /** The list ended or is capped. */
  end(list: SweptList): Promise<void>;
  /** Ends the claim; a sweep that has not ended is left for later. */
  release(list: SweptList): Promise<void>;
}

/** Later, the positions of platforms are not trusted any more: the list is read from its start. */
const RESUME_WITHIN = raw(`interval '7 days'`);

interface Row {
  readonly sweep: string;
  readonly cursor: string | null;
  readonly pages: number;
  readonly members: number;
}

const nameOf = ({ platform, handle, direction }: SweptList): string => `${platform}:${handle} ${direction}`;

/** The sweep to resume, or a new one. The handle may have another owner than the one whose list was left off. */
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

export const createSweepStore = (db: Db): SweepStore => {
  /** Sessions that hold the lock of a list: the server ends the lock of a process that dies. */
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
