/** Builds of older versions that answer while those of this program's versions are made. */

import type { Logger } from '../../kernel/logger.ts';
import { type Connection, type Db, inTransaction } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import type { Projection } from '../projection.ts';
import { listBuilds } from './builds.ts';

/** What an older build lacks of the tables of this version. */
interface Lacks {
  /** Statements that add what may be empty: columns that may be null, since null is unknown, and partitions. */
  readonly additions: readonly string[];
  /** Columns that can't be added without their values. */
  readonly needed: readonly string[];
}

/** The schema of tables that are made for a comparison only. */
const PROBE = 'probe_of_tables';

/** Compares the tables of an older build with those of this version, which are created for that and rolled back. */
const lacksOf = async (client: Connection, projection: Projection, older: string): Promise<Lacks> => {
  await client.query(sql`savepoint before_probe; create schema ${ident(PROBE)}`);
  await client.query(raw(projection.tables(PROBE)));
  const { rows: partitions } = await client.query<{ addition: string }>(sql`
    select format('create table %I.%I partition of %I.%I %s', o.relnamespace::regnamespace, c.relname,
      o.relnamespace::regnamespace, o.relname, pg_get_expr(c.relpartbound, c.oid)) as addition
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    join pg_class o on o.relnamespace = ${older}::regnamespace and o.relname = p.relname and o.relkind = 'p'
    where c.relnamespace = ${PROBE}::regnamespace and c.relkind = 'r' and not exists (select from pg_class h
      where h.relnamespace = o.relnamespace and h.relname = c.relname)`);
  const { rows: columns } = await client.query<{ name: string; addition: string | null }>(sql`
    select format('%s.%s', c.relname, a.attname) as name,
      case when o.oid is not null and h.attname is null and not a.attnotnull
        then format('alter table %I.%I add column %I %s', o.relnamespace::regnamespace, o.relname, a.attname,
          format_type(a.atttypid, a.atttypmod)
          || case when t.collname is null then '' else format(' collate %I', t.collname) end) end as addition
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_collation t on t.oid = a.attcollation and t.collname <> 'default'
    left join pg_class o on o.relnamespace = ${older}::regnamespace and o.relname = c.relname
    left join pg_attribute h on h.attrelid = o.oid and h.attname = a.attname and not h.attisdropped
    where c.relnamespace = ${PROBE}::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
      and (h.attname is null or h.atttypid <> a.atttypid or (a.attnotnull and not h.attnotnull))`);
  await client.query(sql`rollback to savepoint before_probe`);
  return {
    additions: [...partitions, ...columns].flatMap(({ addition }) => addition ?? []),
    needed: columns.filter(({ addition }) => addition === null).map(({ name }) => name),
  };
};

/**
 * Lets the newest older build of each projection that has none of this version stand in for it: answers come from there until this
 * version's build is active. What may be empty is added to it. A build that lacks more is of no use to these readers.
 * Processes that run an older version go on with it.
 */
export const lendOlderBuilds = async (
  db: Db,
  logger: Logger,
  projections: readonly Projection[],
): Promise<void> => {
  const active = (await listBuilds(db)).filter(({ status }) => status === 'active');
  for (const projection of projections) {
    const { name, version } = projection;
    const own = active.filter((build) => build.projection === name && build.version <= version);
    const older = own.toSorted((a, b) => b.version - a.version)[0];
    if (older === undefined || older.version === version) continue;
    const about = { projection: name, version, older: older.schema };
    await inTransaction(db, async (client) => {
      const { additions, needed } = await lacksOf(client, projection, older.schema);
      if (needed.length > 0) {
        logger.warn({ ...about, lacks: needed }, 'no older build can answer until this version is built');
        return;
      }
      if (additions.length > 0) await client.query(raw(additions.join(';')));
      await client.query(
        sql`update projections.builds set stands_in_for = ${version} where schema_name = ${older.schema}`,
      );
      logger.info(about, 'an older build answers until this version is built');
    });
  }
};
