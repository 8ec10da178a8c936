import PQueue from 'p-queue';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import type { Connection, Db } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { Projection } from '../projection.ts';
import { type Build, dropBuild, listBuilds } from './builds.ts';

/** Session-level advisory lock, held by the returned connection. Null if another session holds it. */
const tryBuildLock = async (db: Db, name: string): Promise<Connection | null> => {
  const client = await db.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>(
      sql`select pg_try_advisory_lock(${ADVISORY_LOCKS.BUILD}, hashtext(${name})) as held`,
    );
    if (rows[0]?.held === true) return client;
  } catch (error) {
    // The server may have granted the lock before the query failed.
    client.release(error as Error);
    throw error;
  }
  client.release();
  return null;
};

/** Unlocks explicitly: a connection that is only closed keeps its locks until the server notices. */
const unlock = async (lock: Connection): Promise<void> => {
  const failure = await lock.query(sql`select pg_advisory_unlock_all()`).then(
    () => undefined,
    (error: Error) => error,
  );
  lock.release(failure);
};

const queues = new WeakMap<Db, PQueue>();

/**
 * Where work under a lock waits: it holds a connection and needs more of the same pool, so that locks may take half of
 * them.
 */
const queueOf = (db: Db): PQueue => {
  const queue = queues.get(db) ?? new PQueue({ concurrency: Math.max(1, Math.floor(db.options.max / 2)) });
  queues.set(db, queue);
  return queue;
};

const busy = (name: string) => (): never => {
  throw new OperatorError(
    'build_in_progress',
    `Another build of ${name} is in progress (a rebuild, a copy or a verification): wait until it has ended.`,
    { params: { projection: name } },
  );
};

/**
 * Runs work that creates or drops builds of a projection, under the projection's build lock.
 * @param otherwise called if the lock is taken; by default throws `build_in_progress`.
 * @throws {OperatorError}
 */
export const withBuildLock = async <T>(
  db: Db,
  { name }: Pick<Projection, 'name'>,
  work: () => Promise<T>,
  otherwise: () => T = busy(name),
): Promise<T> =>
  queueOf(db).add(async () => {
    const lock = await tryBuildLock(db, name);
    if (lock === null) return otherwise();
    try {
      return await work();
    } finally {
      await unlock(lock);
    }
  });

/** Builds of this version that a crash left unfinished, and those that the last rebuild replaced. */
const leftovers = async (db: Db, projection: Projection): Promise<readonly Build[]> =>
  (await listBuilds(db)).filter(
    ({ status, ...build }) =>
      build.projection === projection.name &&
      build.version === projection.version &&
      (status === 'building' || status === 'retired'),
  );

export const dropLeftovers = async (db: Db, projection: Projection): Promise<void> => {
  for (const { schema } of await leftovers(db, projection)) await dropBuild(db, schema);
};

/** Drops builds that killed processes left behind; skipped while another build is in progress. */
export const dropAbandoned = async (db: Db, projection: Projection): Promise<void> => {
  // Usually there are none: don't take the lock, which would fail a concurrent build.
  if ((await leftovers(db, projection)).length === 0) return;
  await withBuildLock(
    db,
    projection,
    () => dropLeftovers(db, projection),
    () => undefined,
  );
};
