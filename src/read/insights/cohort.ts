import { elapsedMs } from '../../kernel/clock.ts';
import { binOf, valueOfBin } from '../../kernel/log-bins.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import { type AccountFigureRow, accountFigureTable } from '../../projections/views/posts/tables.ts';
import type { Builds } from '../active-builds.ts';

/** An account near a number of followers. */
export interface Neighbour extends AccountFigureRow {
  /** Difference of ln followers. */
  readonly distance: number;
}

/** The accounts with figures whose followers are nearest, by their logarithm: at most three times as many, or a third. */
export interface Cohort {
  /** The followers that they are nearest to. */
  readonly centre: number;
  /** The nearest first; of equal distances by handle. */
  readonly accounts: readonly Neighbour[];
  /** Their engagement by followers, ascending; without those that hide it. */
  readonly rates: readonly number[];
}

/** Figures fall with size: accounts of another size are no comparison. */
const REACH = Math.log(3);

export interface CohortReads {
  /** The accounts nearest to so many followers, within 1 % of them; a cohort's centre is of itself. */
  near(platform: Platform, followers: number): Promise<Cohort>;
}

/** Accounts that are compared. */
export const COHORT_ACCOUNTS = 200;
/** For how long a cohort is used. */
const KEPT_MS = 30_000;
/** Cohorts that are kept: followers from 0 to a billion have 1,038 bins. */
const MAX_KEPT = 2_000;

const rowOf = driverReader(accountFigureTable);

const read = async (
  db: Queryable,
  schemas: { readonly posts: string; readonly directory: string },
  platform: Platform,
  centre: number,
): Promise<Cohort> => {
  // A former name of an account keeps its posts, and is no account of the directory.
  const partition = ident(platform);
  const current = sql`
    from ${ident(schemas.posts)}.account_figures_${partition} f where f.platform = ${platform}
    and exists (select from ${ident(schemas.directory)}.entries_${partition} e where e.handle = f.handle)`;
  const { rows } = await db.query<DriverRow<AccountFigureRow>>(sql.named(
    `${schemas.posts} cohort ${platform} ${schemas.directory}`,
  )`
    (select f.* ${current} and f.followers >= ${centre} order by f.platform, f.followers, f.handle
      limit ${COHORT_ACCOUNTS})
    union all
    (select f.* ${current} and f.followers < ${centre}
      order by f.platform desc, f.followers desc, f.handle desc limit ${COHORT_ACCOUNTS})`);
  const accounts = rows
    .map((row) => rowOf<AccountFigureRow>(row))
    .map(
      (row): Neighbour => ({
        ...row,
        distance: Math.abs(Math.log((row.followers + 1) / (centre + 1))),
      }),
    )
    .filter(({ distance }) => distance <= REACH)
    .sort((a, b) => a.distance - b.distance || (a.handle < b.handle ? -1 : 1))
    .slice(0, COHORT_ACCOUNTS);
  const rates = accounts.flatMap(({ engagement_rate_followers: rate }) => rate ?? []);
  return { centre, accounts, rates: rates.sort((a, b) => a - b) };
};

/** Cohorts, kept by bin of followers for half a minute: one is read for all accounts of nearly one size. */
export const createCohortReads = (db: Queryable, builds: Builds): CohortReads => {
  const known = new Map<string, { readonly untilMs: number; readonly found: Promise<Cohort> }>();
  return {
    near: (platform, followers) => {
      const schemas = { posts: builds.schema('posts'), directory: builds.schema('directory') };
      const bin = binOf(followers);
      const key = `${schemas.posts} ${platform} ${bin}`;
      const before = known.get(key);
      if (before !== undefined && before.untilMs > elapsedMs()) return before.found;
      if (known.size >= MAX_KEPT) known.clear();
      const found = read(db, schemas, platform, Math.round(valueOfBin(bin)));
      known.set(key, { untilMs: elapsedMs() + KEPT_MS, found });
      found.catch(() => known.delete(key));
      return found;
    },
  };
};

/** The rates of a cohort without one of its accounts. */
export const ratesBeside = ({ accounts, rates }: Cohort, handle: string | null): readonly number[] => {
  const own = accounts.find((account) => account.handle === handle)?.engagement_rate_followers ?? null;
  return own === null ? rates : rates.toSpliced(rates.indexOf(own), 1);
};
