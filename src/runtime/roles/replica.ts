import type { Config } from '../../kernel/config.ts';
import { createPool, type Db, type PoolOptions } from '../../kernel/postgres/pool.ts';
import { requireSessions } from '../../kernel/postgres/session.ts';
import { type WatchedBuilds, watchBuilds } from '../../read/active-builds.ts';

/**
 * @returns null if no replica is configured.
 * @throws {OperatorError} if a pooler in between shares its sessions.
 */
export const openReplica = async (
  { READ_DATABASE_URL: url }: Config,
  options: PoolOptions,
): Promise<Replica | null> => {
  if (url === undefined) return null;
  await requireSessions(url, 'READ_DATABASE_URL');
  const db = createPool(url, options);
  const builds = await watchBuilds(db, options.logger);
  return {
    db,
    builds,
    close: async () => {
      builds.close();
      await db.end();
    },
  };
};

/** The read replica. It may lag and lack a new build, so it determines its builds itself. */
interface Replica {
  readonly db: Db;
  readonly builds: WatchedBuilds;
  close(): Promise<void>;
}
