import type { Queryable } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import { type EventName, eventName, LogUnavailableError } from '../../write/log/port.ts';
import { CheckpointConflictError } from '../checkpoints/checkpoint-store.ts';

/** A poison event: its handler throws, or the resulting rows violate a constraint. */
export class ApplyEventError extends Error {
  override readonly name = 'ApplyEventError';
  readonly projection: string;
  readonly event: EventName;
  constructor(projection: string, event: EventName, cause: unknown) {
    super(
      `${projection} can't apply event ${event.type} at position ${event.position} (stream ${event.stream}): ` +
        (cause instanceof Error ? cause.message : String(cause)),
      { cause },
    );
    this.projection = projection;
    this.event = eventName(event);
  }
}

/** The command that makes a projection skip an event. */
export const skipCommand = (projection: string, position: bigint): string =>
  `sightline projections skip ${position} --projection ${projection} --reason "…"`;

/** SQLSTATE classes that are deterministic for the same rows: data, constraints, limits, raised errors. */
const OF_THE_DATA = /^(21|22|23|44|54|P0)/;
/** Checkpoint conflicts, events that are named already, and an unreadable log. */
const NOT_OF_THEM = [
  CheckpointConflictError,
  ApplyEventError,
  EventDeserializationError,
  LogUnavailableError,
] as const;
const SQL_STATE = /^[0-9A-Z]{5}$/;

/** Errors of connections, as opposed to errors that the server reported. */
const connectionErrors = new WeakSet<object>();

/** A connection that marks its own failures, to distinguish them from query errors. */
export const withConnectionErrors = (db: Queryable): Queryable => {
  const query = (...args: Parameters<Queryable['query']>) =>
    (db.query(...args) as unknown as Promise<unknown>).catch((error: { code?: unknown }) => {
      if (typeof error.code !== 'string' || !SQL_STATE.test(error.code)) connectionErrors.add(error);
      throw error;
    });
  return Object.create(db, { query: { value: query } }) as Queryable;
};

/**
 * Whether an event may have caused a failure. Server and connection failures never count: without an answer of the
 * server nothing is known about the events.
 */
export const isCausedByEvent = (error: unknown): boolean => {
  if (NOT_OF_THEM.some((kind) => error instanceof kind) || (error as Error).name === 'AbortError')
    return false;
  if (connectionErrors.has(error as object)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return true;
  return SQL_STATE.test(code) ? OF_THE_DATA.test(code) : code.startsWith('ERR_');
};
