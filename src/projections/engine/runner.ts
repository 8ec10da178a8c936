import { PLATFORMS } from '../../kernel/platform.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { withLeaseShare } from '../../kernel/postgres/lease-share.ts';
import { keepRunning } from '../../kernel/retry.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import { dropAbandoned } from '../builds/build-lock.ts';
import { leaseOf } from '../builds/leases.ts';
import { CheckpointConflictError } from '../checkpoints/checkpoint-store.ts';
import { isSharedByPlatform } from '../checkpoints/partitioning.ts';
import { type Projection, UNPARTITIONED } from '../projection.ts';
import { ApplyEventError } from '../stalls/apply-event-error.ts';
import { createPartitionBackoff } from '../stalls/partition-backoff.ts';
import { levelOf, reportStall } from '../stalls/report-stall.ts';
import { follow } from './follow.ts';
import { followInGroups, loadStalls, type StalledAt } from './platform-groups.ts';
import { prepareBuild } from './prepare-build.ts';
import type { RunnerOptions } from './runner-options.ts';

interface Attempt extends RunnerOptions {
  /** Called when a checkpoint has advanced. */
  readonly onMoved: () => void;
}

/** Maintains a projection whose order is that of the log: the lease holder writes, the others stand by. */
const maintainWhole = (projection: Projection, options: Attempt): Promise<void> =>
  withLease(options.connectionString, leaseOf(projection), options.signal, async (signal) => {
    const leased = { ...options, signal };
    await dropAbandoned(options.db, projection);
    while (!signal.aborted) {
      const schema = await prepareBuild(projection, [UNPARTITIONED], leased);
      const stalled = await follow(projection, schema, [UNPARTITIONED], leased, options.onMoved);
      for (const error of stalled.values()) throw error;
    }
  });

/** Maintains the platforms that this process holds the leases of. */
const maintainPlatforms = async (projection: Projection, options: Attempt): Promise<void> => {
  const backoff = createPartitionBackoff();
  const stalledAt: StalledAt = new Map();
  const lease = { ...leaseOf(projection), parts: PLATFORMS };
  await withLeaseShare(options.connectionString, lease, options.signal, async (held, signal) => {
    await loadStalls(projection, { ...options, backoff, stalledAt });
    while (!signal.aborted) {
      await followInGroups(projection, held, {
        ...options,
        signal,
        stopping: options.signal,
        backoff,
        stalledAt,
      });
    }
  });
};

/**
 * Maintains one projection. Any number of processes may run it. They share the platforms of a projection that relies on
 * no order beyond that of a platform; one process writes any other, and the others stand by. Each writer is fenced by its
 * checkpoints.
 */
export const runProjection = async (projection: Projection, options: RunnerOptions): Promise<void> => {
  const { signal, db } = options;
  const logger = options.logger.child({ projection: projection.name });
  const maintain = isSharedByPlatform(projection) ? maintainPlatforms : maintainWhole;
  await keepRunning(
    signal,
    (onMoved) => maintain(projection, { ...options, logger, onMoved }),
    async (error, delay) => {
      if (error instanceof EventDeserializationError || error instanceof ApplyEventError) {
        return reportStall(projection, error, delay, { db, logger });
      }
      const level = error instanceof CheckpointConflictError ? 'info' : levelOf(error, 'error');
      logger[level]({ err: error, delay }, 'projection runner failed; restarting');
    },
  );
};
