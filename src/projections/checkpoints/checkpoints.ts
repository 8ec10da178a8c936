import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { AppliedEvent } from '../projection.ts';
import { isOfAllWriters, partitionOf } from './partitioning.ts';

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

/** Every event up to here is applied, in all partitions. */
export const minPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a < b ? a : b));

/** No event after this is applied, in any partition. */
export const maxPosition = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a > b ? a : b));
