import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import type { Logger } from '../../../kernel/logger.ts';
import { type Fanout, FanoutMismatch, FanoutUnavailable } from '../port.ts';
import { consume } from './consumer.ts';
import { mendKafkajs } from './mend.ts';
import { openSender } from './sender.ts';

export interface KafkaSettings {
  /** `host:port`, at least one. */
  readonly brokers: readonly string[];
  readonly tls: boolean;
  readonly sasl: KafkaConfig['sasl'];
  /** Copies of each message; the topics that are made keep that many, and send only with all but one of them. */
  readonly replication: number;
  readonly retentionMs: number;
}

const LEVELS = {
  [logLevel.NOTHING]: 'trace',
  [logLevel.ERROR]: 'warn',
  [logLevel.WARN]: 'debug',
  [logLevel.INFO]: 'debug',
  [logLevel.DEBUG]: 'trace',
} as const;

mendKafkajs();

/** Kafka, through kafkajs. */
export const openKafka = (settings: KafkaSettings, logger: Logger): Fanout => {
  const kafka = new Kafka({
    clientId: 'sightline',
    brokers: [...settings.brokers],
    ssl: settings.tls,
    ...(settings.sasl === undefined ? {} : { sasl: settings.sasl }),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 },
    // What the client tells goes into our log, a step quieter: it calls a rebalance an error.
    logLevel: logLevel.INFO,
    logCreator:
      () =>
      ({ level, log: { message, error, groupId } }) =>
        logger[LEVELS[level]]({ kafka: error, group: groupId }, message),
  });

  const prepare: Fanout['prepare'] = async (topics) => {
    const admin = kafka.admin({ retry: { retries: 2 } });
    try {
      await admin.connect();
      const existing = new Set(await admin.listTopics());
      const missing = topics.filter(({ topic }) => !existing.has(topic));
      if (missing.length > 0) {
        await admin.createTopics({
          waitForLeaders: true,
          topics: missing.map(({ topic, partitions }) => ({
            topic,
            numPartitions: partitions,
            replicationFactor: settings.replication,
            configEntries: [
              { name: 'retention.ms', value: String(settings.retentionMs) },
              { name: 'min.insync.replicas', value: String(Math.max(1, settings.replication - 1)) },
              { name: 'compression.type', value: 'producer' },
            ],
          })),
        });
      }
      const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) });
      for (const { topic, partitions } of topics) {
        const count = found.find(({ name }) => name === topic)?.partitions.length;
        if (count !== partitions) {
          throw new FanoutMismatch(
            `topic ${topic} has ${count} partitions and not ${partitions}: streams would change their partition. ` +
              'Delete the topic: it is made anew, and what is missing is read from the log.',
          );
        }
      }
    } catch (error) {
      if (error instanceof FanoutMismatch) throw error;
      throw new FanoutUnavailable(`the topics can't be prepared: ${(error as Error).message}`, {
        cause: error,
      });
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  };

  return {
    prepare,
    openSender: () => openSender(kafka),
    consume: (consumption) => consume(kafka, consumption, logger),
    close: async () => undefined,
  };
};
