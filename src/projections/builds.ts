import type { Db, Queryable } from '../kernel/postgres/pool.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import { WHOLE } from './places.ts';
import type { Projection } from './projection.ts';

/** One build of a projection, as its row says. */
export interface Build {
  readonly projection: string;
  readonly version: number;
  readonly build: number;
  readonly schema: string;
  readonly status: 'building' | 'active' | 'retired';
}

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
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from projections.builds where projection = $1 and version = $2 and status = 'active'`,
    [projection, version],
  );
  return rows[0] === undefined ? null : buildOf(rows[0]);
};

/** Makes the schema, tables and checkpoint of a new build. */
export const createBuild = async (
  db: Db,
  projection: Projection,
  status: 'building' | 'active',
): Promise<Build> =>
  inTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`build ${projection.name}`]);
    const active = await activeBuild(client, projection.name, projection.version);
    // Another process was faster to make the first build.
    if (status === 'active' && active !== null) return active;
    const { rows: last } = await client.query<{ build: number }>(
      'select coalesce(max(build), 0) + 1 as build from projections.builds where projection = $1 and version = $2',
      [projection.name, projection.version],
    );
    const build = last[0]?.build ?? 1;
    const schema = `${projection.name}_v${projection.version}_b${build}`;
    await client.query(`create schema ${schema}`);
    await client.query(projection.tables(schema));
    const { rows } = await client.query<Row>(
      `insert into projections.builds (projection, version, build, schema_name, status, activated_at)
       values ($1, $2, $3, $4, $5, case when $5 = 'active' then now() end) returning ${COLUMNS}`,
      [projection.name, projection.version, build, schema, status],
    );
    await client.query(
      'insert into projections.checkpoints (schema_name, partition, position) values ($1, $2, 0)',
      [schema, WHOLE],
    );
    if (status === 'active') await client.query(projection.indexes(schema));
    return buildOf(rows[0] as Row);
  });

/**
 * Makes a build the one that readers use; the one before it is retired and stays until it is dropped.
 * @returns whether there was one before.
 */
export const activateBuild = async (db: Queryable, build: Build): Promise<boolean> => {
  const { rowCount } = await db.query(
    `update projections.builds set status = 'retired' where projection = $1 and version = $2 and status = 'active'`,
    [build.projection, build.version],
  );
  await db.query(
    `update projections.builds set status = 'active', activated_at = now() where schema_name = $1`,
    [build.schema],
  );
  return rowCount !== 0;
};

export const dropBuild = async (db: Db, schema: string): Promise<void> =>
  inTransaction(db, async (client) => {
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.query('delete from projections.builds where schema_name = $1', [schema]);
  });

export const checkpointOf = async (db: Queryable, schema: string, partition = WHOLE): Promise<bigint> => {
  const { rows } = await db.query<{ position: string }>(
    'select position from projections.checkpoints where schema_name = $1 and partition = $2',
    [schema, partition],
  );
  if (rows[0] === undefined) throw new LostPlace(schema);
  return BigInt(rows[0].position);
};

/** The writer's place was taken by another, or its build is gone: what it has in memory is worth nothing. */
export class LostPlace extends Error {
  override readonly name = 'LostPlace';
  constructor(schema: string) {
    super(`another writer moved the checkpoint of ${schema}, or the build is gone`);
  }
}

/**
 * Moves a checkpoint from where the writer thinks it is, in the transaction of the rows. Whoever comes second finds
 * it moved and fails, so an event has its effect once however many writers there are.
 * @throws {LostPlace}
 */
export const moveCheckpoint = async (
  db: Queryable,
  schema: string,
  from: bigint,
  to: bigint,
  partition = WHOLE,
): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'move_checkpoint',
    text: `update projections.checkpoints set position = $4, moved_at = now()
           where schema_name = $1 and partition = $2 and position = $3`,
    values: [schema, partition, String(from), String(to)],
  });
  if (rowCount !== 1) throw new LostPlace(schema);
};

/** All builds with their checkpoints, for operators. */
export const listBuilds = async (
  db: Queryable,
): Promise<readonly (Build & { position: bigint; createdAt: Date })[]> => {
  const { rows } = await db.query<Row & { position: string; created_at: Date }>(
    `select ${COLUMNS}, coalesce(min(c.position), 0) as position, b.created_at
     from projections.builds b left join projections.checkpoints c using (schema_name)
     group by b.projection, b.version, b.build order by 1, 2, 3`,
  );
  return rows.map((row) => ({ ...buildOf(row), position: BigInt(row.position), createdAt: row.created_at }));
};
