import { errorMessage } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { EventLog } from '../port.ts';
import { type AppendLimits, createAppender, createOrderedAppender, type OrderedAppend } from './append.ts';
import { type ConnectionString, connect } from './connection.ts';
import { head, type OnFailure, readPages, readStream, subscribe } from './read.ts';
import { truncate } from './truncate.ts';

/** Most events are small: half a kilobyte with overhead, at two positions per byte. */
const POSITIONS_PER_EVENT = 1_000n;

/** The event log in EventStoreDB, with appends in a given order across streams. */
export interface EventStoreLog extends EventLog {
  /**
   * Appends in the given order across streams, with many in flight.
   * @throws {LogRequestRejectedError | LogUnavailableError} The first appends are then in the log, in their order. Some of the
   *   others may be.
   */
  appendInOrder(appends: readonly OrderedAppend[], options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Lets a stream begin at a revision: what is before it is read no more as part of the stream, and is in the log until a scavenge
   * removes it. Revisions go on. Repeating it has no effect.
   */
  truncate(stream: string, before: bigint): Promise<void>;
}

/** The event log in EventStoreDB. It connects lazily. */
export const createEventStoreLog = (
  address: ConnectionString,
  logger: Logger,
  {
    limits,
    onFailure = (error, about) =>
      logger.warn({ err: errorMessage(error), ...about }, 'reading the log failed'),
  }: { readonly limits?: AppendLimits; readonly onFailure?: OnFailure | undefined } = {},
): EventStoreLog => {
  const connection = connect(address, logger);
  const appender = createAppender(connection, limits);
  const ordered = createOrderedAppender(connection, limits);
  return {
    canSeekAnyPosition: false,
    indexesIds: false,
    positionsPerEvent: POSITIONS_PER_EVENT,
    append: (stream, events, expected) => appender.append({ stream, events, expected }),
    appendMany: (appends) => Promise.all(appends.map(appender.append)),
    appendInOrder: ordered.append,
    truncate: (stream, before) => truncate(connection, appender, stream, before),
    readStream: (stream, options = {}) => readStream(connection, stream, options),
    readAll: (after, options = {}) => readPages(connection, after, options),
    subscribe: (after, options) => subscribe(connection, after, options, onFailure),
    head: () => head(connection),
    close: async () => {
      appender.close();
      await connection.close();
    },
  };
};
