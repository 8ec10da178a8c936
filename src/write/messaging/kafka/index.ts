import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import type { Logger } from '../../../kernel/logger.ts';
import type { Messaging } from '../port.ts';
import { consume } from './consumer.ts';
import { patchKafkajs } from './kafkajs-patch.ts';
import { openProducer } from './producer.ts';
import { ensureTopics as ensure, type TopicSettings } from './topics.ts';

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
