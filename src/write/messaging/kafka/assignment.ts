import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { Logger } from '../../../kernel/logger.ts';
import type { ConsumerOptions, IncomingMessage, StartFrom, TopicPartition } from '../port.ts';

/** Heartbeat interval, also during long-running handlers. */
export const HEARTBEAT_MS = 500;

const incoming = (message: KafkaMessage): IncomingMessage => ({
  offset: BigInt(message.offset),
  key: message.key,
  value: message.value,
  headers: message.headers ?? {},
});

/** Offsets of the first messages from a time on, by partition; the end offset if there are none. */
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

/** The start offset of each assigned partition; null starts at the earliest. */
const offsetsOf = async (
  assignment: readonly TopicPartition[],
  starts: readonly (StartFrom | null)[],
  from: (topic: string, fromMs: number) => Promise<ReadonlyMap<number, string>>,
): Promise<readonly (string | null)[]> => {
  const asked = new Map<string, Promise<ReadonlyMap<number, string>>>();
  return Promise.all(
    assignment.map(async ({ topic, partition }, i) => {
      const start = starts[i] ?? null;
      if (start === null) return null;
      if ('offset' in start) return String(start.offset);
      const { fromMs } = start;
      const name = `${topic} ${fromMs}`;
      const answer = asked.get(name) ?? from(topic, fromMs);
      asked.set(name, answer);
      return (await answer).get(partition) ?? null;
    }),
  );
};

/** The partitions currently assigned to one consumer. */
export const openAssignment = (
  consumer: Consumer,
  options: ConsumerOptions,
  kafka: Kafka,
  logger: Logger,
) => {
  const from = (topic: string, fromMs: number) => offsetsFrom(kafka, topic, fromMs);
  let taken: Promise<void> = Promise.resolve();
  let generation = 0;
  let over = false;
  /** A consumer that is shutting down has no group; the next owner of the partition starts without pauses. */
  const resume = (where: Parameters<Consumer['resume']>[0]) => {
    try {
      consumer.resume(where);
    } catch (error) {
      logger.debug({ err: (error as Error).message }, 'partition could not be resumed');
    }
  };
  const timers = new Set<NodeJS.Timeout>();
  const clear = () => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };

  /** Determines start offsets; no message is handled before they are known. */
  const take = (assignment: readonly TopicPartition[]): void => {
    if (over) return;
    const own = ++generation;
    clear();
    // Partitions paused in an earlier generation.
    resume(assignment.map(({ topic, partition }) => ({ topic, partitions: [partition] })));
    const begin = async () => {
      const offsets = await offsetsOf(assignment, await options.onPartitionsAssigned(assignment), from);
      if (own !== generation) return;
      assignment.forEach((partition, i) => {
        const offset = offsets[i] ?? null;
        // Otherwise it would start at the earliest offset: offsets are never committed.
        if (offset !== null) consumer.seek({ ...partition, offset });
      });
    };
    taken = begin();
    taken.catch(() => undefined);
  };

  const later = (partition: TopicPartition, offset: bigint, delayMs: number): void => {
    consumer.seek({ ...partition, offset: String(offset) });
    const where = [{ topic: partition.topic, partitions: [partition.partition] }];
    consumer.pause(where);
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!over) resume(where);
    }, delayMs);
    timers.add(timer);
  };

  const handle = async ({ batch, heartbeat, resolveOffset, isRunning, isStale }: EachBatchPayload) => {
    const own = generation;
    await taken;
    // Messages fetched before the start offset was known.
    if (own !== generation || isStale() || !isRunning()) return;
    const partition = { topic: batch.topic, partition: batch.partition };
    // Long-running handlers keep sending heartbeats; a failed one is repeated by the next.
    const beating = setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_MS);
    try {
      const rest = await options.handle(partition, batch.messages.map(incoming));
      if (own !== generation) return;
      if (rest === null) resolveOffset(batch.lastOffset());
      else later(partition, rest.offset, rest.delayMs);
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
