import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { UsageError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import type { EventLog, EventPage } from '../write/log/port.ts';
import { openBuilder } from './builder.ts';
import { activateBuild, type Build, createBuild, dropBuild, listBuilds } from './builds.ts';
import type { Projection } from './projection.ts';
import { haveGrown, loadSkips, type Skips, subscription } from './skips.ts';
import { mayBeOfTheEvents } from './unhandled.ts';
import { openWriter } from './writer.ts';

export interface RebuildOptions {
  readonly db: Db;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Told after every page: positions passed, and the log's last position when the rebuild began. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
  /** How long a replaced build stays for readers that have not heard of the new one. */
  readonly graceMs?: number;
}

const PAGE = 5_000;
const GRACE_MS = 3_000;

/** Reads a page ahead while the one before it is written. */
async function* ahead(pages: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
  const source = pages[Symbol.asyncIterator]();
  let next = source.next();
  try {
    for (;;) {
      const page = await next;
      if (page.done === true) return;
      next = source.next();
      // A failed look-ahead is met at its turn, not as an unhandled rejection before.
      next.catch(() => undefined);
      yield page.value;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return?.();
  }
}

/** Folds the log into a new build: in bulk, or so that an event that can't be taken in is named. */
const catchUp = async (
  projection: Projection,
  schema: string,
  skips: Skips,
  inBulk: boolean,
  options: RebuildOptions,
): Promise<void> => {
  const { db, log, signal } = options;
  const total = await log.head();
  const wanted = { ...subscription(projection, skips), pageSize: PAGE };
  const pass = async (after: bigint, write: (page: EventPage) => Promise<void>) => {
    for await (const page of ahead(log.readAll(after, wanted))) {
      signal.throwIfAborted();
      await write(page);
      options.onProgress?.(page.through, total);
    }
  };
  if (inBulk) {
    const builder = await openBuilder(db, projection, schema);
    try {
      await pass(0n, builder.write);
      await builder.finish();
    } finally {
      await builder.idle();
    }
  } else {
    const writer = await openWriter(db, projection, schema);
    await pass(writer.position(), writer.write);
  }
  signal.throwIfAborted();
  await db.query(projection.indexes(schema));
  // What came in during that long pass is caught up with in a second, so that the switch is short.
  const writer = await openWriter(db, projection, schema);
  await pass(writer.position(), writer.write);
};

/**
 * Makes a build aside, with all that the log holds. Where it fails it leaves nothing behind.
 * @throws {UnhandledEvent} for an event that can't be taken in.
 */
const makeBuild = async (projection: Projection, options: RebuildOptions, inBulk = true): Promise<Build> => {
  const { db, log, signal } = options;
  const skips = await loadSkips(log, projection);
  const build = await createBuild(db, projection, 'building');
  try {
    await catchUp(projection, build.schema, skips, inBulk, options);
    await db.query(`analyze ${(await tablesOf(db, build.schema)).join(', ')}`);
    signal.throwIfAborted();
    if (!(await haveGrown(log, projection, skips))) return build;
  } catch (error) {
    await dropBuild(db, build.schema);
    // Of rows that were stored in bulk it can't be told which event they come from.
    if (!inBulk || signal.aborted || !mayBeOfTheEvents(error)) throw error;
    return makeBuild(projection, options, false);
  }
  // What was skipped meanwhile may be in it.
  await dropBuild(db, build.schema);
  return makeBuild(projection, options, inBulk);
};

/**
 * Makes a new build of a projection from the log and switches to it. While it is built, readers and the writer of
 * the present build go on; where it fails or is stopped, it leaves nothing behind.
 * @returns the build that is active now.
 */
export const rebuild = async (projection: Projection, options: RebuildOptions): Promise<Build> => {
  const { db } = options;
  const lock = await lockRebuild(db, projection);
  try {
    if (lock === null) throw new UsageError(`${projection.name} is being rebuilt already: wait for that.`);
    await dropLeftovers(db, projection);
    const build = await makeBuild(projection, options);
    let replaced: boolean;
    try {
      replaced = await inTransaction(db, (client) => activateBuild(client, build));
    } catch (error) {
      await dropBuild(db, build.schema);
      throw error;
    }
    options.logger.info({ projection: projection.name, build: build.schema }, 'the projection was rebuilt');
    if (replaced) {
      await sleep(options.graceMs ?? GRACE_MS, undefined, { signal: options.signal }).catch(() => undefined);
      await dropLeftovers(db, projection);
    }
    return { ...build, status: 'active' };
  } finally {
    if (lock !== null) await unlock(lock);
  }
};

/** Drops what an earlier rebuild that was killed left behind; nothing while one is under way. */
export const dropAbandoned = async (db: Db, projection: Projection): Promise<void> => {
  const lock = await lockRebuild(db, projection);
  if (lock === null) return;
  try {
    await dropLeftovers(db, projection);
  } finally {
    await unlock(lock);
  }
};

/** The one rebuild of a projection at a time: a lock that lives as long as its connection. Null where it is taken. */
const lockRebuild = async (db: Db, projection: Projection): Promise<pg.PoolClient | null> => {
  const client = await db.connect();
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(7203117, hashtext($1)) as held',
    [projection.name],
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

/** Tables without their partitions, which are analysed with them. */
const tablesOf = async (db: Db, schema: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    [schema],
  );
  return rows.map((row) => row.name);
};

/** Builds of this version that a crash left half done, and those that were replaced by the last rebuild. */
const dropLeftovers = async (db: Db, projection: Projection): Promise<void> => {
  for (const build of await listBuilds(db)) {
    const own = build.projection === projection.name && build.version === projection.version;
    if (own && build.status !== 'active') await dropBuild(db, build.schema);
  }
};
