import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import { LogUnavailableError } from '../../write/log/port.ts';
import type { Projection } from '../projection.ts';
import { type ApplyEventError, skipCommand } from './apply-event-error.ts';
import { recordStall } from './stalls.ts';

/** Log level of a failure. An unavailable event log is logged once per process, so here only at debug. */
export const levelOf = <Level extends string>(error: unknown, level: Level): Level | 'debug' =>
  error instanceof LogUnavailableError ? 'debug' : level;

/**
 * Logs the event at which a projection or one of its partitions is stalled, with the command that skips it, and
 * records the stall.
 */
export const reportStall = async (
  projection: Projection,
  error: EventDeserializationError | ApplyEventError,
  delay: number,
  { db, logger }: { readonly db: Queryable; readonly logger: Logger },
  partition?: string,
): Promise<void> => {
  const { position, stream, type } = error.event;
  const what = partition === undefined ? 'projection stalled' : `partition ${partition} stalled`;
  logger.error(
    { err: error, projection: projection.name, position: String(position), stream, type, delay },
    `${what}: cannot apply the event at position ${position}; retrying in ${delay / 1_000} s. ` +
      `To skip it: ${skipCommand(projection.name, position)}`,
  );
  await recordStall(db, projection, error.event, error.message, partition).catch((failure: Error) =>
    logger.warn({ err: failure.message }, 'stall could not be recorded'),
  );
};
