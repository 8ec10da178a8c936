import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import type { EventName } from '../../write/log/port.ts';
import { type Projection, UNPARTITIONED } from '../projection.ts';

type ProjectionKey = Pick<Projection, 'name' | 'version'>;

/** A projection stalled at a poison event. */
export interface Stall {
  readonly projection: string;
  readonly version: number;
  readonly partition: string;
  readonly position: bigint;
  readonly reason: string;
  readonly stalledAt: string;
}

/** Records a stall. Further attempts at the same event do not change it. */
export const recordStall = async (
  db: Queryable,
  { name, version }: ProjectionKey,
  event: Omit<EventName, 'revision'>,
  reason: string,
  partition = UNPARTITIONED,
): Promise<void> => {
  await db.query(sql`
    insert into projections.stalls as s (projection, version, partition, position, event_id, stream, type, reason)
    values (${name}, ${version}, ${partition}, ${String(event.position)}, ${event.id}, ${event.stream},
      ${event.type}, ${reason})
    on conflict (projection, version, partition) do update set
      position = excluded.position, event_id = excluded.event_id, stream = excluded.stream, type = excluded.type,
      reason = excluded.reason,
      stalled_at = case when s.event_id = excluded.event_id then s.stalled_at else excluded.stalled_at end`);
};

/**
 * Clears all stalls up to a position, of the partitions and of the unpartitioned build alike: a build may have
 * changed between the two since.
 * @param endPosition every event up to here is applied, in all partitions.
 * @returns the partitions that resumed.
 */
export const clearStalls = async (
  db: Queryable,
  { name, version }: ProjectionKey,
  endPosition: bigint,
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ partition: string }>(sql`
    delete from projections.stalls where projection = ${name} and version = ${version}
      and position <= ${String(endPosition)} returning partition`);
  return rows.map(({ partition }) => partition);
};

/** Clears a partition's stall once it is past it. */
export const clearStall = async (
  db: Queryable,
  { name, version }: ProjectionKey,
  endPosition: bigint,
  partition: string,
): Promise<void> => {
  await db.query(sql`
    delete from projections.stalls where projection = ${name} and version = ${version} and partition = ${partition}
      and position <= ${String(endPosition)}`);
};

interface Row {
  readonly projection: string;
  readonly version: number;
  readonly partition: string;
  readonly position: string;
  readonly reason: string;
  readonly stalled_at: string;
}

const SELECT = 'select projection, version, partition, position, reason, stalled_at from projections.stalls';

const stallFrom = ({ partition, position, stalled_at, ...row }: Row): Stall => ({
  ...row,
  partition: partition,
  position: BigInt(position),
  stalledAt: stalled_at,
});

/** The stalled partitions of a projection. */
export const stalledPartitions = async (
  db: Queryable,
  { name, version }: ProjectionKey,
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ partition: string }>(
    sql`select partition from projections.stalls where projection = ${name} and version = ${version}`,
  );
  return rows.map(({ partition }) => partition);
};

export const listStalls = async (db: Queryable): Promise<readonly Stall[]> => {
  const { rows } = await db.query<Row>(sql`${raw(SELECT)} order by projection, version, position`);
  return rows.map(stallFrom);
};
