import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, type KafkaConfig, logLevel, type Message } from 'kafkajs';
import { errorMessage } from '../../../kernel/errors/error-message.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { keepRunning, steadyMs } from '../../../kernel/retry.ts';
import {
  BrokerUnavailableError,
  type ConsumerOptions,
  type Messaging,
  type OutgoingMessage,
  type Producer,
} from '../port.ts';
import { HEARTBEAT_MS, openAssignment } from './assignment.ts';
import { patchKafkajs } from './kafkajs-patch.ts';
import { ensureTopics as ensure, type TopicSettings } from './topics.ts';

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
    // Decoded messages live until they are applied: larger fetches cost more in garbage collection than they save.
    maxBytes: 4 * 1024 * 1024,
    metadataMaxAge: 30_000,
    // When its retries are exhausted it is replaced: kafkajs consumers are known not to recover then.
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
    // Without brokers a consumer can't leave its group; don't wait for it.
    const left = consumer.disconnect().catch((error: Error) => logger.debug({ err: error.message }, 'left'));
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
    // The client's log lines are demoted by one level: it logs rebalances as errors.
    logLevel: logLevel.INFO,
    logCreator:
      () =>
      ({ level, log: { message, error, groupId } }) =>
        logger[LEVELS[level]]({ kafka: error, group: groupId }, message),
  });

  const ensureTopics: Messaging['ensureTopics'] = (topics) => ensure(kafka, settings, topics);

  return {
    ensureTopics,
    openProducer: () => openProducer(kafka),
    consume: (options) => consume(kafka, options, logger),
    close: async () => undefined,
  };
};
