/** Reads of the crawl schedule: due accounts, members of pools, and how fast their accounts change. */

import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { ident, join, raw, type Statement, sql } from '../kernel/postgres/statement.ts';
import { GIVEN_UP } from '../projections/views/frontier/tables.ts';
import { CHANGE_BINS, medianBin, type PoolChanges, UNAVAILABLE_BIN } from '../write/pools/refresh.ts';
import type { Builds } from './active-builds.ts';

/**
 * A subquery for the due accounts of one pool that no process has leased, the longest due first: `handle`, `depth`, `due_at`,
 * `is_new`.
 * @param of SQL expressions of the enclosing statement: the pool; the time before which all of its due accounts are leased; the
 *   number of accounts wanted.
 */
export const dueAccounts = (
  builds: Builds,
  platform: Platform,
  now: Date,
  of: { readonly pool: Statement; readonly after: Statement; readonly limit: Statement },
): Statement => sql`
  select handle, depth, due_at, observed_at is null as is_new
  from ${ident(builds.schema('frontier'))}.due_${ident(platform)} f
  where f.pool = ${of.pool} and f.due_at >= ${of.after} and f.due_at <= ${now}
    -- A look-up by key for each account: a join would read all leases.
    and coalesce(
      (select l.until <= ${now} from crawl.leases l where l.platform = ${platform} and l.handle = f.handle), true)
  order by f.due_at limit ${of.limit}`;

/** Accounts of a pool that count against its cap, and those that operators named, which have room of their own. */
export interface PoolSize {
  readonly found: number;
  readonly seeds: number;
}

/** Sizes of pools as their caps count them: by the pool that reads the accounts, which is the heir of a retired one. */
export const readSizes = async (db: Queryable, builds: Builds): Promise<ReadonlyMap<string, PoolSize>> => {
  const { rows } = await db.query<PoolSize & { pool: string }>(sql`
    with recursive reads as (
      select pool as reader, pool, platform from ${ident(builds.schema('frontier'))}.pools where heir is null
      union
      select r.reader, p.pool, p.platform from reads r
      join ${ident(builds.schema('frontier'))}.pools p on p.heir = r.pool and p.platform = r.platform
    )
    select r.reader as pool, (sum(n) - sum(absent) - sum(seeds))::float8 as found, sum(seeds)::float8 as seeds
    from reads r join ${ident(builds.schema('frontier'))}.members m on m.pool = r.pool and m.platform = r.platform
    group by r.reader`);
  return new Map(rows.map(({ pool, found, seeds }) => [pool, { found, seeds }]));
};

/** Accounts that have not left the schedule. */
const IS_MEMBER = sql`(not removed and (is_seed or absences < ${raw(GIVEN_UP)}))`;

/** Accounts that pools have, and those that an operator removed, which no pool takes. */
export const IS_KNOWN = sql`(removed or ${IS_MEMBER})`;

/** An account that a pool has. */
export interface Member {
  /** The pool that recruited it. */
  readonly pool: string;
  /** Whether a reading of it was conclusive. */
  readonly isRead: boolean;
  /** Whether an operator removed it: it is of no pool, and only an operator brings it back. */
  readonly isRemoved: boolean;
}

/** The given accounts that pools have or an operator removed, as far as the frontier knows, by name: `x:nasa`. */
export const readMembers = async (
  db: Queryable,
  builds: Builds,
  accounts: readonly { readonly platform: Platform; readonly handle: string }[],
): Promise<ReadonlyMap<string, Member>> => {
  const schema = builds.schema('frontier');
  const { rows } = await db.query<Member & { readonly name: string }>(
    // An arm for each partition: a join would probe each of them for every account.
    join(
      PLATFORMS.map((name) => {
        const platform = ident(name);
        const handles = accounts.filter((each) => each.platform === name).map(({ handle }) => handle);
        return sql`
          select '${platform}:' || handle as name, pool, observed_at is not null as "isRead",
            removed as "isRemoved"
          from ${ident(schema)}.due_${platform}
          where platform = '${platform}' and handle = any(${handles}) and ${IS_KNOWN}`;
      }),
      ' union all ',
    ).with({ name: `members of ${schema}` }),
  );
  return new Map(rows.map(({ name, ...member }) => [name, member]));
};

/** The pool of an account, and its distance from an account that was named; null if unknown. */
export interface Membership {
  readonly pool: string;
  readonly depth: number | null;
}

/** Memberships of accounts that pools have, by handle. */
export const readMemberships = async (
  db: Queryable,
  builds: Builds,
  platform: Platform,
  handles: readonly string[],
): Promise<ReadonlyMap<string, Membership>> => {
  const { rows } = await db.query<Membership & { handle: string }>(sql`
    select handle, pool, depth from ${ident(builds.schema('frontier'))}.due_${ident(platform)}
      where handle = any(${handles})`);
  return new Map(rows.map(({ handle, pool, depth }) => [handle, { pool, depth }]));
};

/** Recruited accounts by platform, and how many of them have been read. */
export const readProgress = async (
  db: Queryable,
  builds: Builds,
): Promise<readonly { readonly platform: Platform; readonly known: number; readonly read: number }[]> => {
  const schema = builds.schema('frontier');
  const { rows } = await db.query<{ platform: Platform; known: number; read: number }>(sql`
    select platform, count(*)::int as known, count(observed_at)::int as read from ${ident(schema)}.due
      group by platform`);
  return rows;
};

