import type { Queryable } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import { type EventName, eventName, LogUnavailableError } from '../../write/log/port.ts';
import { CheckpointConflictError } from '../engine/checkpoint-store.ts';

/** A projection can't take in an event: its handler throws, or the rows that come of it break a rule of the tables. */
export class ApplyEventError extends Error {
  override readonly name = 'ApplyEventError';
  readonly projection: string;
  readonly event: EventName;
  constructor(projection: string, event: EventName, cause: unknown) {
    super(
      `${projection} can't take in event ${event.type} at position ${event.position} (stream ${event.stream}): ` +
        (cause instanceof Error ? cause.message : String(cause)),
      { cause },
    );
    this.projection = projection;
    this.event = eventName(event);
  }
}

/** What an operator types to have a projection do without an event. */
export const skipCommand = (projection: string, position: bigint): string =>
  `sightline projections skip ${position} --projection ${projection} --reason "…"`;

/** Data that does not fit, a rule that is broken, a limit, an error that was raised: the same again at every try. */
const OF_THE_DATA = /^(21|22|23|44|54|P0)/;
/** A partition that was lost; events that are named already; a log that can't be read. */
const NOT_OF_THEM = [
  CheckpointConflictError,
  ApplyEventError,
  EventDeserializationError,
  LogUnavailableError,
] as const;
const SQL_STATE = /^[0-9A-Z]{5}$/;

/** Errors that a connection ended with, without a word of the server. */
const connectionErrors = new WeakSet<object>();

/** A connection whose own failures are told from those of what is asked of it. */
export const withConnectionErrors = (db: Queryable): Queryable => {
  const query = (...args: Parameters<Queryable['query']>) =>
    (db.query(...args) as unknown as Promise<unknown>).catch((error: { code?: unknown }) => {
      if (typeof error.code !== 'string' || !SQL_STATE.test(error.code)) connectionErrors.add(error);
      throw error;
    });
  return Object.create(db, { query: { value: query } }) as Queryable;
};

/**
 * Whether a failure to fold may come from the events. Not from them is a server or a connection that
 * fails: what the server did not say is no answer to the events.
 */
export const isCausedByEvent = (error: unknown): boolean => {
  if (NOT_OF_THEM.some((kind) => error instanceof kind) || (error as Error).name === 'AbortError')
    return false;
  if (connectionErrors.has(error as object)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return true;
  return SQL_STATE.test(code) ? OF_THE_DATA.test(code) : code.startsWith('ERR_');
};
