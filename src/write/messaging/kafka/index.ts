/** Messaging over Kafka: producers, consumers and their assignments, topics. */

import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, {
  type Admin,
  type Consumer,
  type EachBatchPayload,
  Kafka,
  type KafkaConfig,
  type KafkaMessage,
  logLevel,
  type Message,
} from 'kafkajs';
import { errorMessage } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { keepRunning, steadyMs } from '../../../kernel/retry.ts';
import {
  BrokerUnavailableError,
  type ConsumerOptions,
  type IncomingMessage,
  type Messaging,
  type OutgoingMessage,
  type Producer,
  type StartFrom,
  TopicMismatchError,
  type TopicPartition,
} from '../port.ts';
import { patchKafkajs } from './kafkajs-patch.ts';

const SESSION_MS = 10_000;
/** A consumer that has neither fetched nor joined for this long is stuck, whatever its client reports. */
const STUCK_MS = 30_000;

/** Runs one consumer from its first join until it ends, fails or gets stuck. */
const membership = async (
  kafka: Kafka,
  options: ConsumerOptions,
  logger: Logger,
  progressed: () => void,
): Promise<void> => {
  const consumer = kafka.consumer({
    groupId: options.group,
    sessionTimeout: SESSION_MS,
    rebalanceTimeout: SESSION_MS,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: 500,
    maxBytesPerPartition: 512 * 1024,
    // Decoded messages stay in memory until they are applied: larger fetches cost more garbage collection than they save.
    maxBytes: 4 * 1024 * 1024,
    metadataMaxAge: 30_000,
    // When its retries are exhausted, the consumer is replaced: kafkajs consumers are known not to recover.
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, restartOnFailure: async () => false },
  });
  const assignment = openAssignment(consumer, options, kafka, logger);
  const ended = Promise.withResolvers<void>();
  // A failure before the await is reported by the await.
  ended.promise.catch(() => undefined);
  let livelyAt = steadyMs();
  const alive = () => {
    livelyAt = steadyMs();
  };
  consumer.on('consumer.group_join', ({ payload }) => {
    alive();
    const partitions = Object.entries(payload.memberAssignment as Record<string, number[]>).flatMap(
      ([topic, list]) => list.map((partition) => ({ topic, partition })),
    );
    assignment.take(partitions);
  });
  consumer.on('consumer.fetch', () => {
    alive();
    progressed();
  });
  consumer.on('consumer.heartbeat', alive);
  consumer.on('consumer.crash', ({ payload }) => ended.reject(payload.error));
  const watch = setInterval(() => {
    if (steadyMs() - livelyAt > STUCK_MS) ended.reject(new Error('the consumer is stuck'));
  }, HEARTBEAT_MS);
  const stop = () => ended.resolve();
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...options.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1_000,
      eachBatch: (payload) => assignment.handle(payload),
    });
    if (options.signal.aborted) stop();
    await ended.promise;
  } finally {
    clearInterval(watch);
    options.signal.removeEventListener('abort', stop);
    assignment.end();
    // Without brokers a consumer can't leave its group, so its end is not awaited.
    const left = consumer
      .disconnect()
      .catch((error: Error) => logger.debug({ err: error.message }, 'consumer did not disconnect cleanly'));
    await Promise.race([left, sleep(5_000, undefined, { ref: false })]);
  }
};

/** Consumes until the signal fires, replacing the consumer whenever it fails. */
const consume = (kafka: Kafka, options: ConsumerOptions, logger: Logger): Promise<void> =>
  keepRunning(
    options.signal,
    (progressed) => membership(kafka, options, logger, progressed),
    (error, delay) => {
      options.onPartitionsLost?.();
      logger.warn(
        { err: errorMessage(error), group: options.group, delay },
        'consumer failed; rejoining its group',
      );
    },
  );

const toMessage = ({ key, value, headers, partition, timestampMs }: OutgoingMessage): Message => ({
  key,
  value,
  headers,
  partition,
  timestamp: String(timestampMs),
});

/** An idempotent producer: retries are stored once and stay in order. */
const openProducer = async (kafka: Kafka): Promise<Producer> => {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
  });
  try {
    await producer.connect();
  } catch (error) {
    throw new BrokerUnavailableError(`no broker available: ${(error as Error).message}`, { cause: error });
  }
  return {
    send: async (messages) => {
      const byTopic = new Map<string, Message[]>();
      for (const message of messages) {
        const list = byTopic.get(message.topic);
        if (list === undefined) byTopic.set(message.topic, [toMessage(message)]);
        else list.push(toMessage(message));
      }
      const topicMessages = [...byTopic].map(([topic, list]) => ({ topic, messages: list }));
      try {
        await producer.sendBatch({ acks: -1, topicMessages });
      } catch (error) {
        throw new BrokerUnavailableError(`publishing failed: ${(error as Error).message}`, {
          cause: error,
        });
      }
    },
    close: () => producer.disconnect(),
  };
};

export interface KafkaSettings extends TopicSettings {
  /** `host:port`, at least one. */
  readonly brokers: readonly string[];
  readonly tls: boolean;
  readonly sasl: KafkaConfig['sasl'];
}

