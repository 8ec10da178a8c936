import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** The last position up to which every event is applied. */
export const checkpointOf = async (db: Queryable, schema: string): Promise<bigint> => {
  const { rows } = await db.query<{ position: string | null }>(
    sql`select min(position) as position from projections.checkpoints where schema_name = ${schema}`,
  );
  const position = rows[0]?.position ?? null;
  if (position === null) throw new CheckpointConflictError(schema);
  return BigInt(position);
};

/** Another writer moved the checkpoint, or the build is gone: the in-memory state is stale. */
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
 * Advances checkpoints by compare-and-set, in the transaction of the rows: a second writer fails, so each event
 * takes effect once however many writers there are. The build's row is locked: nothing advances while a build is
 * being replaced, and a writer of the replaced build fails.
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
 * Divides a build into other partitions, all at the position of the present ones. Does nothing if it has them already,
 * or if its present ones are at different positions.
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
