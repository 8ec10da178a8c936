import type { Db } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { Parking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { ApplyEventError, isCausedByEvent } from '../stalls/apply-event-error.ts';
import { openBuilder } from './bulk-builder.ts';
import { type EachPageOptions, eachPage, type Stretch } from './each-page.ts';

/** Whether an event may have caused a build to fail. */
export const isOfAnEvent = (error: unknown): boolean =>
  isCausedByEvent(error) || error instanceof ApplyEventError || error instanceof EventDeserializationError;

/**
 * Folds the log into a new build, or the streams of some platforms into the partitions of these. When it returns or
 * throws, no write is in flight.
 */
export const foldInBulk = async (
  projection: Projection,
  schema: string,
  parking: Parking,
  stretch: Omit<Stretch, 'after'>,
  options: EachPageOptions & { readonly db: Db },
): Promise<void> => {
  const { db, log } = options;
  const builder = await openBuilder(db, projection, schema, { log, parking }, stretch.platforms);
  try {
    await eachPage(projection, parking, { after: 0n, ...stretch }, options, builder.write, builder.isParked);
    await builder.finish();
  } finally {
    await builder.idle();
  }
};
