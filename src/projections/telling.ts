import type { Logger } from '../kernel/logger.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { LogUnavailable } from '../write/log/port.ts';
import type { UnreadableEvent } from '../write/log/read-door.ts';
import type { Projection } from './projection.ts';
import { recordStop } from './stops.ts';
import { skipCommand, type UnhandledEvent } from './unhandled.ts';

const BACKOFF_MS = [200, 500, 1_000, 2_000, 5_000] as const;

/** How long to wait after so many tries. */
export const backoffMs = (tries: number): number =>
  BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)] ?? 1_000;

/** How loudly a failure is logged: that the event log is away is said once for the whole process. */
export const levelOf = <Level extends string>(error: unknown, level: Level): Level | 'debug' =>
  error instanceof LogUnavailable ? 'debug' : level;

/** Says before which event a projection, or a place of it, stands and what there is to be done; and keeps that for whoever asks. */
export const tellStop = async (
  projection: Projection,
  error: UnreadableEvent | UnhandledEvent,
  delay: number,
  { db, logger }: { readonly db: Queryable; readonly logger: Logger },
  place?: string,
): Promise<void> => {
  const { position, stream, type } = error.event;
  const what = place === undefined ? 'the projection stands' : `its place ${place} stands`;
  logger.error(
    { err: error, projection: projection.name, position: String(position), stream, type, delay },
    `${what} before position ${position} until it can take in what is there, and tries again; ` +
      `to go on without: ${skipCommand(projection.name, position)}`,
  );
  await recordStop(db, projection, error.event, error.message, place).catch((failure: Error) =>
    logger.warn({ err: failure.message }, 'where the projection stands could not be kept'),
  );
};
