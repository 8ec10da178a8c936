import type { Queryable } from '../kernel/postgres/pool.ts';
import { ident, sql } from '../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../projections/table/table.ts';
import { type PoolRow, poolTable } from '../projections/views/pools/tables.ts';

export type { PoolRow } from '../projections/views/pools/tables.ts';

const poolOf = driverReader(poolTable);

/** All pools, by platform and name. @param schema of the pools' read model. */
export const listPools = async (db: Queryable, schema: string): Promise<readonly PoolRow[]> => {
  const { rows } = await db.query<DriverRow<PoolRow>>(
    sql`select * from ${ident(schema)}.pools order by platform, pool`,
  );
  return rows.map(poolOf);
};

/** A pool; null if it does not exist. */
export const findPool = async (db: Queryable, schema: string, pool: string): Promise<PoolRow | null> => {
  const { rows } = await db.query<DriverRow<PoolRow>>(
    sql`select * from ${ident(schema)}.pools where pool = ${pool}`,
  );
  return rows[0] === undefined ? null : poolOf(rows[0]);
};

/**
 * The pool that reads each pool's accounts: the pool itself, or the heir of a retired one. Null if none does, because a pool was
 * retired without an heir or the heirs form a circle.
 */
export const readersOf = (
  pools: readonly Pick<PoolRow, 'pool' | 'platform' | 'retired_at' | 'heir'>[],
): ReadonlyMap<string, string | null> => {
  const byName = new Map(pools.map((row) => [row.pool, row]));
  const readerOf = (row: (typeof pools)[number]): string | null => {
    const passed = new Set<string>();
    for (let at: typeof row | undefined = row; at !== undefined && !passed.has(at.pool); ) {
      if (at.retired_at === null) return at.pool;
      passed.add(at.pool);
      const heir: typeof row | undefined = at.heir === null ? undefined : byName.get(at.heir);
      at = heir?.platform === row.platform ? heir : undefined;
    }
    return null;
  };
  return new Map(pools.map((row) => [row.pool, readerOf(row)]));
};
