import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { byDeadline, steadyMs } from '../../kernel/retry.ts';
import { type BuildState, listBuilds, progressOf } from '../../projections/builds/builds.ts';
import { countParked } from '../../projections/dead-letters/parking.ts';
import { lagOf as projectionLags } from '../../projections/engine/lag.ts';
import { projections } from '../../projections/registry.ts';
import { listStalls, type Stall } from '../../projections/stalls.ts';
import type { WatchedBuilds } from '../../read/active-builds.ts';
import { type ReplicaLag, readReplicaLag } from '../../read/read-pool.ts';
import { type EventCount, estimatedEvents, eventsBetween } from '../../write/log/events-between.ts';
import { type EventLog, LogUnavailableError } from '../../write/log/port.ts';
import { readRelayCheckpoint } from '../../write/messaging/relay.ts';
import { type Evaluation, type OpenAlarm, readEvaluation } from './evaluate.ts';
import { listProcesses, missingRoles, missingText, type ServiceProcess } from './processes.ts';

export { UNPARTITIONED } from '../../projections/projection.ts';

/** What readiness and metrics query. */
export interface Health {
  /** Whether this process serves the API, so that only dependencies of responses are critical. */
  readonly serves: boolean;
  /** Whether this process maintains read models. */
  readonly projects: boolean;
  /** Builds that this process reads from, the replica's if it uses one. */
  readonly builds: WatchedBuilds;
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
  /** The builds that are being made. */
  building(): Promise<readonly BuildState[]>;
  /** Position of the relay; null if it never ran. */
  relayed(): Promise<bigint | null>;
  /** Whether the primary answers while the replica is down. */
  readonly mayFallBack?: boolean;
  /** Processes of the service. */
  processes(): Promise<readonly ServiceProcess[]>;
  /** What was measured of the service last; null before the first evaluation. */
  evaluation(): Promise<Evaluation | null>;
  /** Lag of the replica, if this process uses one. */
  readonly replica?: (() => Promise<ReplicaLag>) | undefined;
  /** States of the other components in this process, including later ones. */
  readonly parts: readonly (() => Check | Promise<Check>)[];
}

/** The roles of a process that its health depends on. */
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
  readonly builds: WatchedBuilds;
  readonly processRoles: ProcessRoles;
  /** The replica that this process reads from, if any. */
  readonly replica?:
    | { readonly db: Queryable; readonly builds: WatchedBuilds; readonly mayFallBack: boolean }
    | undefined;
}): Health => {
  const { log, db, builds, processRoles, replica } = parts;
  // Stalls of other versions are for other processes to resolve.
  const isOwn = (of: Pick<Stall, 'projection' | 'version'>) =>
    projections.some(({ name, version }) => name === of.projection && version === of.version);
  return {
    ...processRoles,
    builds: replica?.builds ?? builds,
    refresh: () => builds.refresh(),
    head: () => log.head(),
    eventsBetween: (from, to) =>
      // If the log has just become unavailable, its own check reports it; an estimate is enough here.
      eventsBetween(log, from, to).catch(() => estimatedEvents(from, to, log.positionsPerEvent ?? 1n)),
    stalls: async () => (await listStalls(db)).filter(isOwn),
    parked: async () => (await countParked(db)).filter(isOwn),
    lagS: createModelLag(db, log),
    building: async () => (await listBuilds(db)).filter(({ status }) => status === 'building'),
    relayed: async () => (await readRelayCheckpoint(db))?.position ?? null,
    mayFallBack: replica?.mayFallBack ?? false,
    processes: () => listProcesses(db),
    evaluation: () => readEvaluation(db),
    replica: replica === undefined ? undefined : () => readReplicaLag(db, replica.db),
  };
};

/** The result, or an error if it takes too long. @param leftMs time left for all checks. */
export const within = <T>(work: Promise<T>, leftMs = ASK_MS): Promise<T> =>
  byDeadline(work, Math.max(0, leftMs), () => new Error('no answer in time'));

