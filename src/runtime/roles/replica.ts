import type { Config } from '../../kernel/config.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { isConnectionLost } from '../../kernel/postgres/connection-lost.ts';
import { createPool, type Db, type PoolOptions, type Queryable } from '../../kernel/postgres/pool.ts';
import { requireSessions } from '../../kernel/postgres/session.ts';
import { pause } from '../../kernel/retry.ts';
import { type Builds, type WatchedBuilds, watchBuilds } from '../../read/active-builds.ts';
import type { ListReads } from '../../read/lists.ts';

/** The read replica. It may lag and lack a new build, so it determines its builds itself. */
export interface Replica {
  readonly db: Db;
  readonly builds: WatchedBuilds;
  /** Whether the primary answers while the replica is down. */
  readonly mayFallBack: boolean;
  /** Whether it has answered within the last two seconds. */
  isUp(): boolean;
  close(): Promise<void>;
}

const UP_MS = 2_000;
const CHECK_MS = 5_000;

/**
 * @returns null if no replica is configured. With `READ_FALLBACK` it may be down.
 * @throws {OperatorError} if a pooler in between shares its sessions.
 */
export const openReplica = async (
  { READ_DATABASE_URL: url, READ_FALLBACK: mayFallBack }: Config,
  options: PoolOptions,
): Promise<Replica | null> => {
  if (url === undefined) return null;
  const { logger } = options;
  const closing = new AbortController();
  let isChecked = false;
  const check = async (): Promise<void> => {
    await requireSessions(url, 'READ_DATABASE_URL');
    isChecked = true;
  };
  const keepChecking = async (): Promise<void> => {
    while (!isChecked && !closing.signal.aborted) {
      await pause(CHECK_MS, closing.signal);
      await check().catch((error: unknown) => {
        if (error instanceof OperatorError)
          logger.error({ err: errorMessage(error) }, 'the replica is not used');
      });
    }
  };
  await check().catch((error: unknown) => {
    if (!mayFallBack || error instanceof OperatorError) throw error;
    void keepChecking();
  });
  const db = createPool(url, options);
  const builds = await watchBuilds(db, logger, { mayBeDown: mayFallBack });
  return {
    db,
    builds,
    mayFallBack,
    isUp: () => isChecked && performance.now() - builds.confirmedAtMs() < UP_MS,
    close: async () => {
      closing.abort();
      builds.close();
      await db.end();
    },
  };
};

/** A database that the catalog is read from, with its builds. */
interface Source {
  readonly db: Queryable;
  readonly builds: WatchedBuilds;
  readonly lists: ListReads;
}

/**
 * Reads from the replica, and from the primary while the replica is down. A read that the replica does not answer is asked of the
 * primary.
 */
export const withFallback = (
  replica: Source & Pick<Replica, 'isUp'>,
  primary: Source,
  logger: Logger,
): Source => {
  let wasUp = true;
  const isUp = (): boolean => {
    const now = replica.isUp();
    if (now !== wasUp) {
      wasUp = now;
      if (now) logger.info('the replica answers again, and reads of the catalog go there');
      else logger.warn('the replica is down: reads of the catalog go to the primary');
    }
    return now;
  };
  const ask = async <T>(read: (source: Source) => Promise<T>): Promise<T> => {
    if (!isUp()) return read(primary);
    try {
      return await read(replica);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return read(primary);
    }
  };
  const buildsOf = (of: (source: Source) => Builds): Builds => {
    const present = (): Builds => of(isUp() ? replica : primary);
    return {
      schema: (projection) => present().schema(projection),
      progress: (projection) => present().progress(projection),
      confirmedAtMs: () => present().confirmedAtMs(),
      refresh: () => present().refresh(),
      onRefresh: (listener) => {
        for (const source of [replica, primary]) of(source).onRefresh(listener);
      },
      close: () => undefined,
    };
  };
  return {
    db: { query: (statement) => ask(({ db }) => db.query(statement)) },
    builds: {
      ...buildsOf(({ builds }) => builds),
      withStandIns: buildsOf(({ builds }) => builds.withStandIns),
    },
    lists: { any: (query) => ask(({ lists }) => lists.any(query)) },
  };
};