const LEVELS = {
  [logLevel.NOTHING]: 'trace',
  [logLevel.ERROR]: 'warn',
  [logLevel.WARN]: 'debug',
  [logLevel.INFO]: 'debug',
  [logLevel.DEBUG]: 'trace',
} as const;

patchKafkajs();

/** Messaging over Kafka, through kafkajs. */
export const openKafka = (settings: KafkaSettings, logger: Logger): Messaging => {
  const kafka = new Kafka({
    clientId: 'sightline',
    brokers: [...settings.brokers],
    ssl: settings.tls,
    ...(settings.sasl === undefined ? {} : { sasl: settings.sasl }),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 },
    // Log lines of the client are demoted by one level: it logs rebalances as errors.
    logLevel: logLevel.INFO,
    logCreator:
      () =>
      ({ level, log: { message, error, groupId } }) =>
        logger[LEVELS[level]]({ kafka: error, group: groupId }, message),
  });

  const ensureTopics: Messaging['ensureTopics'] = (topics) => createMissingTopics(kafka, settings, topics);

  return {
    ensureTopics,
    openProducer: () => openProducer(kafka),
    consume: (options) => consume(kafka, options, logger),
    close: async () => undefined,
  };
};

/** Heartbeat interval. Heartbeats are also sent while handlers run. */
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
        // Otherwise it would start at the earliest offset, since offsets are never committed.
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
    // Heartbeats are sent while a handler runs. The next heartbeat makes up for a failed one.
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

export interface TopicSettings {
  /** Replication factor of created topics; all replicas but one must be in sync for a write. */
  readonly replication: number;
  readonly retentionMs: number;
}

type TopicSpecs = Parameters<Messaging['ensureTopics']>[0];

/** An event has at most 1 MiB in EventStoreDB. Headers come on top of that. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

const SEGMENT_MS = 86_400_000;

const createMissing = async (
  admin: Admin,
  { replication, retentionMs }: TopicSettings,
  topics: TopicSpecs,
) => {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return;
  await admin.createTopics({
    waitForLeaders: true,
    topics: missing.map(({ topic, partitions }) => ({
      topic,
      numPartitions: partitions,
      replicationFactor: replication,
      configEntries: [
        { name: 'retention.ms', value: String(retentionMs) },
        // Only closed segments are deleted: what was erased is gone a day after the retention at the latest.
        { name: 'segment.ms', value: String(SEGMENT_MS) },
        { name: 'min.insync.replicas', value: String(Math.max(1, replication - 1)) },
        { name: 'max.message.bytes', value: String(MAX_MESSAGE_BYTES) },
      ],
    })),
  });
};

/** In the protocol: settings that a topic has of its own. */
const OF_TOPIC = 1;
// Node finds no named export of it.
const OF_TOPICS = kafkajs.ConfigResourceTypes.TOPIC;

/**
 * Closes segments of topics that an older release made, or somebody else, as early as those of new ones. Their other settings stay:
 * kafkajs can only replace all that a topic has.
 */
const shortenSegments = async (admin: Admin, topics: TopicSpecs): Promise<void> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map(({ topic }) => ({ type: OF_TOPICS, name: topic })),
  });
  const long = resources.filter(({ configEntries }) =>
    configEntries.some(
      ({ configName, configValue }) => configName === 'segment.ms' && Number(configValue) > SEGMENT_MS,
    ),
  );
  if (long.length === 0) return;
  await admin.alterConfigs({
    validateOnly: false,
    resources: long.map(({ resourceName, configEntries }) => ({
      type: OF_TOPICS,
      name: resourceName,
      configEntries: [
        ...configEntries
          .filter(({ configName, configSource }) => configSource === OF_TOPIC && configName !== 'segment.ms')
          .map(({ configName, configValue }) => ({ name: configName, value: configValue })),
        { name: 'segment.ms', value: String(SEGMENT_MS) },
      ],
    })),
  });
};

const checkPartitions = async (admin: Admin, topics: TopicSpecs): Promise<void> => {
  const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) });
  for (const { topic, partitions } of topics) {
    const count = found.find(({ name }) => name === topic)?.partitions.length;
    if (count === partitions) continue;
    throw new TopicMismatchError(
      `topic ${topic} has ${count} partitions instead of ${partitions}: streams would change their partition. ` +
        'Delete the topic: it is recreated, and its events are read from the log.',
    );
  }
};

const TRIES = 10;
const AGAIN_MS = 300;

/** Creates missing topics and checks existing ones. A new topic takes a moment to be known to all brokers. */
export const createMissingTopics = async (
  kafka: Kafka,
  settings: TopicSettings,
  topics: TopicSpecs,
): Promise<void> => {
  const admin = kafka.admin({ retry: { retries: 2 } });
  try {
    await admin.connect();
    for (let tries = 1; ; tries++) {
      try {
        await createMissing(admin, settings, topics);
        await checkPartitions(admin, topics);
        return await shortenSegments(admin, topics);
      } catch (error) {
        const { type } = error as { type?: string };
        if (type !== 'UNKNOWN_TOPIC_OR_PARTITION' || tries === TRIES) throw error;
        await sleep(AGAIN_MS);
      }
    }
  } catch (error) {
    if (error instanceof TopicMismatchError) throw error;
    throw new BrokerUnavailableError(`topics could not be ensured: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
};
