import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { Logger } from '../../../kernel/logger.ts';
import type { Beginning, Consumption, IncomingMessage, Partition } from '../port.ts';

const SESSION_MS = 10_000;
const HEARTBEAT_MS = 500;
/** A member that neither fetched nor joined for so long is stuck, whatever its client thinks. */
const STUCK_MS = 30_000;
const BACKOFF_MS = [200, 500, 1_000, 2_000, 5_000] as const;

const incoming = (message: KafkaMessage): IncomingMessage => ({
  offset: BigInt(message.offset),
  key: message.key,
  value: message.value,
  headers: message.headers ?? {},
});

/** The life of one member: from its first join until it ends, breaks or gets stuck. */
const membership = async (kafka: Kafka, consumption: Consumption, logger: Logger): Promise<void> => {
  const consumer = kafka.consumer({
    groupId: consumption.group,
    sessionTimeout: SESSION_MS,
    rebalanceTimeout: SESSION_MS,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: 500,
    maxBytesPerPartition: 512 * 1024,
    metadataMaxAge: 30_000,
    // Where its own tries are used up it ends, and a new member takes its place: it is known not to come back.
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, restartOnFailure: async () => false },
  });
  const share = openShare(
    consumer,
    consumption,
    (topic, fromMs) => offsetsFrom(kafka, topic, fromMs),
    logger,
  );
  const ended = Promise.withResolvers<void>();
  // Where it fails before anybody waits for it, whoever does is told then.
  ended.promise.catch(() => undefined);
  let livelyAt = Date.now();
  const alive = () => {
    livelyAt = Date.now();
  };
  consumer.on('consumer.group_join', ({ payload }) => {
    alive();
    const partitions = Object.entries(payload.memberAssignment as Record<string, number[]>).flatMap(
      ([topic, list]) => list.map((partition) => ({ topic, partition })),
    );
    share.take(partitions);
  });
  consumer.on('consumer.fetch', alive);
  consumer.on('consumer.heartbeat', alive);
  consumer.on('consumer.crash', ({ payload }) => ended.reject(payload.error));
  const watch = setInterval(() => {
    if (Date.now() - livelyAt > STUCK_MS) ended.reject(new Error('the consumer is stuck'));
  }, HEARTBEAT_MS);
  const stop = () => ended.resolve();
  consumption.signal.addEventListener('abort', stop, { once: true });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...consumption.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1_000,
      eachBatch: (payload) => share.handle(payload),
    });
    if (consumption.signal.aborted) stop();
    await ended.promise;
  } finally {
    clearInterval(watch);
    consumption.signal.removeEventListener('abort', stop);
    share.end();
    // A member whose brokers are gone can't say goodbye; it is not waited for.
    const left = consumer.disconnect().catch((error: Error) => logger.debug({ err: error.message }, 'left'));
    await Promise.race([left, sleep(5_000, undefined, { ref: false })]);
  }
};

/** Offsets of the first messages from a time on, by partition; the end where there are none. */
const offsetsFrom = async (
  kafka: Kafka,
  topic: string,
  fromMs: number,
): Promise<ReadonlyMap<number, string>> => {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const found = await admin.fetchTopicOffsetsByTimestamp(topic, fromMs);
    return new Map(found.map(({ partition, offset }) => [partition, offset]));
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
};

/** The offset of each partition of a share; null begins at the oldest. */
const offsetsOf = async (
  share: readonly Partition[],
  beginnings: readonly (Beginning | null)[],
  from: (topic: string, fromMs: number) => Promise<ReadonlyMap<number, string>>,
): Promise<readonly (string | null)[]> => {
  const asked = new Map<string, Promise<ReadonlyMap<number, string>>>();
  return Promise.all(
    share.map(async ({ topic, partition }, i) => {
      const beginning = beginnings[i] ?? null;
      if (beginning === null) return null;
      if ('offset' in beginning) return String(beginning.offset);
      const { fromMs } = beginning;
      const name = `${topic} ${fromMs}`;
      const answer = asked.get(name) ?? from(topic, fromMs);
      asked.set(name, answer);
      return (await answer).get(partition) ?? null;
    }),
  );
};

/** The partitions that are this member's just now. */
const openShare = (
  consumer: Consumer,
  consumption: Consumption,
  from: (topic: string, fromMs: number) => Promise<ReadonlyMap<number, string>>,
  logger: Logger,
) => {
  let taken: Promise<void> = Promise.resolve();
  let generation = 0;
  let over = false;
  /** A client that is just giving up has no group; whoever takes its place begins without pauses. */
  const resume = (where: Parameters<Consumer['resume']>[0]) => {
    try {
      consumer.resume(where);
    } catch (error) {
      logger.debug({ err: (error as Error).message }, 'a partition could not be resumed');
    }
  };
  const timers = new Set<NodeJS.Timeout>();
  const clear = () => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };

  /** Asks where to begin; nothing is handed over before that is known. */
  const take = (share: readonly Partition[]): void => {
    if (over) return;
    const own = ++generation;
    clear();
    // What an earlier generation paused is fetched again.
    resume(share.map(({ topic, partition }) => ({ topic, partitions: [partition] })));
    const begin = async () => {
      const offsets = await offsetsOf(share, await consumption.assigned(share), from);
      if (own !== generation) return;
      share.forEach((place, i) => {
        const offset = offsets[i] ?? null;
        // Else it begins at the oldest: nothing is ever committed.
        if (offset !== null) consumer.seek({ ...place, offset });
      });
    };
    taken = begin();
    taken.catch(() => undefined);
  };

  const later = (place: Partition, offset: bigint, afterMs: number): void => {
    consumer.seek({ ...place, offset: String(offset) });
    const where = [{ topic: place.topic, partitions: [place.partition] }];
    consumer.pause(where);
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!over) resume(where);
    }, afterMs);
    timers.add(timer);
  };

  const handle = async ({ batch, heartbeat, resolveOffset, isRunning, isStale }: EachBatchPayload) => {
    const own = generation;
    await taken;
    // Messages that were fetched before the place to begin at was known.
    if (own !== generation || isStale() || !isRunning()) return;
    const place = { topic: batch.topic, partition: batch.partition };
    // Work that takes long must not look like a death; what a heartbeat says of the group, the next one says again.
    const beating = setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_MS);
    try {
      const rest = await consumption.handle(place, batch.messages.map(incoming));
      if (own !== generation) return;
      if (rest === null) resolveOffset(batch.lastOffset());
      else later(place, rest.againFrom, rest.afterMs);
    } finally {
      clearInterval(beating);
    }
    await heartbeat();
  };

  return {
    take,
    handle,
    end: () => {
      over = true;
      generation += 1;
      clear();
    },
  };
};

/** Is a member of the group until the signal fires: a new one whenever the last one broke. */
export const consume = async (kafka: Kafka, consumption: Consumption, logger: Logger): Promise<void> => {
  const { signal } = consumption;
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = Date.now();
    try {
      await membership(kafka, consumption, logger);
    } catch (error) {
      if (signal.aborted) return;
      failures = Date.now() - startedAt > STUCK_MS ? 0 : failures + 1;
      const delay = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 1_000;
      logger.warn(
        { err: (error as Error).message, group: consumption.group, delay },
        'a consumer joins anew',
      );
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
};
