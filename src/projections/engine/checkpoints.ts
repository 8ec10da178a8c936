import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { partitionFor, partitionKey } from '../../write/messaging/topics.ts';

/** The only partition of a build that follows the log directly. */
export const UNPARTITIONED = 'all';

/** Position of a build by partition: `all`, or Kafka partitions such as `accounts/17`. */
export type Checkpoints = ReadonlyMap<string, bigint>;

export const checkpointsOf = async (db: Queryable, schema: string): Promise<Checkpoints> => {
  const { rows } = await db.query<{ partition: string; position: string }>(
    'select partition, position from projections.checkpoints where schema_name = $1',
    [schema],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
};

/** The partition of a stream among these. */
export const partitionIn = (stream: string, checkpoints: Checkpoints): string => {
  if (checkpoints.size === 1 && checkpoints.has(UNPARTITIONED)) return UNPARTITIONED;
  const partition = partitionFor(stream);
  const name = partition === null ? UNPARTITIONED : partitionKey(partition.topic.name, partition.partition);
  return checkpoints.has(name) ? name : UNPARTITIONED;
};

/** Whether an event is applied in a build with these checkpoints. */
export const isIn = (
  { stream, position }: Pick<RecordedEvent, 'stream' | 'position'>,
  checkpoints: Checkpoints,
): boolean => position <= (checkpoints.get(partitionIn(stream, checkpoints)) ?? -1n);

/** Every event up to here is applied, in all partitions. */
export const minPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a < b ? a : b));

/** No event after this is applied, in any partition. */
export const maxPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a > b ? a : b));
