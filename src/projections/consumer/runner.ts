import { keepRunning } from '../../kernel/retry.ts';
import type { EventDecoder } from '../../write/log/codec/decoder.ts';
import type { Messaging } from '../../write/messaging/port.ts';
import { checkpointsOf } from '../checkpoints/checkpoints.ts';
import { topicPartitions, topicsOf } from '../checkpoints/partitioning.ts';
import { openParking } from '../dead-letters/parking.ts';
import { hasPartitions, prepareBuild } from '../engine/prepare-build.ts';
import type { RunnerOptions } from '../engine/runner-options.ts';
import { whileActive } from '../engine/while-active.ts';
import type { Projection } from '../projection.ts';
import { levelOf } from '../stalls/report-stall.ts';
import { PartitionConsumer } from './partition-consumer.ts';

export interface WorkerOptions extends RunnerOptions {
  readonly messaging: Messaging;
  /** Decodes and validates the events that Kafka delivers, as the log does with its own. */
  readonly decoder: EventDecoder;
  /** Called with the number of assigned partitions; null while the worker is in no group. */
  readonly onAssignment?: (partitions: number | null) => void;
}

/** The consumer group of a version of a projection. */
export const groupOf = ({ name, version }: Projection): string => `sightline.${name}.v${version}`;

/** Maintains one build as a member of the group, until the build is replaced or the signal fires. */
const work = async (projection: Projection, options: WorkerOptions): Promise<void> => {
  const { db, log, logger, messaging } = options;
  const partitions = topicPartitions(projection);
  const schema = await prepareBuild(projection, partitions, options);
  const parking = await openParking(projection, { log, logger });
  await parking.retryAfterUpgrade();
  const over = new AbortController();
  const until = AbortSignal.any([options.signal, over.signal]);
  const member = new PartitionConsumer({ ...options, signal: until, projection, schema, parking });
  const isUsable = async (): Promise<boolean> => {
    // A process that follows the log directly has divided the build by platform.
    if (!hasPartitions(await checkpointsOf(db, schema), partitions)) return false;
    if (await parking.isOutdated()) await parking.reload();
    await member.runPeriodicChecks();
    return true;
  };
  try {
    await whileActive({ projection, schema, db, logger, signal: options.signal }, isUsable, (signal) => {
      signal.addEventListener('abort', () => over.abort(), { once: true });
      return messaging.consume({
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
    });
  } finally {
    over.abort();
    await member.idle();
  }
};

/**
 * Maintains a projection that relies only on the order within a stream: any number of processes share its
 * partitions as a consumer group. Checkpoints are in Postgres and advance with the rows; delivery from Kafka is
 * assumed to be neither complete nor exactly once.
 */
export const runWorker = async (projection: Projection, options: WorkerOptions): Promise<void> => {
  const logger = options.logger.child({ projection: projection.name });
  await keepRunning(
    options.signal,
    async (progressed) => {
      await work(projection, { ...options, logger });
      progressed();
    },
    (error, delay) => logger[levelOf(error, 'error')]({ err: error, delay }, 'consumer failed; restarting'),
  );
};
