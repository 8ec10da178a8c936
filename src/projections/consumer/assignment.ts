import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventLog } from '../../write/log/port.ts';
import { partitionKey, TOPICS, type Topic } from '../../write/messaging/topics.ts';
import type { Projection } from '../projection.ts';

/** The Kafka topics that hold a projection's streams. */
export const topicsOf = ({ name, streamPrefixes }: Projection): readonly Topic[] => {
  if (streamPrefixes === undefined) {
    throw new Error(`${name} declares no stream prefixes, so its topics are unknown`);
  }
  return TOPICS.filter((topic) => topic.streamPrefixes.some((prefix) => streamPrefixes.includes(prefix)));
};

/** All partitions of a projection: one checkpoint row each while Kafka consumers write to it. */
export const partitionsOf = (projection: Projection): readonly string[] =>
  topicsOf(projection).flatMap(({ name, partitions }) =>
    Array.from({ length: partitions }, (_, partition) => partitionKey(name, partition)),
  );

/** Bound on the clock skew between nodes. If it is exceeded, the gap is read from the log. */
const CLOCKS_MS = 60_000;

/** Where to start in a partition without a committed offset: shortly before the first event after a position. */
export const startAfter = async (log: EventLog, position: bigint): Promise<{ readonly fromMs: number }> => {
  for await (const { events } of log.readAll(position, { pageSize: 1, raw: true })) {
    const [event] = events;
    if (event !== undefined) return { fromMs: Date.parse(event.recorded_at) - CLOCKS_MS };
  }
  return { fromMs: Date.now() - CLOCKS_MS };
};

export interface ResumePosition {
  readonly position: bigint;
  /** Kafka offset of the next message; null if the partition was never consumed. */
  readonly offset: bigint | null;
}

/** Checkpoints of a build's partitions. Partitions without a row are absent. */
export const resumePositions = async (
  db: Queryable,
  schema: string,
  partitions: readonly string[],
): Promise<ReadonlyMap<string, ResumePosition>> => {
  const { rows } = await db.query<{ partition: string; position: string; kafka_offset: string | null }>(
    `select partition, position, kafka_offset from projections.checkpoints
     where schema_name = $1 and partition = any($2)`,
    [schema, partitions],
  );
  return new Map(
    rows.map((row) => [
      row.partition,
      {
        position: BigInt(row.position),
        offset: row.kafka_offset === null ? null : BigInt(row.kafka_offset),
      },
    ]),
  );
};
