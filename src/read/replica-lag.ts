import type { Queryable } from '../kernel/postgres/pool.ts';

/** How far a replica is behind the database that it copies. */
export interface ReplicaLag {
  readonly bytes: bigint;
  /** Age of the last transaction that it has; null where it has none since it started. */
  readonly seconds: number | null;
}

/**
 * Measures a replica against the database itself, by what has been written there, so that a replica which no longer
 * receives anything is not taken for one that is up to date.
 * @throws where either does not answer.
 */
export const readReplicaLag = async (primary: Queryable, replica: Queryable): Promise<ReplicaLag> => {
  // Asked after the replica, the database can only be further: nothing looks fresher than it is.
  const { rows: own } = await replica.query<{ at: string; seconds: number | null }>(
    `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as at,
            extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds`,
  );
  const { rows: of } = await primary.query<{ bytes: string }>(
    'select greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn), 0)::bigint as bytes',
    [own[0]?.at],
  );
  return { bytes: BigInt(of[0]?.bytes ?? 0), seconds: own[0]?.seconds ?? null };
};
