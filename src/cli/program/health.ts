import type { Check, Health } from '../../api/services.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { countParked } from '../../projections/dead-letters/parked-rows.ts';
import { projections } from '../../projections/registry.ts';
import { listStops, type Stop } from '../../projections/stops.ts';
import type { Builds } from '../../read/builds.ts';
import { readReplicaLag } from '../../read/replica.ts';
import { readStanding } from '../../write/fanout/standing.ts';
import type { EventLog } from '../../write/log/port.ts';

/** What a process is there for, as far as its health is concerned. */
export interface Duties {
  readonly serves: boolean;
  readonly projects: boolean;
  readonly parts: readonly (() => Check)[];
}

/** A process of which nothing else is to be told. */
export const NOTHING_ELSE: Omit<Duties, 'serves'> = { projects: false, parts: [] };

/** What a process tells of itself. */
export const createHealth = (parts: {
  readonly log: EventLog;
  readonly db: Queryable;
  readonly builds: Builds;
  readonly duties: Duties;
  /** Where this process reads from a replica. */
  readonly replica?: { readonly db: Queryable; readonly builds: Builds } | undefined;
}): Health => {
  const { log, db, builds, duties, replica } = parts;
  // What another version left behind, or is at, is nothing that this one could mend.
  const isOwn = (of: Pick<Stop, 'projection' | 'version'>) =>
    projections.some(({ name, version }) => name === of.projection && version === of.version);
  return {
    ...duties,
    builds: replica?.builds ?? builds,
    refresh: () => builds.refresh(),
    head: () => log.head(),
    positionsPerEvent: log.positionsPerEvent ?? 1n,
    stops: async () => (await listStops(db)).filter(isOwn),
    parked: async () => (await countParked(db)).filter(isOwn),
    relayed: async () => (await readStanding(db))?.position ?? null,
    replica: replica === undefined ? undefined : () => readReplicaLag(db, replica.db),
  };
};