export const lagOf = async (
  health: Health,
  projection: string,
  head: bigint,
  leftMs = ASK_MS,
): Promise<Check & { readonly lag: bigint | null }> => {
  const progress = health.builds.progress(projection);
  const name = `projection ${projection}`;
  if (progress === null) return { name, ok: false, detail: 'not built yet', lag: null };
  const count = await within(health.eventsBetween(progress.position, head), leftMs);
  const lag = count.events;
  const still = lag > 0n && systemClock.now() - progress.movedAtMs > MAX_STILL_MS;
  const behind = `${count.isEstimate ? 'about ' : ''}${lag} events behind`;
  // Between two events of a quiet log nothing moves: the age of the oldest that is missing tells.
  const silentS =
    progress.isFedByKafka && lag > 0n
      ? await within(health.lagS(projection), leftMs).catch(() => null)
      : null;
  if (silentS !== null && silentS > MAX_SILENT_S) {
    const detail = `${behind}: Kafka has delivered none for ${silentS} s; to read the log instead: sightline projections source log`;
    return { name, ok: false, critical: !health.serves, detail, lag };
  }
  // A stall has a check of its own.
  return { name, ok: progress.stalled || (lag <= MAX_LAG_EVENTS && !still), detail: behind, lag };
};

/** Runs all checks of the process concurrently, so that a hanging dependency delays only its own check. */
export const readinessOf = async (health: Health, logger: Logger): Promise<Readiness> => {
  const untilMs = steadyMs() + ASK_MS;
  let head: bigint | null = null;
  const { replica, parts } = health;
  const database = asked('database', logger, async () => {
    await health.refresh();
    return { ok: true, detail: 'available' };
  });
  // The directory is in Postgres: the API is useful without the log, except for live reads.
  const log = asked(
    'event log',
    logger,
    async () => {
      head = await health.head();
      return { ok: true, detail: `at position ${head}` };
    },
    !health.serves,
  );
  const replicas =
    replica === undefined
      ? []
      : [asked('read replica', logger, () => replicaCheck(health, replica), health.mayFallBack !== true)];
  // An unavailable database is reported already.
  const streams = [stalledChecks(health), parkedChecks(health), roleChecks(health)].map((checks) =>
    checks.catch(() => []),
  );
  const alarms = within(health.evaluation()).then(
    (evaluation) => evaluation?.alarms ?? [],
    () => null,
  );
  const own = parts.map(async (part) => ({ critical: !health.serves, ...(await part()) }));
  const isBuilt = projections.every(({ name }) => health.builds.progress(name) !== null);
  const building = isBuilt ? [] : within(health.building()).catch(() => []);
  const lags = Promise.all([building, database, log]).then(([builds]) =>
    lagChecks(health, builds, head, untilMs - steadyMs()),
  );
  const checks = [
    ...(await Promise.all([database, log, ...replicas])),
    ...(await lags),
    ...(await Promise.all(streams)).flat(),
    ...(await Promise.all(own)),
  ];
  return { ready: checks.every(({ ok, critical }) => ok || !critical), checks, alarms: await alarms };
};

/** Age in seconds of the oldest event that a read model has not processed; 0 if there is none, null if that is unknown. */
type ModelLag = (projection: string) => Promise<number | null>;

/** How long an answer is reused. */
const REUSED_MS = 1_000;

