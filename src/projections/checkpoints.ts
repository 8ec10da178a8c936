/** Checkpoints of builds: positions, how builds are divided, and how they advance. */

import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import { type Db, inTransaction, type Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';
import { partitionFor, partitionKey, TOPICS, type Topic } from '../write/messaging/message.ts';
import { isOfPlatforms, platformOf } from '../write/stream-platform.ts';
import { type AppliedEvent, isOfTopic, type Projection, UNPARTITIONED } from './projection.ts';

/** Position of a build by partition: `all`, platforms such as `x`, or Kafka partitions such as `accounts/17`. */
export type Checkpoints = ReadonlyMap<string, bigint>;

export const checkpointsOf = async (db: Queryable, schema: string): Promise<Checkpoints> => {
  const { rows } = await db.query<{ partition: string; position: string }>(
    sql`select partition, position from projections.checkpoints where schema_name = ${schema}`,
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
};

type Located = Pick<AppliedEvent, 'stream' | 'position' | 'platform'>;

/** The position up to which the events of a stream are applied; -1 if its partition is not among these. */
const appliedUntil = (event: Omit<Located, 'position'>, checkpoints: Checkpoints): bigint => {
  const partition = partitionOf(event, checkpoints);
  if (partition !== null) return checkpoints.get(partition) ?? -1n;
  return isOfAllWriters(event.stream, checkpoints) ? minPosition(checkpoints) : -1n;
};

/** Whether an event is applied in a build with these checkpoints. */
export const isIn = (event: Located, checkpoints: Checkpoints): boolean =>
  event.position <= appliedUntil(event, checkpoints);

/** Every event up to this position is applied, in all partitions. */
export const minPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a < b ? a : b));

/** No event after this position is applied, in any partition. */
export const maxPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a > b ? a : b));

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

/** Names of partitions, with whatever is known of each. */
export type Partitions = ReadonlyMap<string, unknown>;

