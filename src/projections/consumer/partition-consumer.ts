import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { EventDecoder, EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { ConsumerOptions, TopicPartition } from '../../write/messaging/port.ts';
import {
  checkLogId,
  LogIdChangedError,
  type RelayCheckpoint,
  readRelayCheckpoint,
} from '../../write/messaging/relay-checkpoint.ts';
import { partitionKey, TOPICS } from '../../write/messaging/topics.ts';
import { CheckpointConflictError } from '../checkpoints/checkpoint-store.ts';
import type { Parking } from '../dead-letters/parking.ts';
import type { RunnerOptions } from '../engine/runner-options.ts';
import type { Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import { createPartitionBackoff } from '../stalls/partition-backoff.ts';
import { levelOf, reportStall } from '../stalls/report-stall.ts';
import { clearStall, stalledPartitions } from '../stalls/stalls.ts';
import { openBatchApplier, type PartitionBatch } from '../writer/apply-batch.ts';
import { createCheckpointSync } from './checkpoint-sync.ts';
import { decodeMessages, type Incoming } from './decode-messages.ts';
import { createDeliveryTimeout } from './delivery-timeout.ts';
import { catchUpFromLog } from './log-catch-up.ts';
import { createMessageBuffer } from './message-buffer.ts';
import { createParkedPartitions } from './parked-partitions.ts';
import { createReceiver, type ReceivedMessage } from './received-message.ts';

export interface PartitionConsumerOptions extends RunnerOptions {
  readonly projection: Projection;
  readonly schema: string;
  readonly decoder: EventDecoder;
  readonly parking: Parking;
}

/** One consumer of the group that maintains a projection: applies the events of its assigned partitions. */
export interface PartitionConsumer extends Pick<ConsumerOptions, 'onPartitionsAssigned' | 'handle'> {
  /** Call about once a second: advances idle partitions and reads undelivered events from the log. */
  runPeriodicChecks(): Promise<void>;
  /** Resolves once no write is in flight. */
  idle(): Promise<void>;
}

const AGAIN_MS = 200;
/** Minimum pause of a stalled partition whose buffer is full. */
const FULL_MS = 1_000;

const partitionName = ({ topic, partition }: TopicPartition): string =>
  partitionKey(TOPICS.find((candidate) => candidate.topic === topic)?.name ?? topic, partition);

export const openPartitionConsumer = ({
  projection,
  schema,
  decoder,
  parking,
  ...options
}: PartitionConsumerOptions): PartitionConsumer => {
  const { db, log, logger } = options;
  const receive = createReceiver(projection, decoder);
  // A log restored from a backup has another ID and reuses positions for other events.
  const applier = openBatchApplier(db, projection, schema, async (client) => {
    if (relayCheckpoint !== null) await checkLogId(client, relayCheckpoint.logId);
  });
  const checkpoints = createCheckpointSync({ db, log }, projection, schema);
  const at = checkpoints.positions;
  const parked = createParkedPartitions(schema, applier, { log, projection, parking });
  const { isParked } = parked;
  /** Partitions stalled at a poison event. */
  const backoff = createPartitionBackoff();
  const deliveryTimeout = createDeliveryTimeout();
  let generation = 0;
  let relayCheckpoint: RelayCheckpoint | null = null;
  const buffer = createMessageBuffer();
  /** After a failure that no event caused, nothing is applied until then. */
  let restUntilMs = 0;
  let woken = false;
  /** Late partitions that are being read from the log, a few pages at a time. */
  let catchingUp: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();

  options.signal.addEventListener('abort', () => buffer.wake(), { once: true });

  /** Serializes everything that reads or advances checkpoints. */
  const serialized = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  /** Discards what is held in memory and reads the checkpoints again. @returns the Kafka offsets to resume at. */
  const reload = async (): Promise<ReadonlyMap<string, bigint | null>> => {
    applier.reset();
    const offsets = await checkpoints.reload();
    await parked.reload(db, at);
    buffer.wake();
    return offsets;
  };

  const reportResumed = async (partition: string, endPosition: bigint): Promise<void> => {
    await clearStall(db, projection, endPosition, partition);
    logger.info({ projection: projection.name, partition }, 'partition resumed');
  };

  /** @returns the partitions that stalled. */
  const apply = (runs: readonly PartitionBatch[]): Promise<ReadonlyMap<string, ApplyEventError>> =>
    parked.apply(runs, async (partition, reached, isDone) => {
      const moved = reached > (at.get(partition) ?? 0n);
      at.set(partition, reached);
      if (isDone && moved && backoff.release(partition)) await reportResumed(partition, reached);
    });

  const postpone = (partition: string): number => {
    const delayMs = backoff.delay(partition);
    buffer.wake();
    wakeIn(delayMs);
    return delayMs;
  };

  const stop = (partition: string, error: ApplyEventError | EventDeserializationError): Promise<void> =>
    reportStall(projection, error, postpone(partition), options, partition);

  const readFromLog = async (partitions: readonly string[]): Promise<void> => {
    const own = generation;
    const positions = new Map(partitions.map((partition) => [partition, at.get(partition) ?? 0n]));
    const isOver = () => own !== generation || options.signal.aborted;
    const failures = await catchUpFromLog(positions, { log, projection, parking, isParked, apply, isOver });
    for (const [partition, failure] of failures) await stop(partition, failure);
  };

  /** Decodes buffered messages; gaps are filled from the log first. */
  const readAll = async (
    batch: ReadonlyMap<string, readonly ReceivedMessage[]>,
  ): Promise<ReadonlyMap<string, Incoming>> => {
    relayCheckpoint ??= await readRelayCheckpoint(db);
    const excludeIds = parking.control().skipped;
    const reading = { decoder, excludeIds, isParked, logId: relayCheckpoint?.logId ?? '' };
    const read = (partitions: Iterable<string>) =>
      [...partitions].map(
        (partition) =>
          [partition, decodeMessages(batch.get(partition) ?? [], at.get(partition) ?? 0n, reading)] as const,
      );
    const incoming = new Map(read(batch.keys()));
    const gaps = [...incoming].flatMap(([partition, { left }]) => (left === 'gap' ? [partition] : []));
    if (gaps.length === 0) return incoming;
    logger.warn(
      { projection: projection.name, partitions: gaps },
      'gap in the messages from Kafka; reading the missing events from the log',
    );
    await readFromLog(gaps);
    for (const [partition, again] of read(gaps)) incoming.set(partition, again);
    return incoming;
  };

  const applyBuffered = async (batch: ReadonlyMap<string, readonly ReceivedMessage[]>): Promise<void> => {
    const before = new Map(at);
    const incoming = await readAll(batch);
    const runs = [...incoming].map(([partition, { events, endPosition, next }]) => {
      return { partition, from: at.get(partition) as bigint, endPosition, events, offset: next };
    });
    const failures = await apply(runs.filter((run) => run.endPosition > run.from));
    for (const [partition, { left, next }] of incoming) {
      const unhandled = failures.get(partition);
      if (unhandled !== undefined) {
        // Messages that are applied already are dropped on the next decode.
        await stop(partition, unhandled);
        continue;
      }
      buffer.complete(partition, next);
      if (left === 'gap') {
        // If the log did not close the gap either, a stall was reported, or a log node lags.
        if (at.get(partition) === before.get(partition) && backoff.isDue(partition)) postpone(partition);
      } else if (left !== null && !(await parking.park(left))) await stop(partition, left);
    }
  };

  const work = async (): Promise<void> => {
    woken = false;
    if (options.signal.aborted || Date.now() < restUntilMs) return;
    const batch = buffer.takeDue((partition) => at.has(partition) && backoff.isDue(partition));
    if (batch.size === 0) return;
    try {
      // Stalled partitions are tried apart: a failure would make all others be applied one by one.
      const others = [...batch].filter(([partition]) => !backoff.has(partition));
      const stalled = [...batch].filter(([partition]) => backoff.has(partition));
      if (others.length > 0) await applyBuffered(new Map(others));
      for (const one of stalled) await applyBuffered(new Map([one]));
      wakeIn(0);
    } catch (error) {
      await reloadCheckpoints(error);
    }
  };

  /** Retries from the stored checkpoints, which another worker may have moved. */
  const reloadCheckpoints = async (error: unknown): Promise<void> => {
    if (options.signal.aborted) return;
    if (error instanceof LogIdChangedError) {
      relayCheckpoint = null;
      buffer.clear();
    }
    const lost = error instanceof CheckpointConflictError || error instanceof LogIdChangedError;
    logger[lost ? 'info' : levelOf(error, 'error')](
      { err: errorMessage(error), projection: projection.name },
      lost
        ? 'checkpoints were moved by another worker; reloading partition checkpoints'
        : 'batch failed; retrying',
    );
    const delay = lost ? AGAIN_MS : AGAIN_MS * 5;
    restUntilMs = Date.now() + delay;
    // If that fails as well, the next periodic check reloads everything and reports the error.
    await reload().catch(() => undefined);
    wakeIn(delay);
  };

  const wakeIn = (ms: number): void => {
    if (ms > 0) {
      // Slightly later than the deadline, since timers and the clock can differ.
      setTimeout(() => wakeIn(0), ms + 5).unref();
    } else if (!woken) {
      woken = true;
      // The other partitions of the same fetch arrive next: apply them in one transaction.
      setImmediate(() => void serialized(work));
    }
  };

  const runPeriodicChecks = async (): Promise<void> => {
    if (!checkpoints.isComplete()) await reload();
    relayCheckpoint = await readRelayCheckpoint(db);
    if (relayCheckpoint === null) return;
    await parked.applyRetried(at);
    const { position, lastPublished, startPosition } = relayCheckpoint;
    const due = new Map([...at].filter(([partition]) => backoff.isDue(partition)));
    const { upToDate, late } = deliveryTimeout.check(due, relayCheckpoint);
    if (upToDate.length > 0) {
      await apply(
        upToDate.map((partition) => ({
          partition,
          from: due.get(partition) ?? 0n,
          endPosition: position,
          events: [],
        })),
      );
    }
    const isBehind = (partition: string) =>
      (at.get(partition) ?? position) < (lastPublished.get(partition) ?? startPosition);
    const wanted = [...new Set([...late, ...catchingUp])].filter(
      (partition) => due.has(partition) && isBehind(partition),
    );
    if (late.length > 0) {
      logger.warn(
        { projection: projection.name, partitions: late },
        'published events were not delivered by Kafka in time; reading them from the log',
      );
    }
    if (wanted.length > 0) await readFromLog(wanted);
    catchingUp = wanted.filter(isBehind);
  };

  return {
    onPartitionsAssigned: (partitions) => {
      generation += 1;
      return serialized(async () => {
        checkpoints.assign(partitions.map(partitionName));
        deliveryTimeout.reset();
        buffer.clear();
        catchingUp = [];
        const offsets = await reload();
        backoff.reset((await stalledPartitions(db, projection)).filter((partition) => at.has(partition)));
        return checkpoints.startFrom(offsets);
      });
    },
    handle: async (source, messages) => {
      const partition = partitionName(source);
      const [first] = messages;
      if (first === undefined) return null;
      deliveryTimeout.recordActivity(partition);
      const own = generation;
      const isOver = () => own !== generation || options.signal.aborted;
      while (buffer.isFull(partition) && !isOver()) {
        // A stall can last for days: have Kafka deliver again later instead of blocking the other partitions.
        if (backoff.has(partition) || !at.has(partition)) {
          return { offset: first.offset, delayMs: Math.max(FULL_MS, backoff.leftMs(partition)) };
        }
        await buffer.change(partition);
      }
      if (isOver()) return null;
      // A buffered message counts as handled: checkpoints, not Kafka offsets, decide what is read again.
      buffer.add(partition, messages.map(receive));
      wakeIn(0);
      return null;
    },
    idle: () => serialized(async () => undefined),
    runPeriodicChecks: () =>
      serialized(async () => {
        try {
          await runPeriodicChecks();
        } catch (error) {
          await reloadCheckpoints(error);
        }
      }),
  };
};
