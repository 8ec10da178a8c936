import { murmur2 } from './murmur2.ts';

/**
 * The topics, by stream category. A partition count never changes, since streams would move between partitions
 * unnoticed by consumers. Holders and ladders are never published.
 */
export interface Topic {
  /** Prefix of its partitions in checkpoints, as in `accounts/17`. */
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
  topic('accounts', 64, 'account-', 'follows-'),
  topic('pools', 8, 'pool-', 'members-'),
  topic('engines', 8, 'engine-'),
  topic('research', 8, 'research-'),
  topic('marketplace', 16, 'listing-'),
  topic('leads', 16, 'company-', 'decisionmaker-'),
];

/** Topic and partition of a stream. */
export interface TopicAssignment {
  readonly topic: Topic;
  readonly partition: number;
}

/** The partition of a stream; null if its category is not published. Computed as Kafka does: murmur2 of the key. */
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
