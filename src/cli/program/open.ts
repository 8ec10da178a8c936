import type { Config } from '../../kernel/config.ts';
import { messageOf, UsageError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createProcessMetrics, type Metrics } from '../../kernel/metrics.ts';
import { migrate } from '../../kernel/postgres/migrate.ts';
import { openDatabase } from '../../kernel/postgres/open.ts';
import { createPool, type Db } from '../../kernel/postgres/pool.ts';
import { requireSessions } from '../../kernel/postgres/session.ts';
import { eventCatalog } from '../../write/catalog.ts';
import {
  createLogAvailability,
  type LogAvailability,
  withAvailability,
} from '../../write/log/availability.ts';
import { openDoor } from '../../write/log/door.ts';
import { portError } from '../../write/log/eventstoredb/errors.ts';
import type { OnFailure } from '../../write/log/eventstoredb/subscribe.ts';
import { openLog } from '../../write/log/open.ts';
import type { EventLog } from '../../write/log/port.ts';
import { openReadDoor, type ReadDoor } from '../../write/log/read-door.ts';

/** What every command and role works with: the database, migrated, and the log. */
export interface Program {
  readonly config: Config;
  readonly logger: Logger;
  readonly url: string;
  readonly db: Db;
  /** For what can be made again: read models and crawl state. Its commits don't wait for the disk. */
  readonly scratch: Db;
  readonly log: EventLog;
  /** Whether the log answers, for all that works with it. */
  readonly availability: LogAvailability;
  /** What stands before the log's readers stands before those of what was handed out of it. */
  readonly readDoor: ReadDoor;
  readonly metrics: Metrics;
  /** Settles when the embedded Postgres has ended by itself. */
  readonly databaseLost: Promise<void>;
  /** Ends the log, then the connections, then the embedded Postgres. */
  close(): Promise<void>;
}

const LEAST_VERSION = 160_000;
/** What the log's first answer may take. */
const LOG_MS = 5_000;

export interface OpenOptions {
  /** Whether the program is of use while the event log does not answer. */
  readonly mayLackLog?: boolean;
}

/** Opens the database and the log, as a service that runs until it is stopped or as a command. */
export const openProgram = async (
  config: Config,
  role: 'service' | 'command',
  logger: Logger,
  { mayLackLog = false }: OpenOptions = {},
): Promise<Program> => {
  const database = await openDatabase(config, role, logger);
  const db = createPool(database.url, { max: config.DATABASE_POOL, logger, name: role });
  try {
    const { rows } = await db.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    if ((rows[0]?.version ?? 0) < LEAST_VERSION) {
      throw new UsageError('DATABASE_URL is a Postgres older than 16: upgrade it, or unset DATABASE_URL.');
    }
    if (config.DATABASE_URL !== undefined) await requireSessions(config.DATABASE_URL, 'DATABASE_URL');
    await migrate(db, logger);
  } catch (error) {
    await db.end();
    await database.close();
    if (error instanceof UsageError || config.DATABASE_URL === undefined) throw error;
    throw new UsageError(`DATABASE_URL can't be used: ${(error as Error).message}`, { cause: error });
  }
  const scratch = createPool(database.url, {
    max: config.DATABASE_POOL,
    logger,
    name: `${role} scratch`,
    durable: false,
  });
  const onFailure: OnFailure = (error, about) => {
    availability.failed(portError(error));
    logger.debug({ err: messageOf(error), ...about }, 'reading the log failed');
  };
  const where = { db, url: database.url };
  const inner = await openLog(config, where, logger, mayLackLog, onFailure).catch(async (error: unknown) => {
    await Promise.all([db.end(), scratch.end()]);
    await database.close();
    throw error;
  });
  const availability = createLogAvailability(() => inner.head(), logger);
  // A program that starts without the log knows of it from the first request on.
  if (mayLackLog) await availability.answers(LOG_MS);
  const readDoor = openReadDoor(eventCatalog);
  const log = openDoor(withAvailability(inner, availability), eventCatalog, readDoor);
  return {
    config,
    logger,
    url: database.url,
    db,
    scratch,
    log,
    availability,
    readDoor,
    metrics: createProcessMetrics(),
    databaseLost: database.lost,
    close: async () => {
      availability.close();
      await log.close();
      await Promise.all([db.end(), scratch.end()]);
      await database.close();
    },
  };
};
