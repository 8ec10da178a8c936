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
  /** `copy`: of the world as it stood at a position, for analysts; nobody serves or follows it. */
  readonly status: 'building' | 'active' | 'retired' | 'copy';
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

/** Makes the schema, tables and checkpoint of a new build, in a schema of its own kind or of a given name. */
export const createBuild = async (
  db: Db,
  projection: Projection,
  status: 'building' | 'active',
  name?: string,
): Promise<Build> =>
  inTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`build ${projection.name}`]);
    const active = await activeBuild(client, projection.name, projection.version);
    // Another process was faster to make the first build.
    if (status === 'active' && active !== null) return active;
    const { rows: numbers } = await client.query<{ build: number }>(
      `select nextval('projections.build_numbers')::int as build`,
    );
    const build = numbers[0]?.build as number;
    const schema = name ?? `${projection.name}_v${projection.version}_b${build}`;
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

/** Last position up to which all is in a build's rows. */
export const checkpointOf = async (db: Queryable, schema: string): Promise<bigint> => {
  const { rows } = await db.query<{ position: string | null }>(
    'select min(position) as position from projections.checkpoints where schema_name = $1',
    [schema],
  );
  const position = rows[0]?.position ?? null;
  if (position === null) throw new LostPlace(schema);
  return BigInt(position);
};

/** The writer's place was taken by another, or its build is gone: what it has in memory is worth nothing. */
export class LostPlace extends Error {
  override readonly name = 'LostPlace';
  constructor(schema: string) {
    super(`another writer moved the checkpoint of ${schema}, or the build is gone`);
  }
}

/** A place's checkpoint, from where its writer thinks it is to where it then is. */
export interface Move {
  readonly place: string;
  readonly from: bigint;
  readonly to: bigint;
  /** Where Kafka has what comes after; where it is not given the one before still leads there. */
  readonly offset?: bigint;
}

/**
 * Moves checkpoints in the transaction of the rows. Whoever comes second finds them moved and fails, so an event has
 * its effect once however many writers there are.
 * @throws {LostPlace}
 */
export const moveCheckpoints = async (
  db: Queryable,
  schema: string,
  moves: readonly Move[],
): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'move_checkpoints',
    text: `update projections.checkpoints c
           set position = m.after, kafka_offset = coalesce(m.kafka_offset, c.kafka_offset), moved_at = now()
           from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as m(place, before, after, kafka_offset)
           where c.schema_name = $1 and c.partition = m.place and c.position = m.before`,
    values: [
      schema,
      moves.map(({ place }) => place),
      moves.map(({ from }) => String(from)),
      moves.map(({ to }) => String(to)),
      moves.map(({ offset }) => (offset === undefined ? null : String(offset))),
    ],
  });
  if (rowCount !== moves.length) throw new LostPlace(schema);
};

/**
 * Gives each place of a build a checkpoint of its own, where the one for all stands; nothing where they have that.
 * @returns whether it was this call that did it.
 */
export const inPlaces = async (db: Db, schema: string, places: readonly string[]): Promise<boolean> =>
  inTransaction(db, async (client) => {
    const { rows } = await client.query<{ position: string }>(
      'delete from projections.checkpoints where schema_name = $1 and partition = $2 returning position',
      [schema, WHOLE],
    );
    if (rows[0] === undefined) return false;
    // Where an earlier build of the version had come to in Kafka is a good place to go on, unless it is beyond.
    await client.query(
      `insert into projections.checkpoints (schema_name, partition, position, kafka_offset)
       select $1, place, $3, (select max(c.kafka_offset) from projections.checkpoints c
         join projections.builds b on b.schema_name = c.schema_name
         join projections.builds own on own.schema_name = $1
         where b.projection = own.projection and b.version = own.version and c.partition = place
           and c.position <= $3)
       from unnest($2::text[]) as place`,
      [schema, places, rows[0].position],
    );
    return true;
  });

/**
 * Makes the checkpoints of a build's places one again, when all stand at the same position.
 * @throws {LostPlace} where they don't.
 */
export const wholeAgain = async (db: Db, schema: string, places: number, position: bigint): Promise<void> =>
  inTransaction(db, async (client) => {
    const { rowCount } = await client.query(
      'delete from projections.checkpoints where schema_name = $1 and position = $2',
      [schema, String(position)],
    );
    if (rowCount !== places) throw new LostPlace(schema);
    await client.query(
      'insert into projections.checkpoints (schema_name, partition, position) values ($1, $2, $3)',
      [schema, WHOLE, String(position)],
    );
  });

/** Tables of a build without their partitions, which are analysed and read with them. */
export const tablesOf = async (db: Queryable, schema: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', $1::text, c.relname) as name from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    [schema],
  );
  return rows.map((row) => row.name);
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
