import type { Config } from '../kernel/config.ts';
import { errorMessage, OperatorError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { createProcessMetrics, type Metrics } from '../kernel/metrics.ts';
import { type DatabaseClock, followDatabaseClock } from '../kernel/postgres/database-clock.ts';
import { migrate } from '../kernel/postgres/migrate.ts';
import { type OpenDatabase, openDatabase } from '../kernel/postgres/open-database.ts';
import { createPool, type Db } from '../kernel/postgres/pool.ts';
import { requireSessions } from '../kernel/postgres/session.ts';
import { sql } from '../kernel/postgres/statement.ts';
import { createPhases, type Phases } from '../kernel/start-phases.ts';
import { createDiskWatch, type DiskWatch } from '../operations/health/disk.ts';
import { doorOf } from '../write/erasure/cleanse.ts';
import { type OpenFence, openFence } from '../write/erasure/open-fence.ts';
import { eventTypes } from '../write/event-types.ts';
import { withAuthor } from '../write/log/author.ts';
import {
  createLogAvailability,
  type LogAvailability,
  withAvailability,
  withSpace,
} from '../write/log/availability.ts';
import { createDecoder, type EventDecoder, withValidation } from '../write/log/codec.ts';
import { portError } from '../write/log/eventstoredb/connection.ts';
import type { OnFailure } from '../write/log/eventstoredb/read.ts';
import { openEventLog } from '../write/log/open-event-log.ts';
import { type Author, type EventLog, LogUnavailableError } from '../write/log/port.ts';
import { withSharedReader } from '../write/log/shared-reader.ts';

/** What every command and role uses: the migrated database and the event log. */
export interface Runtime {
  readonly config: Config;
  readonly logger: Logger;
  readonly url: string;
  readonly db: Db;
  /** Pool for derived data, such as read models and crawl state; its commits don't wait for the disk. */
  readonly asyncCommitDb: Db;
  readonly log: EventLog;
  /** Availability of the event log, shared by all components. */
  readonly availability: LogAvailability;
  /** Decodes events from Kafka exactly as those from the log. */
  readonly decoder: EventDecoder;
  /** The accounts that were erased. */
  readonly fence: OpenFence;
  readonly metrics: Metrics;
  /** Space on the disk of the home. */
  readonly disk: DiskWatch;
  /** Resolves when the embedded Postgres has ended unexpectedly, with what it said last. */
  readonly databaseLost: Promise<string>;
  /** Resolves when this host's clock no longer agrees with the database's, with the reason. */
  readonly clockLost: Promise<string>;
  /** Closes the log, the connections, then the embedded Postgres. */
  close(): Promise<void>;
}

export interface RuntimeOptions {
  /** Whether the program can start while the event log is unavailable. */
  readonly mayStartWithoutLog?: boolean;
  /** The database, if it is open already. The runtime closes it, also if it fails to open. */
  readonly database?: OpenDatabase;
  readonly phases?: Phases;
  /** Who causes the events that the runtime appends; absent for what the program does by itself. */
  readonly author?: Author;
}

/** Opens the database and the log, as a service that runs until stopped or as a command. */
export const openRuntime = async (
  config: Config,
  role: 'service' | 'command',
  logger: Logger,
  { mayStartWithoutLog = false, database: given, phases = createPhases(logger), author }: RuntimeOptions = {},
): Promise<Runtime> => {
  const database = given ?? (await openDatabase(config, role, logger));
  const db = createPool(database.url, { max: config.DATABASE_POOL, logger, name: role });
  let clock: DatabaseClock;
  try {
    const { rows } = await db.query<{ version: number }>(
      sql`select current_setting('server_version_num')::int as version`,
    );
    if ((rows[0]?.version ?? 0) < MIN_VERSION) {
      throw new OperatorError(
        'database_unusable',
        'DATABASE_URL is a Postgres older than 16: upgrade it, or unset DATABASE_URL.',
      );
    }
    if (config.DATABASE_URL !== undefined) await requireSessions(config.DATABASE_URL, 'DATABASE_URL');
    clock = await followDatabaseClock(db, logger);
    const migrations = await phases.run('migrations', () => migrate(db));
    if (migrations.length > 0) logger.info({ migrations }, 'the database was migrated');
  } catch (error) {
    await db.end();
    await database.close();
    if (error instanceof OperatorError || config.DATABASE_URL === undefined) throw error;
    throw new OperatorError('database_unusable', `DATABASE_URL can't be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const asyncCommitDb = createPool(database.url, {
    max: config.DATABASE_POOL,
    logger,
    name: `${role} async commit`,
    durable: false,
  });
  const onFailure: OnFailure = (error, about) => {
    availability.failed(portError(error));
    logger.debug({ err: errorMessage(error), ...about }, 'reading the log failed');
  };
  const where = { db, url: database.url };
  const opened = await openEventLog(config, where, logger, {
    mayBeUnavailable: mayStartWithoutLog,
    onFailure,
  }).catch(async (error: unknown) => {
    clock.stop();
    await Promise.all([db.end(), asyncCommitDb.end()]);
    await database.close();
    throw error;
  });
  // A command is the only reader of its log, and mostly reads once.
  const inner = role === 'service' ? withSharedReader(opened) : opened;
  const disk = createDiskWatch(config.SIGHTLINE_HOME);
  const watching = await watchDisk(disk, role, logger);
  // The disk of another machine's database is not this one's.
  const checkSpace = () => {
    if (config.DATABASE_URL === undefined && disk.isFull())
      throw new LogUnavailableError('no space left on the disk of SIGHTLINE_HOME');
  };
  const availability = createLogAvailability(async () => {
    checkSpace();
    return inner.head();
  }, logger);
  // Begins to monitor the availability of the log right away.
  if (mayStartWithoutLog) await availability.answers(LOG_MS);
  const fence = await openFence({ db, log: inner, keys: config.ERASURE_KEY, logger }, true).catch(
    async (error: unknown) => {
      clock.stop();
      clearInterval(watching);
      availability.close();
      await inner.close();
      await Promise.all([db.end(), asyncCommitDb.end()]);
      await database.close();
      throw error;
    },
  );
  const door = doorOf(fence);
  const decoder = createDecoder(eventTypes, door);
  const validating = withValidation(
    withAvailability(withSpace(inner, checkSpace), availability),
    eventTypes,
    door,
    decoder,
  );
  const log = author === undefined ? validating : withAuthor(validating, author);
  return {
    config,
    logger,
    url: database.url,
    db,
    asyncCommitDb,
    log,
    availability,
    decoder,
    fence,
    metrics: createProcessMetrics(),
    disk,
    databaseLost: database.lost,
    clockLost: clock.lost,
    close: async () => {
      clock.stop();
      fence.close();
      clearInterval(watching);
      availability.close();
      await log.close();
      await Promise.all([db.end(), asyncCommitDb.end()]);
      await database.close();
    },
  };
};

/** Interval in which a service measures its disk. */
const DISK_MS = 15_000;

const watchDisk = async (
  disk: DiskWatch,
  role: 'service' | 'command',
  logger: Logger,
): Promise<NodeJS.Timeout | undefined> => {
  const sample = () =>
    disk.sample(performance.now()).catch((error: unknown) => {
      logger.warn({ err: errorMessage(error) }, 'the space on the disk of SIGHTLINE_HOME is not known');
    });
  await sample();
  return role === 'service' ? setInterval(sample, DISK_MS).unref() : undefined;
};

const MIN_VERSION = 160_000;
/** Timeout of the first request to the event log. */
const LOG_MS = 5_000;
