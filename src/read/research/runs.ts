import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/table.ts';
import {
  type EngineHourRow,
  engineHourTable,
  type NewestRow,
  newestTable,
  type PoolHourRow,
  poolHourTable,
} from '../../projections/views/pool-stats/tables.ts';
import {
  type FindingRow,
  findingTable,
  type RunRow,
  runTable,
} from '../../projections/views/research/tables.ts';
import type { FindingKind } from '../../write/research/research.ts';

export type { EngineHourRow, PoolHourRow } from '../../projections/views/pool-stats/tables.ts';

/** Schemas of the read models that a run reads, in one snapshot. */
export interface Schemas {
  readonly poolStats: string;
  readonly pools: string;
  readonly frontier: string;
  readonly directory: string;
  readonly research: string;
}

const poolHourOf = driverReader(poolHourTable);
const engineHourOf = driverReader(engineHourTable);
const newestOf = driverReader(newestTable);

/** Counters of pools since an hour, oldest first. */
export const readPoolHours = async (
  db: Queryable,
  { poolStats }: Schemas,
  since: number,
): Promise<readonly PoolHourRow[]> => {
  const { rows } = await db.query<DriverRow<PoolHourRow>>(
    sql`select * from ${ident(poolStats)}.pool_hours where hour >= ${since} order by pool, hour`,
  );
  return rows.map(poolHourOf);
};

export const readEngineHours = async (
  db: Queryable,
  { poolStats }: Schemas,
  since: number,
): Promise<readonly EngineHourRow[]> => {
  const { rows } = await db.query<DriverRow<EngineHourRow>>(
    sql`select * from ${ident(poolStats)}.engine_hours where hour >= ${since} order by engine, hour`,
  );
  return rows.map(engineHourOf);
};

/** The last event that the counters contain; null before the first. */
export const readNewest = async (db: Queryable, { poolStats }: Schemas): Promise<NewestRow | null> => {
  const { rows } = await db.query<DriverRow<NewestRow>>(sql`select * from ${ident(poolStats)}.newest`);
  return rows[0] === undefined ? null : newestOf(rows[0]);
};

/** Changes of accounts that a kind of finding is about, by what they are counted by. */
export interface ChangeCount {
  /** A platform, or a pool. */
  readonly by: string;
  /** Counted since 1970. */
  readonly hour: number;
  readonly n: number;
}

const countOf = ({ by, hour, n }: { by: string; hour: number; n: string }): ChangeCount => ({
  by,
  hour,
  n: Number(n),
});

/** The first position of the last two weeks, from which changes are counted: they are listed by position. */
const sincePosition = (schemas: Schemas): string =>
  `(select coalesce(min(position), 0) from ${schemas.research}.sources where recorded_at >= $1)`;

/** Handles that accounts changed, by platform and hour. */
export const readRenames = async (
  db: Queryable,
  schemas: Schemas,
  since: Date,
): Promise<readonly ChangeCount[]> => {
  const { rows } = await db.query<{ by: string; hour: number; n: string }>(sql`
    select platform as by, floor(extract(epoch from at) / 3600)::int as hour, count(*) as n
    from ${ident(schemas.directory)}.changes
    where kind = 'renamed' and at >= ${since} and position >= ${raw(sincePosition(schemas))}
    group by 1, 2 order by 1, 2`);
  return rows.map(countOf);
};

/** Jumps of followers, by the pool that recruited the account and by hour. */
export const readJumps = async (
  db: Queryable,
  schemas: Schemas,
  since: Date,
): Promise<readonly ChangeCount[]> => {
  const { rows } = await db.query<{ by: string; hour: number; n: string }>(sql`
    select d.pool as by, floor(extract(epoch from c.at) / 3600)::int as hour, count(*) as n
    from ${ident(schemas.directory)}.changes c
    join ${ident(schemas.frontier)}.due d on d.platform = c.platform and d.handle = c.handle
    where c.kind = 'jumped' and c.at >= ${since} and c.position >= ${raw(sincePosition(schemas))}
    group by 1, 2 order by 1, 2`);
  return rows.map(countOf);
};

/** How many accounts a pool has, and how many of them are due since before a slot of the crawl schedule. */
export interface PoolLateness {
  readonly pool: string;
  readonly accounts: number;
  readonly late: number;
}

