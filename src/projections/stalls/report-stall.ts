import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import { LogUnavailableError } from '../../write/log/port.ts';
import type { Projection } from '../projection.ts';
import { type ApplyEventError, skipCommand } from './apply-event-error.ts';
import { recordStall } from './stalls.ts';

/** How loudly a failure is logged: that the event log is away is said once for the whole process. */
export const levelOf = <Level extends string>(error: unknown, level: Level): Level | 'debug' =>
  error instanceof LogUnavailableError ? 'debug' : level;

/** Says before which event a projection, or a partition of it, stands and what there is to be done; and keeps that for whoever asks. */
export const reportStall = async (
  projection: Projection,
  error: EventDeserializationError | ApplyEventError,
  delay: number,
  { db, logger }: { readonly db: Queryable; readonly logger: Logger },
  partition?: string,
): Promise<void> => {
  const { position, stream, type } = error.event;
  const what = partition === undefined ? 'the projection stands' : `its partition ${partition} stands`;
  logger.error(
    { err: error, projection: projection.name, position: String(position), stream, type, delay },
    `${what} before position ${position} until it can take in what is there, and tries again; ` +
      `to go on without: ${skipCommand(projection.name, position)}`,
  );
  await recordStall(db, projection, error.event, error.message, partition).catch((failure: Error) =>
    logger.warn({ err: failure.message }, 'where the projection stands could not be kept'),
  );
};
