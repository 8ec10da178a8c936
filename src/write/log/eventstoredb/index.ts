import { errorMessage } from '../../../kernel/errors/error-message.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { EventLog } from '../port.ts';
import { type AppendLimits, createAppender } from './append.ts';
import { connect } from './connection.ts';
import type { ConnectionString } from './connection-string.ts';
import { head, readPages, readStream } from './read.ts';
import { type OnFailure, subscribe } from './subscribe.ts';

/** Most events are small: half a kilobyte with overhead, two positions per byte. */
const POSITIONS_PER_EVENT = 1_000n;

/** The event log in EventStoreDB. Connects lazily. */
export const createEventStoreLog = (
  address: ConnectionString,
  logger: Logger,
  limits?: AppendLimits,
  onFailure: OnFailure = (error, about) =>
    logger.warn({ err: errorMessage(error), ...about }, 'reading the log failed'),
): EventLog => {
  const connection = connect(address, logger);
  const appender = createAppender(connection, limits);
  return {
    canSeekAnyPosition: false,
    indexesIds: false,
    positionsPerEvent: POSITIONS_PER_EVENT,
    append: (stream, events, expected) => appender.append({ stream, events, expected }),
    appendMany: (appends) => Promise.all(appends.map(appender.append)),
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
