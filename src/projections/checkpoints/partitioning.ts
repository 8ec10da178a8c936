import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { partitionFor, partitionKey, TOPICS, type Topic } from '../../write/messaging/topics.ts';
import { isOfPlatforms, platformOf } from '../../write/stream-platform.ts';
import { type AppliedEvent, type Projection, UNPARTITIONED } from '../projection.ts';

/** How a build is divided among writers. */
interface Partitioning {
  readonly kind: 'whole' | 'platform' | 'topic';
  /** The name of a stream's partition; null if it has none of its own. */
  readonly partitionOf: (stream: string) => string | null;
}

const WHOLE: Partitioning = { kind: 'whole', partitionOf: () => UNPARTITIONED };

const BY_PLATFORM: Partitioning = { kind: 'platform', partitionOf: (stream) => platformOf(stream) ?? null };

const BY_TOPIC: Partitioning = {
  kind: 'topic',
  partitionOf: (stream) => {
    const assigned = partitionFor(stream);
    return assigned === null ? null : partitionKey(assigned.topic.name, assigned.partition);
  },
};

const OF_PLATFORMS: ReadonlySet<string> = new Set(PLATFORMS);

/** Names of partitions, with whatever is known of each. */
export type Partitions = ReadonlyMap<string, unknown>;

/** A build is divided in one way only, so one of its partitions shows which. */
const partitioningOf = (partitions: Partitions): Partitioning => {
  const [first] = partitions.keys();
  if (first === undefined || first === UNPARTITIONED) return WHOLE;
  return OF_PLATFORMS.has(first) ? BY_PLATFORM : BY_TOPIC;
};

/** Whether writers that read the log share a projection's platforms. */
export const isSharedByPlatform = ({ order, streamPrefixes }: Projection): boolean =>
  order === 'platform' || (order === 'stream' && streamPrefixes?.every(isOfPlatforms) === true);

/** The partitions in which writers that read the log maintain a projection. */
export const logPartitions = (projection: Projection): readonly string[] =>
  isSharedByPlatform(projection) ? PLATFORMS : [UNPARTITIONED];

/** The Kafka topics that hold a projection's streams. */
export const topicsOf = ({ name, streamPrefixes }: Projection): readonly Topic[] => {
  if (streamPrefixes === undefined) {
    throw new Error(`${name} declares no stream prefixes, so its topics are unknown`);
  }
  return TOPICS.filter((topic) => topic.streamPrefixes.some((prefix) => streamPrefixes.includes(prefix)));
};

/** The partitions in which Kafka consumers maintain a projection. */
export const topicPartitions = (projection: Projection): readonly string[] =>
  topicsOf(projection).flatMap(({ name, partitions }) =>
    Array.from({ length: partitions }, (_, partition) => partitionKey(name, partition)),
  );

/** The platforms among a writer's partitions, if they are a part of all; null if it applies the events of all. */
export const platformsAmong = (partitions: readonly string[]): readonly Platform[] | null => {
  const platforms = PLATFORMS.filter((platform) => partitions.includes(platform));
  return platforms.length === 0 || platforms.length === PLATFORMS.length ? null : platforms;
};

type Delivery = Pick<AppliedEvent, 'stream' | 'platform'>;

/** The partition of a stream among these; null if it is another's, or the writers of all platforms apply its events. */
export const partitionIn = (stream: string, partitions: Partitions): string | null => {
  const own = partitioningOf(partitions).partitionOf(stream);
  return own !== null && partitions.has(own) ? own : null;
};

/** Whether the writers of all platforms apply a stream's events. */
export const isOfAllWriters = (stream: string, partitions: Partitions): boolean =>
  partitioningOf(partitions).kind === 'platform' && platformOf(stream) === null;

/** An event as the writers of these partitions apply it: each of them, if it belongs to no platform. */
export const deliveriesOf = (event: AppliedEvent, partitions: Partitions): readonly AppliedEvent[] =>
  isOfAllWriters(event.stream, partitions)
    ? [...partitions.keys()].map((platform) => ({ ...event, platform: platform as Platform }))
    : [event];

/** The partition that applies a delivery; null if it is none of these. */
export const partitionOf = ({ stream, platform }: Delivery, partitions: Partitions): string | null =>
  platform !== undefined && partitions.has(platform) ? platform : partitionIn(stream, partitions);
