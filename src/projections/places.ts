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

/** How far a build has come with the events of a stream: as its own place says, or else as the whole does. */
const reached = (stream: string, checkpoints: Checkpoints): bigint => {
  const place = placeOf(stream);
  const own = place === null ? undefined : checkpoints.get(placeName(place.topic.name, place.partition));
  return own ?? checkpoints.get(WHOLE) ?? -1n;
};

/** Whether an event's effect is in the rows of a build with these checkpoints. */
export const isIn = (
  { stream, position }: Pick<RecordedEvent, 'stream' | 'position'>,
  checkpoints: Checkpoints,
): boolean => position <= reached(stream, checkpoints);
