import type { Config } from '../../kernel/config.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { listArchives, withArchive } from './archive.ts';
import { UnknownAuthorityError } from './eventstoredb/connection.ts';
import type { EventStoreLog } from './eventstoredb/index.ts';
import type { OnFailure } from './eventstoredb/read.ts';
import { type EventLog, LogUnavailableError } from './port.ts';
import { createPostgresLog } from './postgres.ts';

export interface OpenOptions {
  /** Whether to open the log although it is currently unavailable; false by default. */
  readonly mayBeUnavailable?: boolean;
  /** Called for each failed read that is retried; by default it is logged. */
  readonly onFailure?: OnFailure | undefined;
}

/**
 * The event log in EventStoreDB.
 * @throws {OperatorError} if the connection string can't be used, with the remedy.
 */
export const openEventStoreLog = async (
  url: string,
  logger: Logger,
  { mayBeUnavailable = false, onFailure }: OpenOptions = {},
): Promise<EventStoreLog> => {
  // Loaded lazily: the client takes longer to load than the rest of a command.
  const [{ parseConnectionString }, { createEventStoreLog }] = await Promise.all([
    import('./eventstoredb/connection.ts'),
    import('./eventstoredb/index.ts'),
  ]);
  const log = createEventStoreLog(parseConnectionString(url), logger, { onFailure });
  try {
    // Connections are lazy, so this request makes the first one.
    await log.head();
  } catch (error) {
    if (mayBeUnavailable && error instanceof LogUnavailableError) return log;
    await log.close();
    const remedy =
      error instanceof UnknownAuthorityError
        ? ''
        : ' Check that a node listens there, and that ?tls=false is in the URL if it has no TLS; unset EVENT_LOG_URL to ' +
          'keep the log in Postgres.';
    throw new OperatorError(
      'event_log_unusable',
      `EVENT_LOG_URL can't be used: ${errorMessage(error)}.${remedy}`,
      { cause: error },
    );
  }
  return log;
};

/** The settings of the event log. */
export type LogSettings = Pick<
  Config,
  'EVENT_LOG_URL' | 'LOG_ARCHIVE' | 'LOG_ARCHIVE_ENDPOINT' | 'ERASURE_KEY'
>;

/** Those settings alone, for another thread. */
export const logSettingsOf = ({
  EVENT_LOG_URL,
  LOG_ARCHIVE,
  LOG_ARCHIVE_ENDPOINT,
  ERASURE_KEY,
}: LogSettings): LogSettings => ({
  EVENT_LOG_URL,
  LOG_ARCHIVE,
  LOG_ARCHIVE_ENDPOINT,
  ERASURE_KEY,
});

/** The log in Postgres, whole with what is archived. @throws {OperatorError} `setting_invalid` if nobody said where that is. */
const openPostgresLog = async (
  settings: LogSettings,
  { db, url }: { readonly db: Db; readonly url: string },
  logger: Logger,
): Promise<EventLog> => {
  const log = createPostgresLog(db, url, logger);
  if (settings.LOG_ARCHIVE !== undefined) {
    const { openArchiveStore } = await import('./archive-store.ts');
    return withArchive(log, db, await openArchiveStore(settings));
  }
  const files = (await listArchives(db)).length;
  // Another process may archive events while this one runs.
  if (files === 0) return withArchive(log, db, null);
  await log.close();
  throw new OperatorError(
    'setting_invalid',
    `The log has ${files} archive files: set LOG_ARCHIVE to the folder or the bucket that they are in.`,
  );
};

/**
 * The configured event log: EventStoreDB if EVENT_LOG_URL is set, otherwise the database.
 * @throws {OperatorError} if EVENT_LOG_URL can't be used, with the remedy.
 */
export const openEventLog = async (
  settings: LogSettings,
  database: { readonly db: Db; readonly url: string },
  logger: Logger,
  options: OpenOptions = {},
): Promise<EventLog> =>
  settings.EVENT_LOG_URL === undefined
    ? openPostgresLog(settings, database, logger)
    : openEventStoreLog(settings.EVENT_LOG_URL, logger, options);
