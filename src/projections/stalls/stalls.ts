import type { Queryable } from '../../kernel/postgres/pool.ts';
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
  await db.query(
    `insert into projections.stalls as s (projection, version, partition, position, event_id, stream, type, reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (projection, version, partition) do update set
       position = excluded.position, event_id = excluded.event_id, stream = excluded.stream, type = excluded.type,
       reason = excluded.reason,
       stalled_at = case when s.event_id = excluded.event_id then s.stalled_at else excluded.stalled_at end`,
    [name, version, partition, String(event.position), event.id, event.stream, event.type, reason],
  );
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
  const { rows } = await db.query<{ partition: string }>(
    'delete from projections.stalls where projection = $1 and version = $2 and position <= $3 returning partition',
    [name, version, String(endPosition)],
  );
  return rows.map(({ partition }) => partition);
};

/** Clears a partition's stall once it is past it. */
export const clearStall = async (
  db: Queryable,
  { name, version }: ProjectionKey,
  endPosition: bigint,
  partition: string,
): Promise<void> => {
  await db.query(
    'delete from projections.stalls where projection = $1 and version = $2 and partition = $3 and position <= $4',
    [name, version, partition, String(endPosition)],
  );
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
    'select partition from projections.stalls where projection = $1 and version = $2',
    [name, version],
  );
  return rows.map(({ partition }) => partition);
};

export const listStalls = async (db: Queryable): Promise<readonly Stall[]> => {
  const { rows } = await db.query<Row>(`${SELECT} order by projection, version, position`);
  return rows.map(stallFrom);
};
