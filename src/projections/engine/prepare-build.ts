/** Preparation of a build for its writers, and its maintenance while it is active. */

import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { pause } from '../../kernel/retry.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { BuildWriters } from '../builds/build-writers.ts';
import { activeBuild, createBuild, dropAbandoned, preparationLeaseOf } from '../builds/builds.ts';
import { catchUpOneByOne, rebuild } from '../builds/rebuild.ts';
import { type Checkpoints, checkpointOf, checkpointsOf, maxPosition, repartition } from '../checkpoints.ts';
import { openParking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { clearStalls, levelOf } from '../stalls.ts';

/** The dependencies of a writer that maintains a projection. */
export interface RunnerOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Writers of first builds. By default this thread folds them. */
  readonly writers?: BuildWriters;
}

/** The active build of this version; built from the log if there is none. */
const ensureBuild = async (projection: Projection, options: RunnerOptions): Promise<string> => {
  const active = await activeBuild(options.db, projection.name, projection.version);
  if (active !== null) return active.schema;
  // An empty log needs no catch-up, so the build can be active at once.
  if ((await options.log.head()) === 0n) return (await createBuild(options.db, projection, 'active')).schema;
  options.logger.info(
    { projection: projection.name, version: projection.version },
    'building a projection from the log',
  );
  return (await rebuild(projection, options)).schema;
};

/** Whether a build has exactly these partitions. */
export const hasPartitions = (checkpoints: Checkpoints, partitions: readonly string[]): boolean =>
  checkpoints.size === partitions.length && partitions.every((partition) => checkpoints.has(partition));

/**
 * Divides a build into partitions. Partitions of another kind, such as those of Kafka topics, are first brought to one position.
 */
const divide = async (
  projection: Projection,
  schema: string,
  partitions: readonly string[],
  options: RunnerOptions,
): Promise<void> => {
  const { db, log, logger, signal } = options;
  for (;;) {
    const checkpoints = await checkpointsOf(db, schema);
    if (checkpoints.size === 0 || hasPartitions(checkpoints, partitions)) return;
    if (await repartition(db, schema, partitions)) return;
    signal.throwIfAborted();
    const parking = await openParking(projection, { log, logger });
    await catchUpOneByOne(projection, schema, parking, { to: maxPosition(checkpoints) }, options);
  }
};

/**
 * The active build of this version, divided into partitions. One process at a time creates or divides it; the others
 * wait.
 * @throws {ApplyEventError | EventDeserializationError} for a poison event that can't be parked.
 */
export const prepareBuild = async (
  projection: Projection,
  partitions: readonly string[],
  options: RunnerOptions,
): Promise<string> => {
  const { db, signal } = options;
  const active = await activeBuild(db, projection.name, projection.version);
  if (active !== null && hasPartitions(await checkpointsOf(db, active.schema), partitions))
    return active.schema;
  let schema: string | undefined;
  await withLease(options.connectionString, preparationLeaseOf(projection), signal, async (leased) => {
    await dropAbandoned(db, projection);
    const built = await ensureBuild(projection, { ...options, signal: leased });
    await divide(projection, built, partitions, { ...options, signal: leased });
    schema = built;
  });
  if (schema === undefined) throw new Error('stopped while the build was prepared');
  return schema;
};

const CHECK_MS = 1_000;

export interface ActiveBuild {
  readonly projection: Projection;
  readonly schema: string;
  readonly db: Db;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Clears the stalls that the build has passed: of earlier attempts, of other processes, and of partitions that it had. */
export const clearPassedStalls = async ({ projection, schema, db, logger }: ActiveBuild): Promise<void> => {
  const cleared = await clearStalls(db, projection, await checkpointOf(db, schema));
  if (cleared.length > 0) {
    logger.info({ projection: projection.name, partitions: cleared }, 'projection resumed');
  }
};

/**
 * Maintains a build as long as it is the active one, which is checked once a second beside the work.
 * @param isUsable whether the work may continue; called with every check.
 * @param work receives a signal that fires once the build is replaced or no longer usable.
 */
export const whileActive = async <T>(
  build: ActiveBuild,
  isUsable: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { projection, schema, db, logger } = build;
  const over = new AbortController();
  const signal = AbortSignal.any([build.signal, over.signal]);
  const check = async (): Promise<void> => {
    const active = await activeBuild(db, projection.name, projection.version);
    if (active?.schema !== schema || !(await isUsable())) return over.abort();
    await clearPassedStalls(build);
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await pause(CHECK_MS, signal);
      if (signal.aborted) return;
      await check().catch((error) =>
        logger[levelOf(error, 'warn')]({ err: errorMessage(error) }, 'periodic checks of the build failed'),
      );
    }
  };
  const watching = watch();
  try {
    return await work(signal);
  } finally {
    over.abort();
    await watching;
  }
};
