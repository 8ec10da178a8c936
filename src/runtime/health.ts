import type { Check, Health } from '../api/services.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { countParked } from '../projections/dead-letters/parked-rows.ts';
import { projections } from '../projections/registry.ts';
import { listStalls, type Stall } from '../projections/stalls/stalls.ts';
import type { Builds } from '../read/active-builds.ts';
import { readReplicaLag } from '../read/replica-lag.ts';
import { estimatedEvents, eventsBetween } from '../write/log/events-between.ts';
import type { EventLog } from '../write/log/port.ts';
import { readRelayCheckpoint } from '../write/messaging/relay-checkpoint.ts';

/** Roles of a process, as far as its health depends on them. */
export interface ProcessRoles {
  readonly serves: boolean;
  readonly projects: boolean;
  readonly parts: readonly (() => Check)[];
}

/** A process that only serves the API. */
export const API_ONLY: Omit<ProcessRoles, 'serves'> = { projects: false, parts: [] };

/** Health of a process. */
export const createHealth = (parts: {
  readonly log: EventLog;
  readonly db: Queryable;
  readonly builds: Builds;
  readonly duties: ProcessRoles;
  /** The replica that this process reads from, if any. */
  readonly replica?: { readonly db: Queryable; readonly builds: Builds } | undefined;
}): Health => {
  const { log, db, builds, duties, replica } = parts;
  // Stalls of other versions are not this process's to resolve.
  const isOwn = (of: Pick<Stall, 'projection' | 'version'>) =>
    projections.some(({ name, version }) => name === of.projection && version === of.version);
  return {
    ...duties,
    builds: replica?.builds ?? builds,
    refresh: () => builds.refresh(),
    head: () => log.head(),
    eventsBetween: (from, to) =>
      // If the log becomes unavailable just now, its own check reports it: an estimate is enough here.
      eventsBetween(log, from, to).catch(() => estimatedEvents(from, to, log.positionsPerEvent ?? 1n)),
    stalls: async () => (await listStalls(db)).filter(isOwn),
    parked: async () => (await countParked(db)).filter(isOwn),
    relayed: async () => (await readRelayCheckpoint(db))?.position ?? null,
    replica: replica === undefined ? undefined : () => readReplicaLag(db, replica.db),
  };
};
