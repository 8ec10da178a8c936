import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventLog } from '../../write/log/port.ts';
import { partitionKey, TOPICS, type Topic } from '../../write/messaging/topics.ts';
import type { Projection } from '../projection.ts';

/** The topics that a projection's streams are in. */
export const topicsOf = ({ name, streamPrefixes }: Projection): readonly Topic[] => {
  if (streamPrefixes === undefined) {
    throw new Error(`${name} says in no stream prefixes which topics it needs`);
  }
  return TOPICS.filter((topic) => topic.streamPrefixes.some((prefix) => streamPrefixes.includes(prefix)));
};

/** All partitions of a projection: the rows of its checkpoint while Kafka's workers write to it. */
export const partitionsOf = (projection: Projection): readonly string[] =>
  topicsOf(projection).flatMap(({ name, partitions }) =>
    Array.from({ length: partitions }, (_, partition) => partitionKey(name, partition)),
  );

/** Clocks of a cluster's nodes differ by less; where they don't, what is missing is read from the log. */
const CLOCKS_MS = 60_000;

/** From when on messages may be of use to a partition that was never read in Kafka, by where its rows stand. */
export const startAfter = async (log: EventLog, position: bigint): Promise<{ readonly fromMs: number }> => {
  for await (const { events } of log.readAll(position, { pageSize: 1, raw: true })) {
    const [event] = events;
    if (event !== undefined) return { fromMs: Date.parse(event.recorded_at) - CLOCKS_MS };
  }
  return { fromMs: Date.now() - CLOCKS_MS };
};

export interface ResumePosition {
  readonly position: bigint;
  /** Where Kafka has what comes after; null where nobody has read it there. */
  readonly offset: bigint | null;
}

/** Where the partitions of a build stand; those that have no row are not in it. */
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