/** Figures of a pool's accounts in the crawl schedule; null is unknown. */
export interface PoolFigures {
  /** Accounts that it recruited. */
  readonly accounts: number | null;
  /** Those of them with a conclusive reading. */
  readonly read: number | null;
  /** Those that are due, counted up to `MOST_DUE`. */
  readonly due: number | null;
  readonly oldest_due_at: string | null;
}

/** Counting of due accounts ends here. */
const MOST_DUE = 100_000;

/** Figures of pools. @param schema of the crawl schedule. */
export const readPoolFigures = async (
  db: Queryable,
  schema: string,
  pools: readonly { readonly pool: string; readonly platform: Platform }[],
): Promise<ReadonlyMap<string, PoolFigures>> => {
  const { rows } = await db.query<{
    pool: string;
    n: string;
    unread: string;
    due: string;
    oldest: string | null;
  }>(sql`
    select p.pool, coalesce(m.n, 0) as n, u.unread, d.due, d.oldest
    from unnest(${pools.map(({ pool }) => pool)}::text[],
      ${pools.map(({ platform }) => platform)}::text[]) as p(pool, platform)
    left join ${ident(schema)}.members m on m.platform = p.platform and m.pool = p.pool
    cross join lateral (
      select count(*) as due, min(due_at) as oldest
      from (select due_at from ${ident(schema)}.due f where f.platform = p.platform and f.pool = p.pool
        and due_at <= now()
            order by due_at limit ${raw(MOST_DUE)}) as some_due
    ) d
    cross join lateral (
      select count(*) as unread from (
        select from ${ident(schema)}.due f where f.platform = p.platform and f.pool = p.pool and f.observed_at is null
      ) as unread
    ) u`);
  return new Map(
    rows.map(({ pool, n, unread, due, oldest }) => [
      pool,
      {
        accounts: Number(n),
        read: Number(n) - Number(unread),
        due: Number(due),
        oldest_due_at: oldest,
      },
    ]),
  );
};

/** An account of a pool, with its times in the crawl schedule. */
export interface PoolMember {
  readonly handle: string;
  readonly depth: number | null;
  readonly due_at: string;
  readonly observed_at: string | null;
  /** Position of the event that recruited it. */
  readonly recruited: bigint;
}

/**
 * Accounts that a pool recruited, those that are due first.
 * @param of.handles only these; all if null. `named`: how their handles begin.
 */
export const readPoolMembers = async (
  db: Queryable,
  schema: string,
  { platform, pool }: { readonly platform: Platform; readonly pool: string },
  {
    handles,
    named,
    limit,
  }: { readonly handles: readonly string[] | null; readonly named: string; readonly limit: number },
): Promise<readonly PoolMember[]> => {
  const { rows } = await db.query<{
    handle: string;
    depth: number | null;
    due_at: string;
    observed_at: string | null;
    recruited: string;
  }>(sql`
    select handle, depth, due_at, observed_at, recruited from ${ident(schema)}.due_${ident(platform)}
    where pool = ${pool} and ${IS_MEMBER} and (${handles}::text[] is null or handle = any(${handles}))
      and starts_with(lower(handle), ${named.toLowerCase()})
    order by due_at, handle limit ${limit}`);
  return rows.map((row) => ({
    handle: row.handle,
    depth: row.depth,
    due_at: row.due_at,
    observed_at: row.observed_at,
    recruited: BigInt(row.recruited),
  }));
};

interface SumRow {
  readonly pool: string;
  /** Null for members that were never read. */
  readonly bin: number | null;
  readonly n: number;
  readonly measured: number;
}

const changesOf = (rows: readonly SumRow[]): PoolChanges => {
  const byBin = new Array<number>(CHANGE_BINS).fill(0);
  let [unmeasured, unavailable] = [0, 0];
  for (const { bin, n, measured } of rows) {
    if (bin === UNAVAILABLE_BIN) unavailable += n;
    else {
      if (bin !== null) byBin[bin] = (byBin[bin] as number) + measured;
      unmeasured += n - measured;
    }
  }
  const median = medianBin(byBin);
  byBin[median] = (byBin[median] as number) + unmeasured;
  return { accounts: { byBin, unavailable }, median };
};

/**
 * Numbers of accounts by how fast they change, by pool, as `thresholdFor` and `forecastOf` take them.
 * @param readerOf the pool that reads the accounts that a pool recruited; by default that pool itself.
 */
export const readPoolChanges = async (
  db: Queryable,
  builds: Pick<Builds, 'schema'>,
  readerOf: (pool: string) => string = (pool) => pool,
): Promise<ReadonlyMap<string, PoolChanges>> => {
  const schema = builds.schema('frontier');
  const { rows } = await db.query<SumRow>(sql`
    select pool, bin, n::float8 as n, measured::float8 as measured from ${ident(schema)}.changes
    union all
    select m.pool, null, m.n - coalesce(sum(c.n), 0)::float8, 0
    from (select pool, sum(n) as n from ${ident(schema)}.members group by pool) m
    left join ${ident(schema)}.changes c using (pool) group by m.pool, m.n`);
  return new Map(
    [...Map.groupBy(rows, ({ pool }) => readerOf(pool))].map(([pool, own]) => [pool, changesOf(own)]),
  );
};
