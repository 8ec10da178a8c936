import { binOf, valueOfBin } from '../../kernel/log-bins.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import { type AccountFigureRow, accountFigureTable } from '../../projections/views/posts/tables.ts';
import type { Builds } from '../active-builds.ts';

/** The accounts with figures whose followers are nearest, by their logarithm. */
export interface Cohort {
  /** The nearest first. */
  readonly accounts: readonly AccountFigureRow[];
  /** Their engagement by followers, ascending; without those that hide it. */
  readonly rates: readonly number[];
}

export const NO_COHORT: Cohort = { accounts: [], rates: [] };

export interface CohortReads {
  /** The accounts nearest to so many followers, within 1 % of them. */
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
  schema: string,
  platform: Platform,
  followers: number,
): Promise<Cohort> => {
  const { rows } = await db.query<DriverRow<AccountFigureRow>>({
    name: `${schema} cohort ${platform}`,
    text: `(select * from ${schema}.account_figures_${platform}
             where platform = $1 and followers >= $2 order by platform, followers, handle limit $3)
           union all
           (select * from ${schema}.account_figures_${platform}
             where platform = $1 and followers < $2 order by platform desc, followers desc, handle desc limit $3)`,
    values: [platform, followers, COHORT_ACCOUNTS],
  });
  const distance = (row: AccountFigureRow): number =>
    Math.abs(Math.log((row.followers + 1) / (followers + 1)));
  const accounts = rows
    .map((row) => rowOf<AccountFigureRow>(row))
    .map((row) => ({ row, at: distance(row) }))
    .sort((a, b) => a.at - b.at || (a.row.handle < b.row.handle ? -1 : 1))
    .slice(0, COHORT_ACCOUNTS)
    .map(({ row }) => row);
  const rates = accounts.flatMap(({ engagement_rate_followers: rate }) => rate ?? []);
  return { accounts, rates: rates.sort((a, b) => a - b) };
};

/** Cohorts, kept by bin of followers for half a minute: one is read for all accounts of nearly one size. */
export const createCohortReads = (db: Queryable, builds: Builds): CohortReads => {
  const known = new Map<string, { readonly untilMs: number; readonly found: Promise<Cohort> }>();
  return {
    near: (platform, followers) => {
      const schema = builds.schema('posts');
      const bin = binOf(followers);
      const key = `${schema} ${platform} ${bin}`;
      const before = known.get(key);
      if (before !== undefined && before.untilMs > steadyMs()) return before.found;
      if (known.size >= MAX_KEPT) known.clear();
      const found = read(db, schema, platform, Math.round(valueOfBin(bin)));
      known.set(key, { untilMs: steadyMs() + KEPT_MS, found });
      found.catch(() => known.delete(key));
      return found;
    },
  };
};
