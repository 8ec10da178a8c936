import { systemClock } from '../../kernel/clock.ts';
import type { Check } from '../../kernel/health-check.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { countParked } from '../../projections/dead-letters/parking.ts';
import { lagOf } from '../../projections/engine/lag.ts';
import { projections } from '../../projections/registry.ts';
import { listStalls, type Stall } from '../../projections/stalls.ts';
import type { Builds } from '../../read/active-builds.ts';
import { type ReplicaLag, readReplicaLag } from '../../read/read-pool.ts';
import { type EventCount, estimatedEvents, eventsBetween } from '../../write/log/events-between.ts';
import { type EventLog, LogUnavailableError } from '../../write/log/port.ts';
import { readRelayCheckpoint } from '../../write/messaging/relay.ts';

/** Age in seconds of the oldest event that a read model has not processed; 0 if there is none, null if that is unknown. */
type ModelLag = (projection: string) => Promise<number | null>;

/** An answer serves all requests of so long. */
const REUSED_MS = 1_000;

const measure = async (db: Queryable, log: EventLog, projection: string): Promise<number | null> => {
  try {
    const [lag] = await lagOf(
      db,
      log,
      projections.filter(({ name }) => name === projection),
    );
    if (lag === undefined || lag.build === null) return null;
    const { oldestUnprocessedAt } = lag;
    if (oldestUnprocessedAt === null) return 0;
    return Math.max(0, Math.floor((systemClock.now() - Date.parse(oldestUnprocessedAt)) / 1_000));
  } catch (error) {
    // Answers come from read models: without the log only their age is unknown.
    if (error instanceof LogUnavailableError) return null;
    throw error;
  }
};

const createModelLag = (db: Queryable, log: EventLog): ModelLag => {
  const answers = new Map<string, { readonly askedMs: number; readonly lag: Promise<number | null> }>();
  return (projection) => {
    const kept = answers.get(projection);
    if (kept !== undefined && performance.now() - kept.askedMs < REUSED_MS) return kept.lag;
    const lag = measure(db, log, projection);
    answers.set(projection, { askedMs: performance.now(), lag });
    // A failure is for those who waited for it: the next request asks again.
    lag.catch(() => answers.delete(projection));
    return lag;
  };
};

export { UNPARTITIONED } from '../../projections/projection.ts';

/** What readiness and metrics query. */
export interface Health {
  /** Whether this process serves the API: then only what responses need is critical. */
  readonly serves: boolean;
  /** Whether this process maintains read models. */
  readonly projects: boolean;
  /** Builds that this process reads from, the replica's if it uses one. */
  readonly builds: Builds;
  /** Queries the database. @throws if it is unavailable. */
  refresh(): Promise<void>;
  /** Position of the log's last event. @throws if the log is unavailable. */
  head(): Promise<bigint>;
  /** Number of events after a position and up to another. */
  eventsBetween(from: bigint, to: bigint): Promise<EventCount>;
  /** Stalls of this program's versions, by projection and partition. */
  stalls(): Promise<
    readonly { readonly projection: string; readonly partition: string; readonly position: bigint }[]
  >;
  /** Number of parked streams by projection, of this program's versions; absent if none. */
  parked(): Promise<readonly { readonly projection: string; readonly streams: number }[]>;
  /** Lag of a read model. */
  readonly lagS: ModelLag;
  /** Position of the relay; null if it never ran. */
  relayed(): Promise<bigint | null>;
  /** Lag of the replica, if this process uses one. */
  readonly replica?: (() => Promise<ReplicaLag>) | undefined;
  /** States of the other components in this process, including later ones. */
  readonly parts: readonly (() => Check | Promise<Check>)[];
}

/** Roles of a process, as far as its health depends on them. */
export interface ProcessRoles {
  readonly serves: boolean;
  readonly projects: boolean;
  readonly parts: readonly (() => Check | Promise<Check>)[];
}

/** A process that only serves the API. */
export const API_ONLY: Omit<ProcessRoles, 'serves'> = { projects: false, parts: [] };

/** Health of a process. */
export const createHealth = (parts: {
  readonly log: EventLog;
  readonly db: Queryable;
  readonly builds: Builds;
  readonly processRoles: ProcessRoles;
  /** The replica that this process reads from, if any. */
  readonly replica?: { readonly db: Queryable; readonly builds: Builds } | undefined;
}): Health => {
  const { log, db, builds, processRoles, replica } = parts;
  // Stalls of other versions are not this process's to resolve.
  const isOwn = (of: Pick<Stall, 'projection' | 'version'>) =>
    projections.some(({ name, version }) => name === of.projection && version === of.version);
  return {
    ...processRoles,
    builds: replica?.builds ?? builds,
    refresh: () => builds.refresh(),
    head: () => log.head(),
    eventsBetween: (from, to) =>
      // If the log becomes unavailable just now, its own check reports it: an estimate is enough here.
      eventsBetween(log, from, to).catch(() => estimatedEvents(from, to, log.positionsPerEvent ?? 1n)),
    stalls: async () => (await listStalls(db)).filter(isOwn),
    parked: async () => (await countParked(db)).filter(isOwn),
    lagS: createModelLag(db, log),
    relayed: async () => (await readRelayCheckpoint(db))?.position ?? null,
    replica: replica === undefined ? undefined : () => readReplicaLag(db, replica.db),
  };
};
