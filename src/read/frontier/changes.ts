import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { CHANGE_BINS, medianBin, UNAVAILABLE_BIN } from '../../write/pools/refresh/change-bins.ts';
import type { PoolChanges } from '../../write/pools/refresh/threshold.ts';
import type { Builds } from '../active-builds.ts';

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
 * Accounts by how fast they change, by pool: what `thresholdFor` and `forecastOf` take.
 * @param readerOf the pool that reads the accounts that a pool recruited; by default that pool itself, which has no heir.
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
