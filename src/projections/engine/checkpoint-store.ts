import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { UNPARTITIONED } from './checkpoints.ts';

/** Last position up to which all is in a build's rows. */
export const checkpointOf = async (db: Queryable, schema: string): Promise<bigint> => {
  const { rows } = await db.query<{ position: string | null }>(
    'select min(position) as position from projections.checkpoints where schema_name = $1',
    [schema],
  );
  const position = rows[0]?.position ?? null;
  if (position === null) throw new CheckpointConflictError(schema);
  return BigInt(position);
};

/** The writer's partition was taken by another, or its build is gone: what it has in memory is worth nothing. */
export class CheckpointConflictError extends Error {
  override readonly name = 'CheckpointConflictError';
  constructor(schema: string) {
    super(`another writer moved the checkpoint of ${schema}, or the build is gone`);
  }
}

/** A partition's checkpoint, from where its writer thinks it is to where it then is. */
export interface Move {
  readonly partition: string;
  readonly from: bigint;
  readonly to: bigint;
  /** Where Kafka has what comes after; where it is not given the one before still leads there. */
  readonly offset?: bigint;
}

/**
 * Moves checkpoints in the transaction of the rows. Whoever comes second finds them moved and fails, so an event has
 * its effect once however many writers there are. The build's row is locked: while it is being replaced nobody moves on,
 * and once it was, its writer has lost its partition.
 * @throws {CheckpointConflictError}
 */
export const advanceCheckpoints = async (
  db: Queryable,
  schema: string,
  moves: readonly Move[],
): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'move_checkpoints',
    text: `with build as materialized (
             select schema_name from projections.builds where schema_name = $1 and status <> 'retired' for share
           )
           update projections.checkpoints c
           set position = m.after, kafka_offset = coalesce(m.kafka_offset, c.kafka_offset), updated_at = now()
           from build,
             unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as m(partition, before, after, kafka_offset)
           where c.schema_name = $1 and c.partition = m.partition and c.position = m.before`,
    values: [
      schema,
      moves.map(({ partition }) => partition),
      moves.map(({ from }) => String(from)),
      moves.map(({ to }) => String(to)),
      moves.map(({ offset }) => (offset === undefined ? null : String(offset))),
    ],
  });
  if (rowCount !== moves.length) throw new CheckpointConflictError(schema);
};

/**
 * Gives each partition of a build a checkpoint of its own, where the one for all stands; nothing where they have that.
 * @returns whether it was this call that did it.
 */
export const splitCheckpoint = async (
  db: Db,
  schema: string,
  partitions: readonly string[],
): Promise<boolean> =>
  inTransaction(db, async (client) => {
    const { rows } = await client.query<{ position: string }>(
      'delete from projections.checkpoints where schema_name = $1 and partition = $2 returning position',
      [schema, UNPARTITIONED],
    );
    if (rows[0] === undefined) return false;
    // Where an earlier build of the version had come to in Kafka is a good offset to resume at, unless it is beyond.
    await client.query(
      `insert into projections.checkpoints (schema_name, partition, position, kafka_offset)
       select $1, named.partition, $3, (select max(c.kafka_offset) from projections.checkpoints c
         join projections.builds b on b.schema_name = c.schema_name
         join projections.builds own on own.schema_name = $1
         where b.projection = own.projection and b.version = own.version and c.partition = named.partition
           and c.position <= $3)
       from unnest($2::text[]) as named (partition)`,
      [schema, partitions, rows[0].position],
    );
    return true;
  });

/**
 * Makes the checkpoints of a build's partitions one again, when all stand at the same position.
 * @throws {CheckpointConflictError} where they don't.
 */
export const mergeCheckpoints = async (
  db: Db,
  schema: string,
  partitions: number,
  position: bigint,
): Promise<void> =>
  inTransaction(db, async (client) => {
    const { rowCount } = await client.query(
      'delete from projections.checkpoints where schema_name = $1 and position = $2',
      [schema, String(position)],
    );
    if (rowCount !== partitions) throw new CheckpointConflictError(schema);
    await client.query(
      'insert into projections.checkpoints (schema_name, partition, position) values ($1, $2, $3)',
      [schema, UNPARTITIONED, String(position)],
    );
  });
