import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** The state of a session. */
export interface SessionState {
  readonly rejections: number;
  readonly resting_until: string | null;
  readonly retired_at: string | null;
  readonly reason: string | null;
  readonly last_used_at: string | null;
  readonly operations: readonly OperationUse[];
}

/** Reads the states of sessions by ID, without rests and windows that are over. */
export const readSessionStates = async (
  db: Queryable,
  ids: readonly string[],
): Promise<(id: string) => SessionState> => {
  const { rows: states } = await db.query<StateRow>(sql`
    select session, rejections, retired_at, reason, last_used_at,
      case when resting_until > clock_timestamp() then resting_until end as resting_until
    from crawl.session_states where session = any (${ids})`);
  const { rows: limits } = await db.query<LimitRow>(sql`
    select session, operation, capacity,
      case when resets_at > clock_timestamp() then used else 0 end as used,
      case when resets_at > clock_timestamp() then resets_at end as resets_at,
      case when resting_until > clock_timestamp() then resting_until end as resting_until
    from crawl.session_limits where session = any (${ids}) order by session, operation`);
  return (id) => {
    const state = states.find(({ session }) => session === id);
    const operations = limits
      .filter(({ session }) => session === id)
      .map(({ operation, used, capacity, resets_at, resting_until }) => ({
        operation,
        used,
        capacity,
        resets_at,
        resting_until,
      }));
    if (state === undefined) return { ...UNUSED, operations };
    const { rejections, reason } = state;
    return {
      rejections,
      reason,
      resting_until: state.resting_until,
      retired_at: state.retired_at,
      last_used_at: state.last_used_at,
      operations,
    };
  };
};

/** Forgets that a session was rejected: it is used again. @returns whether it had been rejected. */
export const reinstateSession = async (db: Queryable, id: string): Promise<boolean> => {
  const { rowCount } = await db.query(sql`
    update crawl.session_states set rejections = 0, resting_until = null, retired_at = null, reason = null
    where session = ${id} and (rejections > 0 or resting_until is not null or retired_at is not null)`);
  return rowCount === 1;
};

/** The use of an operation by a session. */
interface OperationUse {
  readonly operation: string;
  /** Requests of the running window. */
  readonly used: number;
  /** Null if it is not known yet. */
  readonly capacity: number | null;
  readonly resets_at: string | null;
  readonly resting_until: string | null;
}

const UNUSED: SessionState = {
  rejections: 0,
  resting_until: null,
  retired_at: null,
  reason: null,
  last_used_at: null,
  operations: [],
};

interface StateRow {
  readonly session: string;
  readonly rejections: number;
  readonly resting_until: string | null;
  readonly retired_at: string | null;
  readonly reason: string | null;
  readonly last_used_at: string | null;
}

interface LimitRow {
  readonly session: string;
  readonly operation: string;
  readonly used: number;
  readonly capacity: number | null;
  readonly resets_at: string | null;
  readonly resting_until: string | null;
}
