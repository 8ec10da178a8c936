import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { partitionFor, partitionKey } from '../../write/messaging/topics.ts';
import { isOfPlatforms, platformOf } from '../../write/stream-platform.ts';
import { type AppliedEvent, type Projection, UNPARTITIONED } from '../projection.ts';

/** Position of a build by partition: `all`, platforms such as `x`, or Kafka partitions such as `accounts/17`. */
export type Checkpoints = ReadonlyMap<string, bigint>;

/** Whether writers that read the log share a projection's platforms. */
export const isSharedByPlatform = ({ order, streamPrefixes }: Projection): boolean =>
  order === 'platform' || (order === 'stream' && streamPrefixes?.every(isOfPlatforms) === true);

/** The partitions in which writers that read the log maintain a projection. */
export const logPartitions = (projection: Projection): readonly string[] =>
  isSharedByPlatform(projection) ? PLATFORMS : [UNPARTITIONED];

/** The platforms among a writer's partitions, if they are a part of all; null if it applies the events of all. */
export const platformsAmong = (partitions: readonly string[]): readonly Platform[] | null => {
  const platforms = PLATFORMS.filter((platform) => partitions.includes(platform));
  return platforms.length === 0 || platforms.length === PLATFORMS.length ? null : platforms;
};

export const checkpointsOf = async (db: Queryable, schema: string): Promise<Checkpoints> => {
  const { rows } = await db.query<{ partition: string; position: string }>(
    'select partition, position from projections.checkpoints where schema_name = $1',
    [schema],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
};

type Located = Pick<AppliedEvent, 'stream' | 'position' | 'platform'>;

/** Whether partitions are those of Kafka topics. */
const areOfTopics = (partitions: Checkpoints): boolean => {
  const [first] = partitions.keys();
  return first?.includes('/') === true;
};

/**
 * The partition of a stream among these; `all` if it has none: its partition is another's, or the writers of all
 * platforms apply its events.
 */
export const partitionIn = (stream: string, partitions: Checkpoints): string => {
  if (partitions.has(UNPARTITIONED)) return UNPARTITIONED;
  if (!areOfTopics(partitions)) return platformOf(stream) ?? UNPARTITIONED;
  const assigned = partitionFor(stream);
  const name = assigned === null ? UNPARTITIONED : partitionKey(assigned.topic.name, assigned.partition);
  return partitions.has(name) ? name : UNPARTITIONED;
};

/** Whether the writers of all platforms apply a stream's events. */
const isOfAllWriters = (stream: string, partitions: Checkpoints): boolean =>
  !partitions.has(UNPARTITIONED) && !areOfTopics(partitions) && platformOf(stream) === null;

/** An event as the writers of these partitions apply it: each of them, if it belongs to no platform. */
export const deliveriesOf = (event: AppliedEvent, partitions: Checkpoints): readonly AppliedEvent[] =>
  isOfAllWriters(event.stream, partitions)
    ? [...partitions.keys()].map((platform) => ({ ...event, platform: platform as Platform }))
    : [event];

/** The partition that applies a delivery; `all` if it is none of these. */
export const partitionOf = ({ stream, platform }: Omit<Located, 'position'>, partitions: Checkpoints) =>
  platform !== undefined && partitions.has(platform) ? platform : partitionIn(stream, partitions);

/** The position up to which the events of a stream are applied; -1 if its partition is not among these. */
const appliedUntil = (event: Omit<Located, 'position'>, checkpoints: Checkpoints): bigint => {
  const position = checkpoints.get(partitionOf(event, checkpoints));
  if (position !== undefined) return position;
  return isOfAllWriters(event.stream, checkpoints) ? minPosition(checkpoints) : -1n;
};

/** Whether an event is applied in a build with these checkpoints. */
export const isIn = (event: Located, checkpoints: Checkpoints): boolean =>
  event.position <= appliedUntil(event, checkpoints);

/** Every event up to here is applied, in all partitions. */
export const minPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a < b ? a : b));

/** No event after this is applied, in any partition. */
export const maxPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a > b ? a : b));