const measure = async (db: Queryable, log: EventLog, projection: string): Promise<number | null> => {
  try {
    const [lag] = await projectionLags(
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
    // A failure is not cached: the next request asks again.
    lag.catch(() => answers.delete(projection));
    return lag;
  };
};

/** A projection with more lag makes the process not ready. */
const MAX_LAG_EVENTS = 50_000n;
/** So does a checkpoint that has not advanced for this long although there are unprocessed events. */
const MAX_STILL_MS = 60_000;
/** Kafka delivers within a second. A read model that it feeds is cut off beyond this, and its answers only grow old. */
const MAX_SILENT_S = 10;
/** A replica with more lag serves unacceptably old data. */
const MAX_REPLICA_S = 60;
/** Time for all checks together: a probe gets the answer before its own timeout. */
const ASK_MS = 2_000;

/** A check, and whether its failure makes the process not ready. */
interface ReadinessCheck extends Check {
  readonly critical: boolean;
}

/**
 * Checks for stalled projections. Stale data does not make the API unready, except in `holders`, where revoked keys might
 * still be accepted. It makes projectors unready.
 */
const stalledChecks = async (health: Health): Promise<readonly ReadinessCheck[]> =>
  (await within(health.stalls())).map(({ projection, partition, position }) => ({
    name: `projection ${projection} at ${partition}`,
    ok: false,
    critical: health.serves ? projection === 'holders' : health.projects,
    detail: `stalled at position ${position}: see the log of the projector for the cause`,
  }));

/** Runs a check, which fails if the dependency does not respond. */
const asked = async (
  name: string,
  logger: Logger,
  ask: () => Promise<Omit<Check, 'name'>>,
  critical = true,
): Promise<ReadinessCheck> => {
  try {
    return { name, critical, ...(await within(ask())) };
  } catch (error) {
    // Non-critical failures are logged where they occur.
    if (critical) logger.warn({ err: errorMessage(error) }, `not ready: ${name} unavailable`);
    return { name, ok: false, critical, detail: 'unavailable' };
  }
};

/** Checks for parked streams. Answers about them are outdated, which does not affect readiness. */
const parkedChecks = async (health: Health): Promise<readonly ReadinessCheck[]> =>
  (await within(health.parked())).map(({ projection, streams }) => ({
    name: `dead letters of ${projection}`,
    ok: false,
    critical: false,
    detail: `${streams} stream${streams === 1 ? ' is' : 's are'} parked: see \`sightline projections parked list\``,
  }));

/** A check for each role that no process has any more. Other processes go on with theirs. */
const roleChecks = async (health: Health): Promise<readonly ReadinessCheck[]> =>
  missingRoles(await within(health.processes())).map((missing) => ({
    name: `role ${missing.role}`,
    ok: false,
    critical: false,
    detail: missingText(missing),
  }));

interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly ReadinessCheck[];
  /** What is raised; null if that is unknown. */
  readonly alarms: readonly OpenAlarm[] | null;
}

const replicaCheck = async (health: Health, lag: () => Promise<ReplicaLag>): Promise<Omit<Check, 'name'>> => {
  await health.builds.refresh();
  const { bytes, seconds } = await lag();
  const detail =
    bytes === 0n ? 'up to date' : `${bytes} bytes and ${seconds?.toFixed(1) ?? 'unknown'} s behind`;
  return { ok: bytes === 0n || (seconds !== null && seconds <= MAX_REPLICA_S), detail };
};

/**
 * Checks a projection that has no build of this version. An older build that stands in keeps an API ready, except that of the
 * holders: it lacks the keys that were revoked since.
 */
const unbuiltCheck = (
  { builds, serves }: Health,
  projection: string,
  building: readonly BuildState[],
  head: bigint | null,
): ReadinessCheck => {
  const own = building.find((build) => build.projection === projection);
  const { done, leftS } =
    own === undefined || head === null ? { done: null, leftS: null } : progressOf(own, head);
  const name = `projection ${projection}`;
  const standIn =
    projection === 'holders' || builds.withStandIns.progress(projection) === null
      ? null
      : builds.withStandIns.schema(projection);
  const detail = [
    done === null ? 'not built yet' : `not built yet: ${Math.floor(done * 100)} %`,
    ...(leftS === null ? [] : [`about ${leftS} s left`]),
    ...(standIn === null ? [] : [`${standIn} answers meanwhile`]),
  ].join(', ');
  return { name, ok: serves && standIn !== null, critical: true, detail };
};

/** Checks how far each projection is behind. @param head null if the log is unavailable, so that the lag is unknown. */
const lagChecks = (
  health: Health,
  building: readonly BuildState[],
  head: bigint | null,
  leftMs: number,
): Promise<readonly ReadinessCheck[]> =>
  Promise.all(
    projections.map(async ({ name: projection }) => {
      const name = `projection ${projection}`;
      if (health.builds.progress(projection) === null)
        return unbuiltCheck(health, projection, building, head);
      // The log has a check of its own.
      if (head === null)
        return { name, ok: true, critical: true, detail: 'its lag is unknown: the event log is unavailable' };
      try {
        const { lag: _, ...check } = await lagOf(health, projection, head, leftMs);
        return { critical: true, ...check };
      } catch {
        return { name, ok: false, critical: !health.serves, detail: 'its lag could not be read in time' };
      }
    }),
  );
