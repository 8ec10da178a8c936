import type pg from 'pg';
import { UsageError } from '../kernel/errors.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import { dropBuild, listBuilds } from './builds.ts';
import type { Projection } from './projection.ts';

/** Lives as long as its connection. Null where it is taken. */
const lockBuilding = async (db: Db, name: string): Promise<pg.PoolClient | null> => {
  const client = await db.connect();
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(7203117, hashtext($1)) as held',
    [name],
  );
  if (rows[0]?.held === true) return client;
  client.release();
  return null;
};

/** A connection that is merely closed keeps its locks until the server notices, and the next one would be refused. */
const unlock = async (lock: pg.PoolClient): Promise<void> => {
  const failure = await lock.query('select pg_advisory_unlock_all()').then(
    () => undefined,
    (error: Error) => error,
  );
  lock.release(failure);
};

const busy = (name: string) => (): never => {
  throw new UsageError(`A build of ${name} is being made (a rebuild, a copy or a verify): wait for that.`);
};

/**
 * Makes or drops builds of a projection while nobody else does.
 * @param otherwise what to do where somebody does; refuses where it is not given.
 * @throws {UsageError}
 */
export const exclusively = async <T>(
  db: Db,
  { name }: Pick<Projection, 'name'>,
  work: () => Promise<T>,
  otherwise: () => T | Promise<T> = busy(name),
): Promise<T> => {
  const lock = await lockBuilding(db, name);
  if (lock === null) return otherwise();
  try {
    return await work();
  } finally {
    await unlock(lock);
  }
};

/** Builds of this version that a crash left half done, and those that were replaced by the last rebuild. */
export const dropLeftovers = async (db: Db, projection: Projection): Promise<void> => {
  for (const build of await listBuilds(db)) {
    const own = build.projection === projection.name && build.version === projection.version;
    if (own && (build.status === 'building' || build.status === 'retired')) await dropBuild(db, build.schema);
  }
};

/** Drops what work that was killed left behind; nothing while some is under way. */
export const dropAbandoned = (db: Db, projection: Projection): Promise<void> =>
  exclusively(
    db,
    projection,
    () => dropLeftovers(db, projection),
    async () => undefined,
  );
