/** Builds of projections: their rows, leases and locks. */

import PQueue from 'p-queue';
import { OperatorError } from '../../kernel/errors.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import type { Lease } from '../../kernel/postgres/lease.ts';
import { type Connection, type Db, inTransaction, type Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { type Projection, UNPARTITIONED } from '../projection.ts';

/** A row of `projections.builds`. */
export interface Build {
  readonly projection: string;
  readonly version: number;
  readonly build: number;
  readonly schema: string;
  /** `copy`: a point-in-time copy for analysts; it is neither served nor kept up to date. */
  readonly status: 'building' | 'active' | 'retired' | 'copy';
}

type Versioned = Pick<Projection, 'name' | 'version'>;

interface Row {
  readonly projection: string;
  readonly version: number;
  readonly build: number;
  readonly schema_name: string;
  readonly status: Build['status'];
}

const COLUMNS = 'projection, version, build, schema_name, status';

const buildOf = (row: Row): Build => ({
  projection: row.projection,
  version: row.version,
  build: row.build,
  schema: row.schema_name,
  status: row.status,
});

export const activeBuild = async (
  db: Queryable,
  projection: string,
  version: number,
): Promise<Build | null> => {
  const { rows } = await db.query<Row>(sql`
    select ${raw(COLUMNS)} from projections.builds where projection = ${projection} and version = ${version}
      and status = 'active'`);
  return rows[0] === undefined ? null : buildOf(rows[0]);
};

/** Creates a build: its schema, tables and checkpoint row. The schema's name is generated if none is given. */
export const createBuild = async (
  db: Db,
  projection: Projection,
  status: 'building' | 'active',
  name?: string,
): Promise<Build> =>
  inTransaction(db, async (client) => {
    await client.query(sql`select pg_advisory_xact_lock(hashtext(${`build ${projection.name}`}))`);
    const active = await activeBuild(client, projection.name, projection.version);
    // Another process created the first build meanwhile.
    if (status === 'active' && active !== null) return active;
    const { rows: numbers } = await client.query<{ build: number }>(
      sql`select nextval('projections.build_numbers')::int as build`,
    );
    const build = numbers[0]?.build as number;
    const schema = name ?? `${projection.name}_v${projection.version}_b${build}`;
    await client.query(sql`create schema ${ident(schema)}`);
    await client.query(raw(projection.tables(schema)));
    const { rows } = await client.query<Row>(sql`
      insert into projections.builds (projection, version, build, schema_name, status, activated_at)
      values (${projection.name}, ${projection.version}, ${build}, ${schema}, ${status},
        case when ${status} = 'active' then now() end) returning ${raw(COLUMNS)}`);
    await client.query(sql`
      insert into projections.checkpoints (schema_name, partition, position) values (${schema}, ${UNPARTITIONED}, 0)`);
    if (status === 'active') await client.query(raw(projection.indexes(schema)));
    return buildOf(rows[0] as Row);
  });

/**
 * Retires the active build, which stays until it is dropped. Waits for the write in progress; further writes block
 * until the transaction ends, and then fail.
 * @returns its schema; null if no build is active.
 */
export const retireActive = async (
  db: Queryable,
  { projection, version }: Pick<Build, 'projection' | 'version'>,
): Promise<string | null> => {
  const { rows } = await db.query<{ schema_name: string }>(sql`
    update projections.builds set status = 'retired' where projection = ${projection} and version = ${version}
      and status = 'active'
    returning schema_name`);
  return rows[0]?.schema_name ?? null;
};

/** Makes a build the active one. */
export const activateBuild = async (db: Queryable, build: Build): Promise<void> => {
  await db.query(sql`
    update projections.builds set status = 'active', activated_at = now() where schema_name = ${build.schema}`);
};

export const dropBuild = async (db: Db, schema: string): Promise<void> =>
  inTransaction(db, async (client) => {
    await client.query(sql`drop schema if exists ${ident(schema)} cascade`);
    await client.query(sql`delete from projections.builds where schema_name = ${schema}`);
  });

/** A build, and how far it has come. */
export interface BuildState extends Build {
  /** Position of its slowest checkpoint. */
  readonly position: bigint;
  /** Mean of the positions of its checkpoints: the partitions of a new build are folded one after the other. */
  readonly reached: bigint;
  readonly createdAt: string;
  readonly ageS: number;
  /** The later version whose readers use it until they have their own (`stand-ins.ts`). */
  readonly standsInFor: number | null;
}

export const listBuilds = async (db: Queryable): Promise<readonly BuildState[]> => {
  const { rows } = await db.query<
    Row & {
      position: string;
      reached: string;
      created_at: string;
      age_s: number;
      stands_in_for: number | null;
    }
  >(sql`
    select ${raw(COLUMNS)}, coalesce(min(c.position), 0) as position, coalesce(avg(c.position), 0)::bigint as reached,
      b.created_at, extract(epoch from clock_timestamp() - b.created_at)::float8 as age_s, b.stands_in_for
    from projections.builds b left join projections.checkpoints c using (schema_name)
    group by b.projection, b.version, b.build order by 1, 2, 3`);
  return rows.map((row) => ({
    ...buildOf(row),
    position: BigInt(row.position),
    reached: BigInt(row.reached),
    createdAt: row.created_at,
    ageS: row.age_s,
    standsInFor: row.stands_in_for,
  }));
};

/** How much of a build is done, and how long the rest takes at the pace so far. */
export interface BuildProgress {
  /** From 0 to 1. */
  readonly done: number;
  /** Null until something is done. */
  readonly leftS: number | null;
}

/** @param head the position of the log's last event. */
export const progressOf = ({ reached, ageS }: BuildState, head: bigint): BuildProgress => {
  const done = head === 0n ? 1 : Math.min(1, Number(reached) / Number(head));
  return { done, leftS: done === 0 ? null : Math.round((ageS * (1 - done)) / done) };
};

/** Tables of a build, partitioned ones without their partitions: those are analysed and read with the parent. */
export const tablesOf = async (db: Queryable, schema: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(sql`
    select format('%I.%I', ${schema}::text, c.relname) as name from pg_class c
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  return rows.map((row) => row.name);
};

/**
 * Lease of the writers of a version. The single writer of a projection holds it exclusively; processes that share a projection hold
 * it together and divide its parts.
 */
export const leaseOf = ({ name, version }: Versioned): Lease => ({
  kind: ADVISORY_LOCKS.PROJECTION_LEASE,
  name: `${name} ${version}`,
});

/** Lease of the process that creates a version's first build, or divides one into other partitions. */
export const preparationLeaseOf = ({ name, version }: Versioned): Lease => ({
  kind: ADVISORY_LOCKS.PROJECTION_LEASE,
  name: `${name} ${version} preparation`,
});

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

/** Unlocks explicitly: if a connection is only closed, its locks stay until the server notices. */
const unlock = async (lock: Connection): Promise<void> => {
  const failure = await lock.query(sql`select pg_advisory_unlock_all()`).then(
    () => undefined,
    (error: Error) => error,
  );
  lock.release(failure);
};

const queues = new WeakMap<Db, PQueue>();

/**
 * Limits the work that waits for a lock. Such work holds a connection and needs more of the same pool, so locks may take half of
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

/** Builds of this version that a crash left unfinished, and builds that the last rebuild replaced. */
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
  // Usually there are none. Taking the lock would then fail a concurrent build.
  if ((await leftovers(db, projection)).length === 0) return;
  await withBuildLock(
    db,
    projection,
    () => dropLeftovers(db, projection),
    () => undefined,
  );
};
