import { errorMessage } from '../../kernel/errors.ts';
import { keepRunning, steadyMs } from '../../kernel/retry.ts';
import type { EventDecoder } from '../../write/log/codec.ts';
import { partitionKey, TOPICS } from '../../write/messaging/message.ts';
import type { ConsumerOptions, Messaging, TopicPartition } from '../../write/messaging/port.ts';
import { LogIdChangedError, type RelayCheckpoint } from '../../write/messaging/relay.ts';
import { CheckpointConflictError, checkpointsOf, topicPartitions, topicsOf } from '../checkpoints.ts';
import { openParking } from '../dead-letters/parking.ts';
import { hasPartitions, prepareBuild, type RunnerOptions, whileActive } from '../engine/prepare-build.ts';
import type { Projection } from '../projection.ts';
import { levelOf } from '../stalls.ts';
import { createReceiver, type ReceivedMessage } from './messages.ts';
import { PartitionApplier, type PartitionConsumerOptions } from './partition-applier.ts';

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
 * Maintains a projection that relies only on the order within a stream. Any number of processes share its partitions as a consumer
 * group. Checkpoints are in Postgres and advance with the rows; delivery from Kafka is assumed to be neither complete nor exactly
 * once.
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

/** Buffered messages of a partition before its fetches are paused. */
const MAX_BUFFERED_PER_PARTITION = 1_000;
/** Maximum messages applied in one transaction. */
const MAX_AT_ONCE = 16_000;

/** Messages received but not applied yet, by partition. They are removed once applied. */
interface MessageBuffer {
  add(partition: string, messages: readonly ReceivedMessage[]): void;
  isFull(partition: string): boolean;
  /** Resolves when the partition's buffer has shrunk or `wake` was called: check again. */
  change(partition: string): Promise<void>;
  /** Wakes all waiters. */
  wake(): void;
  /** The next messages of the partitions that are due, limited to what one transaction applies. */
  takeDue(isDue: (partition: string) => boolean): ReadonlyMap<string, readonly ReceivedMessage[]>;
  /** Removes a partition's messages before an offset. */
  complete(partition: string, next: bigint): void;
  clear(): void;
}

const createMessageBuffer = (): MessageBuffer => {
  const waiting = new Map<string, ReceivedMessage[]>();
  const waiters = new Map<string, PromiseWithResolvers<void>>();
  const isFull = (partition: string) => (waiting.get(partition)?.length ?? 0) >= MAX_BUFFERED_PER_PARTITION;
  const notify = (partition: string) => {
    waiters.get(partition)?.resolve();
    waiters.delete(partition);
  };
  const wake = () => {
    for (const partition of [...waiters.keys()]) notify(partition);
  };
  return {
    add: (partition, messages) => {
      const there = waiting.get(partition);
      if (there === undefined) waiting.set(partition, [...messages]);
      else for (const message of messages) there.push(message);
    },
    isFull,
    change: (partition) => {
      const change = waiters.get(partition) ?? Promise.withResolvers<void>();
      waiters.set(partition, change);
      return change.promise;
    },
    wake,
    takeDue: (isDue) => {
      const batch = new Map<string, readonly ReceivedMessage[]>();
      let count = 0;
      for (const [partition, messages] of waiting) {
        if (count >= MAX_AT_ONCE) break;
        if (!isDue(partition)) continue;
        batch.set(partition, messages.slice());
        count += messages.length;
      }
      return batch;
    },
    complete: (partition, next) => {
      const left = waiting.get(partition)?.filter(({ offset }) => offset >= next) ?? [];
      // Requeue last, for fairness between partitions.
      waiting.delete(partition);
      if (left.length > 0) waiting.set(partition, left);
      if (!isFull(partition)) notify(partition);
    },
    clear: () => {
      waiting.clear();
      wake();
    },
  };
};

const AGAIN_MS = 200;
/** Minimum pause of a stalled partition whose buffer is full. */
const FULL_MS = 1_000;

const partitionName = ({ topic, partition }: TopicPartition): string =>
  partitionKey(TOPICS.find((candidate) => candidate.topic === topic)?.name ?? topic, partition);

