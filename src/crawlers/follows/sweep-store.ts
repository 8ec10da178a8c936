import { randomUUID } from 'node:crypto';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { FollowDirection } from '../../write/follows/events.ts';

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
  /** Notes a recorded page, and keeps the claim. */
  advance(list: SweptList, sweep: Sweep): Promise<void>;
  /** The list ended or is capped. */
  end(list: SweptList): Promise<void>;
  /** Leaves the sweep for later. */
  release(list: SweptList): Promise<void>;
}

/** A claim of a process that died expires. A page takes seconds, and minutes while a platform is paused. */
const CLAIM = `interval '10 minutes'`;
/** Later, the positions of platforms are not trusted any more: the list is read from its start. */
const RESUME_WITHIN = `interval '7 days'`;

interface Row {
  readonly sweep: string;
  readonly cursor: string | null;
  readonly pages: number;
  readonly members: number;
}

export const createSweepStore = (db: Queryable): SweepStore => {
  const keyOf = ({ platform, handle, direction }: SweptList) => [platform, handle, direction];
  return {
    claim: async (list) => {
      const { rows } = await db.query<Row>({
        name: 'claim_follow_sweep',
        text: `insert into crawl.follow_sweeps as s
            (platform, handle, direction, sweep, owner, started_at, claimed_until)
          values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + ${CLAIM})
          on conflict (platform, handle, direction) do update set
            claimed_until = excluded.claimed_until,
            sweep = case when k.keeps then s.sweep else excluded.sweep end,
            cursor = case when k.keeps then s.cursor end,
            pages = case when k.keeps then s.pages else 0 end,
            members = case when k.keeps then s.members else 0 end,
            started_at = case when k.keeps then s.started_at else excluded.started_at end,
            owner = excluded.owner
          where s.claimed_until < clock_timestamp()
          returning sweep, cursor, pages, members`.replaceAll(
          'k.keeps',
          // The handle may have another owner by now.
          `(s.owner = excluded.owner and s.started_at > clock_timestamp() - ${RESUME_WITHIN})`,
        ),
        values: [...keyOf(list), randomUUID(), list.owner],
      });
      const [row] = rows;
      return row === undefined
        ? null
        : { id: row.sweep, cursor: row.cursor, pages: row.pages, members: row.members };
    },
    advance: async (list, { id, cursor, pages, members }) => {
      await db.query({
        name: 'advance_follow_sweep',
        text: `update crawl.follow_sweeps set cursor = $4, pages = $5, members = $6,
            claimed_until = clock_timestamp() + ${CLAIM}
          where platform = $1 and handle = $2 and direction = $3 and sweep = $7`,
        values: [...keyOf(list), cursor, pages, members, id],
      });
    },
    end: async (list) => {
      await db.query({
        name: 'end_follow_sweep',
        text: 'delete from crawl.follow_sweeps where platform = $1 and handle = $2 and direction = $3',
        values: keyOf(list),
      });
    },
    release: async (list) => {
      await db.query({
        name: 'release_follow_sweep',
        text: `update crawl.follow_sweeps set claimed_until = '-infinity'
          where platform = $1 and handle = $2 and direction = $3`,
        values: keyOf(list),
      });
    },
  };
};
