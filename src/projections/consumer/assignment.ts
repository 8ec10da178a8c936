import { systemClock } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventLog } from '../../write/log/port.ts';

/** Bound on the clock skew between nodes. If it is exceeded, the gap is read from the log. */
const CLOCKS_MS = 60_000;

/** Where to start in a partition without a committed offset: shortly before the first event after a position. */
export const startAfter = async (log: EventLog, position: bigint): Promise<{ readonly fromMs: number }> => {
  for await (const { events } of log.readAll(position, { pageSize: 1, raw: true })) {
    const [event] = events;
    if (event !== undefined) return { fromMs: Date.parse(event.recorded_at) - CLOCKS_MS };
  }
  return { fromMs: systemClock.now() - CLOCKS_MS };
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
