import { withLease } from '../../kernel/postgres/lease.ts';
import { dropAbandoned } from '../builds/build-lock.ts';
import { activeBuild, createBuild } from '../builds/builds.ts';
import { preparationLeaseOf } from '../builds/leases.ts';
import { rebuild } from '../builds/rebuild.ts';
import { catchUpOneByOne } from '../builds/shadow-build.ts';
import { repartition } from '../checkpoints/checkpoint-store.ts';
import { type Checkpoints, checkpointsOf, maxPosition } from '../checkpoints/checkpoints.ts';
import { openParking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import type { RunnerOptions } from './runner-options.ts';

/** The active build of this version; built from the log if there is none. */
const ensureBuild = async (projection: Projection, options: RunnerOptions): Promise<string> => {
  const active = await activeBuild(options.db, projection.name, projection.version);
  if (active !== null) return active.schema;
  // An empty log needs no catch-up: the build can be active at once.
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
 * Divides a build into partitions. Partitions of another kind, as those of Kafka topics, are first brought to one
 * position.
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
