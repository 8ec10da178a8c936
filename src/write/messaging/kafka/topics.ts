import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { BrokerUnavailableError, type Messaging, TopicMismatchError } from '../port.ts';

export interface TopicSettings {
  /** Replication factor of created topics; all replicas but one must be in sync for a write. */
  readonly replication: number;
  readonly retentionMs: number;
}

type TopicSpecs = Parameters<Messaging['ensureTopics']>[0];

/** An event has at most 1 MiB in EventStoreDB; headers are added to that. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

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
        { name: 'min.insync.replicas', value: String(Math.max(1, replication - 1)) },
        { name: 'max.message.bytes', value: String(MAX_MESSAGE_BYTES) },
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
export const ensureTopics = async (
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
        return await checkPartitions(admin, topics);
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