/** Lateness of pools. Accounts that were never read are due at once but don't count as late: nothing is stale yet. */
export const readLateness = async (
  db: Queryable,
  { frontier }: Schemas,
  pools: readonly { readonly pool: string; readonly platform: Platform; readonly beforeSlot: number }[],
): Promise<ReadonlyMap<string, PoolLateness>> => {
  const { rows } = await db.query<{ pool: string; accounts: string; late: string }>(sql`
    select p.pool, coalesce(m.n, 0) as accounts, (
      select coalesce(sum(s.n), 0) from ${ident(frontier)}.due_slots s
      where s.platform = p.platform and s.pool = p.pool and s.slot >= 0 and s.slot < p.before_slot
    ) as late
    from unnest(${pools.map(({ pool }) => pool)}::text[], ${pools.map(({ platform }) => platform)}::text[],
      ${pools.map(({ beforeSlot }) => beforeSlot)}::int[]) as p (pool, platform, before_slot)
    left join ${ident(frontier)}.members m on m.platform = p.platform and m.pool = p.pool`);
  return new Map(
    rows.map(({ pool, accounts, late }) => [
      pool,
      { pool, accounts: Number(accounts), late: Math.min(Number(late), Number(accounts)) },
    ]),
  );
};

/** The last finding of a kind about a subject. */
export interface LastFinding {
  readonly id: string;
  readonly run: string;
  readonly kind: FindingKind;
  readonly subject: string;
  readonly status: 'open' | 'confirmed' | 'dismissed' | 'superseded';
  readonly created_at: string;
  readonly reviewed_at: string | null;
}

/** The last findings by kind and subject, of those that were recorded or reviewed since an instant. @param schema of the read model of research. */
export const readLastFindings = async (
  db: Queryable,
  schema: string,
  since: Date,
): Promise<readonly LastFinding[]> => {
  const { rows } = await db.query<LastFinding>(sql`
    select distinct on (kind, subject) id, run, kind, subject, status, created_at, reviewed_at
    from ${ident(schema)}.findings where greatest(created_at, reviewed_at) >= ${since} order by kind, subject,
      position desc`);
  return rows;
};

/** A finding without a review. */
export type OpenFinding = Pick<LastFinding, 'id' | 'run' | 'kind' | 'subject'>;

/** Open findings of kinds and subjects that were recorded before a position of the log, however old. */
export const readOpenFindings = async (
  db: Queryable,
  schema: string,
  of: readonly Pick<OpenFinding, 'kind' | 'subject'>[],
  before: bigint,
): Promise<readonly OpenFinding[]> => {
  const { rows } = await db.query<OpenFinding>(sql`
    select f.id, f.run, f.kind, f.subject
    from unnest(${of.map(({ kind }) => kind)}::text[], ${of.map(({ subject }) => subject)}::text[]) as n (kind,
      subject)
    join ${ident(schema)}.findings f on f.subject = n.subject and f.kind = n.kind
    where f.status = 'open' and f.position < ${String(before)} order by f.position`);
  return rows;
};

/** Runs whose process did not end them, oldest first. */
export const readUnfinishedRuns = async (db: Queryable, schema: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ run: string }>(
    sql`select run from ${ident(schema)}.runs where status = 'running' order by position`,
  );
  return rows.map(({ run }) => run);
};

export type { FindingRow, RunRow } from '../../projections/views/research/tables.ts';

const findingOf = driverReader(findingTable);
const runOf = driverReader(runTable);

/** Findings, newest first. @param schema of the read model of research. */
export const listRecentFindings = async (
  db: Queryable,
  schema: string,
  limit: number,
): Promise<readonly FindingRow[]> => {
  const { rows } = await db.query<DriverRow<FindingRow>>(
    sql`select * from ${ident(schema)}.findings order by position desc limit ${limit}`,
  );
  return rows.map(findingOf);
};

/** Runs, newest first. */
export const listRecentRuns = async (
  db: Queryable,
  schema: string,
  limit: number,
): Promise<readonly RunRow[]> => {
  const { rows } = await db.query<DriverRow<RunRow>>(
    sql`select * from ${ident(schema)}.runs order by position desc limit ${limit}`,
  );
  return rows.map(runOf);
};

/** A finding; null if there is none. */
export const findFinding = async (db: Queryable, schema: string, id: string): Promise<FindingRow | null> => {
  const { rows } = await db.query<DriverRow<FindingRow>>(
    sql`select * from ${ident(schema)}.findings where id = ${id}`,
  );
  return rows[0] === undefined ? null : findingOf(rows[0]);
};
