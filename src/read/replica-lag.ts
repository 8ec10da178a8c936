import type { Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';

/** Lag of a replica. */
export interface ReplicaLag {
  readonly bytes: bigint;
  /** Age of its last transaction; null if it has replayed none since it started. */
  readonly seconds: number | null;
}

/**
 * Measures a replica against the primary's write position, so that a replica that no longer receives anything is
 * not taken for up to date.
 * @throws if either is unavailable.
 */
export const readReplicaLag = async (primary: Queryable, replica: Queryable): Promise<ReplicaLag> => {
  // The primary is queried after the replica, so the lag is never underestimated.
  const { rows: own } = await replica.query<{ at: string; seconds: number | null }>(sql`
    select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as at,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds`);
  const { rows: of } = await primary.query<{ bytes: string }>(
    sql`select greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), ${own[0]?.at}::pg_lsn), 0)::bigint as bytes`,
  );
  return { bytes: BigInt(of[0]?.bytes ?? 0), seconds: own[0]?.seconds ?? null };
};
