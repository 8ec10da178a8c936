import { murmur2 } from './murmur2.ts';

/**
 * The topics that the log is handed out to, by stream category. A partition count never changes: an account would
 * move to another partition, behind the back of whoever has read the old one. Holders are never sent.
 */
export interface Topic {
  /** Stands before the partition's number in checkpoints, as in `accounts/17`. */
  readonly name: string;
  /** Name on the brokers. */
  readonly topic: string;
  readonly partitions: number;
  readonly streamPrefixes: readonly string[];
}

const topic = (name: string, partitions: number, ...streamPrefixes: string[]): Topic => ({
  name,
  topic: `sightline.${name}`,
  partitions,
  streamPrefixes,
});

export const TOPICS: readonly Topic[] = [
  topic('accounts', 64, 'account-'),
  topic('pools', 8, 'pool-'),
  topic('engines', 8, 'engine-'),
  topic('research', 8, 'research-'),
  topic('marketplace', 16, 'listing-'),
  topic('leads', 16, 'company-', 'decisionmaker-'),
];

/** Where a stream's events stand: a topic, and one of its partitions. */
export interface TopicAssignment {
  readonly topic: Topic;
  readonly partition: number;
}

/** The partition of a stream; null where its events are not handed out. The partition is Kafka's own: murmur2 of the key. */
export const partitionFor = (stream: string): TopicAssignment | null => {
  for (const candidate of TOPICS) {
    if (candidate.streamPrefixes.some((prefix) => stream.startsWith(prefix))) {
      return { topic: candidate, partition: (murmur2(stream) & 0x7f_ff_ff_ff) % candidate.partitions };
    }
  }
  return null;
};

/** A partition's name in a checkpoint: `accounts/17`. */
export const partitionKey = (topicName: string, partition: number): string => `${topicName}/${partition}`;