/** A build is divided in one way only, so any of its partitions tells which. */
const partitioningOf = (partitions: Partitions): Partitioning => {
  const [first] = partitions.keys();
  if (first === undefined || first === UNPARTITIONED) return WHOLE;
  return isOfTopic(first) ? BY_TOPIC : BY_PLATFORM;
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

/** The platforms among a writer's partitions if it has only some of them; null if it applies the events of all. */
export const platformsAmong = (partitions: readonly string[]): readonly Platform[] | null => {
  const platforms = PLATFORMS.filter((platform) => partitions.includes(platform));
  return platforms.length === 0 || platforms.length === PLATFORMS.length ? null : platforms;
};

type Delivery = Pick<AppliedEvent, 'stream' | 'platform'>;

/** The partition of a stream among these; null if another writer has it, or if the writers of all platforms apply its events. */
export const partitionIn = (stream: string, partitions: Partitions): string | null => {
  const own = partitioningOf(partitions).partitionOf(stream);
  return own !== null && partitions.has(own) ? own : null;
};

/** The position that a stream's partition has reached; null if the partition is not among these. */
export const positionIn = (stream: string, reached: ReadonlyMap<string, bigint>): bigint | null => {
  const partition = partitionIn(stream, reached);
  return partition === null ? null : (reached.get(partition) ?? null);
};

/** Whether the writers of all platforms apply a stream's events. */
const isOfAllWriters = (stream: string, partitions: Partitions): boolean =>
  partitioningOf(partitions).kind === 'platform' && platformOf(stream) === null;

/** An event as the writers of these partitions apply it. If it belongs to no platform, each of them does. */
export const deliveriesOf = (event: AppliedEvent, partitions: Partitions): readonly AppliedEvent[] =>
  isOfAllWriters(event.stream, partitions)
    ? [...partitions.keys()].map((platform) => ({ ...event, platform: platform as Platform }))
    : [event];

/** The partition that applies a delivery; null if it is not among these. */
export const partitionOf = ({ stream, platform }: Delivery, partitions: Partitions): string | null =>
  platform !== undefined && partitions.has(platform) ? platform : partitionIn(stream, partitions);

/** The last position up to which every event is applied. */
export const checkpointOf = async (db: Queryable, schema: string): Promise<bigint> => {
  const { rows } = await db.query<{ position: string | null }>(
    sql`select min(position) as position from projections.checkpoints where schema_name = ${schema}`,
  );
  const position = rows[0]?.position ?? null;
  if (position === null) throw new CheckpointConflictError(schema);
  return BigInt(position);
};

/** Another writer moved the checkpoint, or the build is gone. The in-memory state is stale. */
export class CheckpointConflictError extends Error {
  override readonly name = 'CheckpointConflictError';
  constructor(schema: string) {
    super(`another writer moved the checkpoint of ${schema}, or the build is gone`);
  }
}

/** A checkpoint's expected and new position. */
export interface Move {
  readonly partition: string;
  readonly from: bigint;
  readonly to: bigint;
  /** Kafka offset of the next message; if absent, the stored offset stays. */
  readonly offset?: bigint;
}

/**
 * Advances checkpoints by compare-and-set, in the transaction of the rows. A second writer fails, so each event takes effect once,
 * however many writers there are. The build's row is locked: nothing advances while a build is being replaced, and a writer of the
 * replaced build fails.
 * @throws {CheckpointConflictError}
 */
export const advanceCheckpoints = async (
  db: Queryable,
  schema: string,
  moves: readonly Move[],
): Promise<void> => {
  const { rowCount } = await db.query(sql.named('move_checkpoints')`
    with build as materialized (
      select schema_name from projections.builds where schema_name = ${schema} and status <> 'retired' for share
    )
    update projections.checkpoints c
    set position = m.after, kafka_offset = coalesce(m.kafka_offset, c.kafka_offset), updated_at = now()
    from build,
      unnest(${moves.map(({ partition }) => partition)}::text[], ${moves.map(({ from }) => String(from))}::bigint[],
        ${moves.map(({ to }) => String(to))}::bigint[],
        ${moves.map(({ offset }) => (offset === undefined ? null : String(offset)))}::bigint[]) as m(partition,
        before, after, kafka_offset)
    where c.schema_name = ${schema} and c.partition = m.partition and c.position = m.before`);
  if (rowCount !== moves.length) throw new CheckpointConflictError(schema);
};

/**
 * Divides a build into other partitions, all at the current position. Does nothing if it has them already, or if its current
 * partitions are at different positions.
 * @returns whether this call changed them.
 */
export const repartition = async (db: Db, schema: string, partitions: readonly string[]): Promise<boolean> =>
  inTransaction(db, async (client) => {
    // Waits for writes in progress; further ones fail, since their partitions are gone.
    await client.query(sql`select from projections.builds where schema_name = ${schema} for update`);
    const { rows } = await client.query<{ partition: string; position: string }>(
      sql`select partition, position from projections.checkpoints where schema_name = ${schema}`,
    );
    const present = new Set(rows.map(({ partition }) => partition));
    const [first] = rows;
    if (first === undefined || rows.some(({ position }) => position !== first.position)) return false;
    if (partitions.length === present.size && partitions.every((partition) => present.has(partition))) {
      return false;
    }
    await client.query(sql`delete from projections.checkpoints where schema_name = ${schema}`);
    // Kafka offsets of an earlier build of the version can be reused, unless they are ahead of this position.
    await client.query(sql`
      insert into projections.checkpoints (schema_name, partition, position, kafka_offset)
      select ${schema}, named.partition, ${first.position}, (select max(c.kafka_offset) from projections.checkpoints c
        join projections.builds b on b.schema_name = c.schema_name
        join projections.builds own on own.schema_name = ${schema}
        where b.projection = own.projection and b.version = own.version and c.partition = named.partition
          and c.position <= ${first.position})
      from unnest(${partitions}::text[]) as named (partition)`);
    return true;
  });
