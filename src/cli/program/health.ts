import type { Health } from '../../api/services.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { listStops } from '../../projections/stops.ts';
import type { Builds } from '../../read/builds.ts';
import { readReplicaLag } from '../../read/replica.ts';
import { readStanding } from '../../write/fanout/standing.ts';
import type { EventLog } from '../../write/log/port.ts';

/** What a process tells of itself. */
export const createHealth = (parts: {
  readonly log: EventLog;
  readonly db: Queryable;
  readonly builds: Builds;
  /** Where this process reads from a replica. */
  readonly replica?: { readonly db: Queryable; readonly builds: Builds } | undefined;
}): Health => {
  const { log, db, builds, replica } = parts;
  return {
    builds: replica?.builds ?? builds,
    refresh: () => builds.refresh(),
    head: () => log.head(),
    positionsPerEvent: log.positionsPerEvent ?? 1n,
    stops: () => listStops(db),
    relayed: async () => (await readStanding(db))?.position ?? null,
    replica: replica === undefined ? undefined : () => readReplicaLag(db, replica.db),
  };
};
