import { setTimeout as sleep } from 'node:timers/promises';
import { restartBackoffMs } from '../../kernel/backoff.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { EventDecoder } from '../../write/log/codec/decoder.ts';
import type { Messaging } from '../../write/messaging/port.ts';
import { activeBuild } from '../builds/builds.ts';
import { checkpointOf } from '../checkpoints/checkpoint-store.ts';
import { checkpointsOf } from '../checkpoints/checkpoints.ts';
import { topicPartitions, topicsOf } from '../checkpoints/partitioning.ts';
import { openParking } from '../dead-letters/parking.ts';
import { hasPartitions, prepareBuild } from '../engine/prepare-build.ts';
import type { RunnerOptions } from '../engine/runner-options.ts';
import type { Projection } from '../projection.ts';
import { levelOf } from '../stalls/report-stall.ts';
import { clearStalls } from '../stalls/stalls.ts';
import { openPartitionConsumer } from './partition-consumer.ts';

export interface WorkerOptions extends RunnerOptions {
  readonly messaging: Messaging;
  /** Decodes and validates the events that Kafka delivers, as the log does with its own. */
  readonly decoder: EventDecoder;
  /** Called with the number of assigned partitions; null while the worker is in no group. */
  readonly onAssignment?: (partitions: number | null) => void;
}

/** The consumer group of a version of a projection. */
export const groupOf = ({ name, version }: Projection): string => `sightline.${name}.v${version}`;

const LOOK_MS = 1_000;

/** Maintains one build as a member of the group, until the build is replaced or the signal fires. */
const work = async (projection: Projection, options: WorkerOptions): Promise<void> => {
  const { db, log, logger, messaging } = options;
  const partitions = topicPartitions(projection);
  const schema = await prepareBuild(projection, partitions, options);
  const parking = await openParking(projection, { log, logger });
  await parking.retryAfterUpgrade();
  const replaced = new AbortController();
  const signal = AbortSignal.any([options.signal, replaced.signal]);
  const member = openPartitionConsumer({ ...options, signal, projection, schema, parking });
  const poll = async () => {
    const active = await activeBuild(db, projection.name, projection.version);
    if (active?.schema !== schema) return replaced.abort();
    // A process that follows the log directly has divided the build by platform.
    if (!hasPartitions(await checkpointsOf(db, schema), partitions)) return replaced.abort();
    if (await parking.isOutdated()) await parking.reload();
    await member.runPeriodicChecks();
    // Includes a stall of the unpartitioned build, from a runner that followed the log directly.
    await clearStalls(db, projection, await checkpointOf(db, schema));
  };
  const watch = async () => {
    while (!signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await poll().catch((error) =>
        logger[levelOf(error, 'warn')](
          { err: errorMessage(error) },
          'periodic checks of the consumer failed',
        ),
      );
    }
  };
  const watching = watch();
  try {
    await messaging.consume({
      group: groupOf(projection),
      topics: topicsOf(projection).map(({ topic }) => topic),
      onPartitionsAssigned: async (share) => {
        const starts = await member.onPartitionsAssigned(share);
        options.onAssignment?.(share.length);
        return starts;
      },
      onPartitionsLost: () => options.onAssignment?.(null),
      handle: member.handle,
      signal,
    });
  } finally {
    replaced.abort();
    await watching;
    await member.idle();
  }
};

/**
 * Maintains a projection that relies only on the order within a stream: any number of processes share its
 * partitions as a consumer group. Checkpoints are in Postgres and advance with the rows; delivery from Kafka is
 * assumed to be neither complete nor exactly once.
 */
export const runWorker = async (projection: Projection, options: WorkerOptions): Promise<void> => {
  const { signal } = options;
  const logger = options.logger.child({ projection: projection.name });
  let failures = 0;
  while (!signal.aborted) {
    try {
      await work(projection, { ...options, logger });
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const delay = restartBackoffMs(failures);
      failures += 1;
      logger[levelOf(error, 'error')]({ err: error, delay }, 'consumer failed; restarting');
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
};
