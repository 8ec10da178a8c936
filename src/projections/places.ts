import type { Queryable } from '../kernel/postgres/pool.ts';
import { placeName, placeOf } from '../write/fanout/topics.ts';
import type { RecordedEvent } from '../write/log/port.ts';

/** The one place of a build whose events come from the log itself. */
export const WHOLE = 'all';

/** How far a build has come, by place: `all`, or the parts of the log as Kafka hands them out, as `accounts/17`. */
export type Checkpoints = ReadonlyMap<string, bigint>;

export const checkpointsOf = async (db: Queryable, schema: string): Promise<Checkpoints> => {
  const { rows } = await db.query<{ partition: string; position: string }>(
    'select partition, position from projections.checkpoints where schema_name = $1',
    [schema],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
};

/** The place that a stream's events have among these. */
export const placeIn = (stream: string, checkpoints: Checkpoints): string => {
  if (checkpoints.size === 1 && checkpoints.has(WHOLE)) return WHOLE;
  const place = placeOf(stream);
  const name = place === null ? WHOLE : placeName(place.topic.name, place.partition);
  return checkpoints.has(name) ? name : WHOLE;
};

/** Whether an event's effect is in the rows of a build with these checkpoints. */
export const isIn = (
  { stream, position }: Pick<RecordedEvent, 'stream' | 'position'>,
  checkpoints: Checkpoints,
): boolean => position <= (checkpoints.get(placeIn(stream, checkpoints)) ?? -1n);

/** All up to here is in the rows, whatever the place. */
export const leastOf = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a < b ? a : b));

/** Nothing after it is in the rows. */
export const mostOf = (checkpoints: Checkpoints): bigint =>
  [...checkpoints.values()].reduce((a, b) => (a > b ? a : b));
