/** Names that readings find, until a reading proves that an account has them. Decision: `docs/adr/0017-recruitment.md`. */

import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, type Statement, sql } from '../../kernel/postgres/statement.ts';
import type { Builds } from '../../read/active-builds.ts';
import { IS_KNOWN } from '../../read/frontier.ts';
import type { Find } from './choose-pool.ts';

/** New names that one account may add within a day; those of its names that proved to be nobody's count for a month. */
export const NAMES_A_DAY = 20;
/** Readings that don't find a name before it is given up. */
const MOST_MISSES = 2;
/** How long names are remembered, and how long a name that is given up is not taken again. */
const KEPT_DAYS = 30;
/** Most names of a platform that wait; those that fewest accounts name give way. */
const MAX_WAITING = 100_000;
/** Until a name that a reading did not find is read again. */
export const SECOND_LOOK_MS = 86_400_000;

/** An account that the reading of another one named. */
export interface Candidate extends Find {
  readonly from: string;
  readonly source: string;
}

/** A candidate and the pool that reads it. */
type Named = Candidate & { readonly pool: string };

/** Notes who names whom. Names beyond what an account may add are left out. */
export const nameCandidates = async (
  db: Queryable,
  named: readonly Named[],
  nowMs: number,
): Promise<void> => {
  const column = <Name extends keyof Named>(name: Name) => named.map((each) => each[name]);
  await db.query(sql`
    with named as (
      select * from unnest(${column('platform')}::text[], ${column('handle')}::text[], ${column('pool')}::text[],
        ${column('via')}::text[], ${column('from')}::text[], ${column('source')}::text[], ${column('depth')}::int[])
        with ordinality as f(platform, handle, pool, via, namer, source, depth, i)
    ),
    spent as (
      select s.namer, (
        select count(*) from crawl.namings n left join crawl.candidates c using (platform, handle)
        where n.namer = s.namer and (n.at > ${new Date(nowMs - DAY_MS)} or c.outcome = 'missed')) as n
      from (select distinct namer from named) s
    ),
    fresh as (
      select *, row_number() over (partition by namer order by i) as nth
      from (select distinct on (namer, platform, handle) * from named order by namer, platform, handle, i) d
      where not exists (
        select from crawl.namings n join crawl.candidates c using (platform, handle)
        where n.namer = d.namer and n.platform = d.platform and n.handle = d.handle)
    ),
    allowed as (select f.* from fresh f join spent s using (namer) where f.nth <= ${NAMES_A_DAY} - s.n),
    noted as (
      insert into crawl.namings (namer, platform, handle, at)
      select namer, platform, handle, ${new Date(nowMs)} from allowed
      on conflict (namer, platform, handle) do update set at = excluded.at returning namer, platform, handle
    )
    insert into crawl.candidates as c (platform, handle, pool, via, namer, source, depth, namers, named_at)
    select distinct on (platform, handle) platform, handle, a.pool, a.via, namer, a.source, a.depth,
      count(*) over (partition by platform, handle), ${new Date(nowMs)}
    from noted join allowed a using (namer, platform, handle) order by platform, handle, a.i
    on conflict (platform, handle) do update set namers = c.namers + excluded.namers,
      pool = case when c.outcome is null then excluded.pool else c.pool end`);
};

/**
 * A subquery for the names of one pool that wait and no process has leased: those that were never looked at first, then those that
 * most accounts name.
 * @param of SQL expressions of the enclosing statement: the pool, and the number of names wanted.
 */
export const waitingCandidates = (
  builds: Builds,
  platform: Platform,
  now: Date,
  of: { readonly pool: Statement; readonly limit: Statement },
): Statement => sql`
  select c.handle, c.depth, c.namer, c.via, c.source, c.misses, c.namers, c.named_at
  from crawl.candidates c
  where c.platform = ${platform} and c.pool = ${of.pool} and c.outcome is null
    and not exists (select from ${ident(builds.schema('frontier'))}.due_${ident(platform)} f
      where f.handle = c.handle and ${IS_KNOWN})
    and coalesce(
      (select l.until <= ${now} from crawl.leases l where l.platform = ${platform} and l.handle = c.handle), true)
  order by c.misses, c.namers desc, c.named_at limit ${of.limit}`;

/**
 * A reading found the account of a name.
 * @returns whether it is the first find of the account that named it within a day.
 */
export const candidateFound = async (
  db: Queryable,
  { platform, handle }: Pick<Find, 'platform' | 'handle'>,
  nowMs: number,
): Promise<boolean> => {
  const { rows } = await db.query<{ is_first: boolean }>(sql.named('candidate found')`
    update crawl.candidates c set outcome = 'found', found_at = ${new Date(nowMs)}
    where platform = ${platform} and handle = ${handle}
    returning not exists (
      select from crawl.namings n join crawl.candidates o using (platform, handle)
      where n.namer = c.namer and o.namer = c.namer and o.found_at > ${new Date(nowMs - DAY_MS)}
        and (o.platform, o.handle) <> (c.platform, c.handle)) as is_first`);
  return rows[0]?.is_first ?? true;
};

/** A reading proved that nobody has a name, or could not tell: after the second one it is given up. */
export const candidateMissed = async (
  db: Queryable,
  { platform, handle }: Pick<Find, 'platform' | 'handle'>,
): Promise<void> => {
  await db.query(sql.named('candidate missed')`
    update crawl.candidates set misses = misses + 1,
      outcome = case when misses + 1 >= ${MOST_MISSES} then 'missed' end
    where platform = ${platform} and handle = ${handle} and outcome is null`);
};

/** Forgets old names, those whose account a pool got under another name, and those that fewest accounts name where too many wait. */
export const sweepCandidates = async (db: Queryable, builds: Builds, nowMs: number): Promise<void> => {
  const oldest = new Date(nowMs - KEPT_DAYS * DAY_MS);
  await deleteUnlocked(db, 'crawl.candidates', sql`named_at < ${oldest}`);
  await deleteUnlocked(db, 'crawl.namings', sql`at < ${oldest}`);
  await deleteUnlocked(
    db,
    'crawl.candidates',
    sql`outcome is null and exists (select from ${ident(builds.schema('frontier'))}.due f
      where f.platform = t.platform and f.handle = t.handle and ${IS_KNOWN})`,
  );
  for (const platform of PLATFORMS)
    await deleteUnlocked(
      db,
      'crawl.candidates',
      sql`(platform, handle) in (
        select platform, handle from crawl.candidates where platform = ${platform} and outcome is null
        order by misses, namers desc, named_at offset ${MAX_WAITING})`,
    );
};

/**
 * Deletes rows that nobody changes at the moment, which the next sweep finds again. One that waited for a row while it holds others
 * would be in a deadlock with a reading that notes names, in another order.
 */
const deleteUnlocked = async (db: Queryable, table: string, condition: Statement): Promise<void> => {
  await db.query(sql`
    delete from ${ident(table)} where ctid = any (array(
      select t.ctid from ${ident(table)} t where ${condition} for update skip locked))`);
};

const DAY_MS = 86_400_000;