/** One consumer of the group that maintains a projection: applies the events of its assigned partitions. */
class PartitionConsumer {
  readonly #options: PartitionConsumerOptions;
  readonly #applier: PartitionApplier;
  readonly #receive: ReturnType<typeof createReceiver>;
  readonly #buffer = createMessageBuffer();
  readonly #deliveryTimeout = createDeliveryTimeout();
  /** After a failure that no event caused, nothing is applied until this time. */
  #restUntilMs = 0;
  #isWoken = false;
  /** Late partitions that are being read from the log, a few pages at a time. */
  #catchingUp: readonly string[] = [];
  /** Operations that read or advance checkpoints run one after the other, in the order of the calls. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PartitionConsumerOptions) {
    this.#options = options;
    this.#receive = createReceiver(options.projection, options.decoder);
    this.#applier = new PartitionApplier(options, (delayMs) => {
      this.#buffer.wake();
      this.#wakeIn(delayMs);
    });
    options.signal.addEventListener('abort', () => this.#buffer.wake(), { once: true });
  }

  readonly onPartitionsAssigned: ConsumerOptions['onPartitionsAssigned'] = (partitions) => {
    this.#applier.endGeneration();
    return this.#serialized(async () => {
      this.#deliveryTimeout.reset();
      this.#buffer.clear();
      this.#catchingUp = [];
      const starts = await this.#applier.assign(partitions.map(partitionName));
      this.#buffer.wake();
      return starts;
    });
  };

  readonly handle: ConsumerOptions['handle'] = async (source, messages) => {
    const partition = partitionName(source);
    const [first] = messages;
    if (first === undefined) return null;
    this.#deliveryTimeout.recordActivity(partition);
    const { backoff } = this.#applier;
    const isOver = this.#applier.watchAssignment();
    while (this.#buffer.isFull(partition) && !isOver()) {
      // A stall can last for days, so Kafka delivers again later instead of blocking the other partitions.
      if (backoff.has(partition) || !this.#applier.positions.has(partition)) {
        return { offset: first.offset, delayMs: Math.max(FULL_MS, backoff.leftMs(partition)) };
      }
      await this.#buffer.change(partition);
    }
    if (isOver()) return null;
    // A buffered message counts as handled: checkpoints, not Kafka offsets, decide what is read again.
    this.#buffer.add(partition, messages.map(this.#receive));
    this.#wakeIn(0);
    return null;
  };

  /** Resolves once no write is in flight. */
  idle(): Promise<void> {
    return this.#serialized(async () => undefined);
  }

