import type { Queryable } from '../kernel/postgres/pool.ts';
import type { EventName } from '../write/log/port.ts';
import { WHOLE } from './places.ts';
import type { Projection } from './projection.ts';

type Kept = Pick<Projection, 'name' | 'version'>;

/** A projection that stands before an event which it can't take in. */
export interface Stop {
  readonly projection: string;
  readonly version: number;
  readonly place: string;
  readonly position: bigint;
  readonly why: string;
  readonly stoppedAt: Date;
}

/** Records where a projection stands; how often it has tried since changes nothing. */
export const recordStop = async (
  db: Queryable,
  { name, version }: Kept,
  event: Omit<EventName, 'revision'>,
  why: string,
  place = WHOLE,
): Promise<void> => {
  await db.query(
    `insert into projections.stops as s (projection, version, partition, position, event_id, stream, type, why)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (projection, version, partition) do update set
       position = excluded.position, event_id = excluded.event_id, stream = excluded.stream, type = excluded.type,
       why = excluded.why,
       stopped_at = case when s.event_id = excluded.event_id then s.stopped_at else excluded.stopped_at end`,
    [name, version, place, String(event.position), event.id, event.stream, event.type, why],
  );
};

/**
 * Forgets all stops that a projection is past, whichever way it was followed when it stood there: places of Kafka's
 * are brought together, and one whole is shared out again.
 * @param through all up to here is in the rows, whatever the place.
 * @returns the places that stand no more.
 */
export const clearStops = async (
  db: Queryable,
  { name, version }: Kept,
  through: bigint,
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ partition: string }>(
    'delete from projections.stops where projection = $1 and version = $2 and position <= $3 returning partition',
    [name, version, String(through)],
  );
  return rows.map(({ partition }) => partition);
};

/** Forgets a stop that a place is past. */
export const clearStop = async (
  db: Queryable,
  { name, version }: Kept,
  through: bigint,
  place: string,
): Promise<void> => {
  await db.query(
    'delete from projections.stops where projection = $1 and version = $2 and partition = $3 and position <= $4',
    [name, version, place, String(through)],
  );
};

interface Row {
  readonly projection: string;
  readonly version: number;
  readonly partition: string;
  readonly position: string;
  readonly why: string;
  readonly stopped_at: Date;
}

const SELECT = 'select projection, version, partition, position, why, stopped_at from projections.stops';

const stopFrom = ({ partition, position, stopped_at, ...row }: Row): Stop => ({
  ...row,
  place: partition,
  position: BigInt(position),
  stoppedAt: stopped_at,
});

/** The places of a projection that stand. */
export const placesStopped = async (db: Queryable, { name, version }: Kept): Promise<readonly string[]> => {
  const { rows } = await db.query<{ partition: string }>(
    'select partition from projections.stops where projection = $1 and version = $2',
    [name, version],
  );
  return rows.map(({ partition }) => partition);
};

export const listStops = async (db: Queryable): Promise<readonly Stop[]> => {
  const { rows } = await db.query<Row>(`${SELECT} order by projection, version, position`);
  return rows.map(stopFrom);
};
