import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { partitionFor, partitionKey } from '../../write/messaging/topics.ts';

/** The one partition of a build whose events come from the log itself. */
export const UNPARTITIONED = 'all';

/** How far a build has come, by partition: `all`, or the parts of the log as Kafka hands them out, as `accounts/17`. */
export type Checkpoints = ReadonlyMap<string, bigint>;

export const checkpointsOf = async (db: Queryable, schema: string): Promise<Checkpoints> => {
  const { rows } = await db.query<{ partition: string; position: string }>(
    'select partition, position from projections.checkpoints where schema_name = $1',
    [schema],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
};

/** The partition that a stream's events have among these. */
export const partitionIn = (stream: string, checkpoints: Checkpoints): string => {
  if (checkpoints.size === 1 && checkpoints.has(UNPARTITIONED)) return UNPARTITIONED;
  const partition = partitionFor(stream);
  const name = partition === null ? UNPARTITIONED : partitionKey(partition.topic.name, partition.partition);
  return checkpoints.has(name) ? name : UNPARTITIONED;
};

/** Whether an event's effect is in the rows of a build with these checkpoints. */
export const isIn = (
  { stream, position }: Pick<RecordedEvent, 'stream' | 'position'>,
  checkpoints: Checkpoints,
): boolean => position <= (checkpoints.get(partitionIn(stream, checkpoints)) ?? -1n);

/** All up to here is in the rows, whatever the partition. */
export const minPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a < b ? a : b));

/** Nothing after it is in the rows. */
export const maxPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a > b ? a : b));