  /** Call about once a second: advances idle partitions and reads undelivered events from the log. */
  runPeriodicChecks(): Promise<void> {
    return this.#serialized(async () => {
      try {
        if (!this.#applier.isComplete()) await this.#reload();
        const relayCheckpoint = await this.#applier.refresh();
        if (relayCheckpoint !== null) await this.#checkDelivery(relayCheckpoint);
      } catch (error) {
        await this.#recover(error);
      }
    });
  }

  #serialized<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #reload(): Promise<void> {
    await this.#applier.reload();
    this.#buffer.wake();
  }

  #wakeIn(ms: number): void {
    if (ms > 0) {
      // Slightly later than the deadline, since timers and the clock can differ.
      setTimeout(() => this.#wakeIn(0), ms + 5).unref();
    } else if (!this.#isWoken) {
      this.#isWoken = true;
      // The other partitions of the same fetch arrive next, and are applied in the same transaction.
      setImmediate(() => void this.#serialized(() => this.#work()));
    }
  }

  async #work(): Promise<void> {
    this.#isWoken = false;
    if (this.#options.signal.aborted || steadyMs() < this.#restUntilMs) return;
    const { positions, backoff } = this.#applier;
    const batch = this.#buffer.takeDue((partition) => positions.has(partition) && backoff.isDue(partition));
    if (batch.size === 0) return;
    try {
      // Stalled partitions are tried separately: a failure would cause all others to be applied one by one.
      const others = [...batch].filter(([partition]) => !backoff.has(partition));
      const stalled = [...batch].filter(([partition]) => backoff.has(partition));
      const batches = [...(others.length > 0 ? [others] : []), ...stalled.map((one) => [one])];
      for (const each of batches) {
        for (const [partition, next] of await this.#applier.applyMessages(new Map(each))) {
          this.#buffer.complete(partition, next);
        }
      }
      this.#wakeIn(0);
    } catch (error) {
      await this.#recover(error);
    }
  }

  /** Retries from the stored checkpoints, which another worker may have moved. */
  async #recover(error: unknown): Promise<void> {
    const { signal, logger, projection } = this.#options;
    if (signal.aborted) return;
    if (error instanceof LogIdChangedError) {
      this.#applier.forgetLog();
      this.#buffer.clear();
    }
    const isLost = error instanceof CheckpointConflictError || error instanceof LogIdChangedError;
    logger[isLost ? 'info' : levelOf(error, 'error')](
      { err: errorMessage(error), projection: projection.name },
      isLost
        ? 'checkpoints were moved by another worker; reloading partition checkpoints'
        : 'batch failed; retrying',
    );
    const delayMs = isLost ? AGAIN_MS : AGAIN_MS * 5;
    this.#restUntilMs = steadyMs() + delayMs;
    // If that fails as well, the next periodic check reloads everything and reports the error.
    await this.#reload().catch(() => undefined);
    this.#wakeIn(delayMs);
  }

  /** Advances partitions to which the relay published nothing, and reads what was published but not delivered. */
  async #checkDelivery(relayCheckpoint: RelayCheckpoint): Promise<void> {
    const { positions, backoff } = this.#applier;
    const { position, lastPublished, startPosition } = relayCheckpoint;
    const due = new Map([...positions].filter(([partition]) => backoff.isDue(partition)));
    const { upToDate, late } = this.#deliveryTimeout.check(due, relayCheckpoint);
    if (upToDate.length > 0) {
      await this.#applier.apply(
        upToDate.map((partition) => ({
          partition,
          from: due.get(partition) ?? 0n,
          endPosition: position,
          events: [],
        })),
      );
    }
    const isBehind = (partition: string) =>
      (positions.get(partition) ?? position) < (lastPublished.get(partition) ?? startPosition);
    const wanted = [...new Set([...late, ...this.#catchingUp])].filter(
      (partition) => due.has(partition) && isBehind(partition),
    );
    if (late.length > 0) {
      this.#options.logger.warn(
        { projection: this.#options.projection.name, partitions: late },
        'published events were not delivered by Kafka in time; reading them from the log',
      );
    }
    if (wanted.length > 0) await this.#applier.readFromLog(wanted);
    this.#catchingUp = wanted.filter(isBehind);
  }
}

/** If Kafka delivers nothing at all for this long, published events are read from the log. */
const DELIVERY_TIMEOUT_MS = 5_000;
/** While other partitions receive messages, a backlog is being drained and a partition may wait longer. */
const BUSY_DELIVERY_TIMEOUT_MS = 60_000;

/** Partitions without recent messages. */
export interface IdlePartitions {
  /** Every event published to them is applied: they have caught up with the relay. */
  readonly upToDate: readonly string[];
  /** Events were published to them but have not been delivered in time. */
  readonly late: readonly string[];
}

export interface DeliveryTimeout {
  /** Records that a partition received messages. */
  recordActivity(partition: string): void;
  /** Compares the partitions' positions with the relay's checkpoint. */
  check(at: ReadonlyMap<string, bigint>, relayCheckpoint: RelayCheckpoint): IdlePartitions;
  reset(): void;
}

/** @param nowMs clock, milliseconds. */
export const createDeliveryTimeout = (nowMs: () => number = Date.now): DeliveryTimeout => {
  /** Position of each partition when it last advanced or received messages, and the time of that. */
  const since = new Map<string, { readonly position: bigint; readonly ms: number }>();
  let lastActivityMs = 0;
  return {
    recordActivity: (partition) => {
      lastActivityMs = nowMs();
      since.delete(partition);
    },
    check: (at, { position, lastPublished, startPosition }) => {
      const now = nowMs();
      const timeoutMs =
        now - lastActivityMs > DELIVERY_TIMEOUT_MS ? DELIVERY_TIMEOUT_MS : BUSY_DELIVERY_TIMEOUT_MS;
      const upToDate: string[] = [];
      const late: string[] = [];
      for (const [partition, reached] of at) {
        if (reached >= (lastPublished.get(partition) ?? startPosition)) {
          since.delete(partition);
          if (reached < position) upToDate.push(partition);
          continue;
        }
        const before = since.get(partition);
        if (before?.position !== reached) since.set(partition, { position: reached, ms: now });
        else if (now - before.ms > timeoutMs) late.push(partition);
      }
      return { upToDate, late };
    },
    reset: () => {
      since.clear();
      lastActivityMs = 0;
    },
  };
};
