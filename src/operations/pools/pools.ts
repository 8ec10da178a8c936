import { OperatorError } from '../../kernel/errors.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { frontier } from '../../projections/views/frontier/projection.ts';
import { pools as poolsView } from '../../projections/views/pools/projection.ts';
import { type PoolFigures, readPoolFigures } from '../../read/frontier.ts';
import { findPool, listPools as listRows, type PoolRow } from '../../read/pools.ts';
import { poolStream } from '../../write/pools/pool.ts';
import type { OperationsContext } from '../context.ts';
import { waitForProjection } from '../projections/wait-for-projection.ts';

/** What is left of a pool, or what it does. */
export type PoolStatus = 'active' | 'paused' | 'retired';

/** A pool with its settings and its accounts. */
export interface PoolListing extends Omit<PoolRow, 'changed' | 'paused'>, PoolFigures {
  readonly status: PoolStatus;
}

const NO_FIGURES: PoolFigures = { accounts: null, read: null, due: null, oldest_due_at: null };

/** Schema of the pools' read model, up to date with the event log. */
export const currentPools = async (context: OperationsContext): Promise<string> => {
  await waitForProjection(context, poolsView, await context.log.head());
  return (await activeBuild(context.db, poolsView.name, poolsView.version))?.schema ?? '';
};

const listingOf = ({ changed: _, paused, ...row }: PoolRow, figures: PoolFigures): PoolListing => ({
  ...row,
  ...figures,
  status: row.retired_at !== null ? 'retired' : paused ? 'paused' : 'active',
});

const withFigures = async (
  context: OperationsContext,
  rows: readonly PoolRow[],
): Promise<readonly PoolListing[]> => {
  const schema = (await activeBuild(context.db, frontier.name, frontier.version))?.schema ?? null;
  const figures =
    schema === null ? new Map<string, PoolFigures>() : await readPoolFigures(context.db, schema, rows);
  return rows.map((row) => listingOf(row, figures.get(row.pool) ?? NO_FIGURES));
};

/** All pools, by platform and name. Their figures are null before the first build of the crawl schedule. */
export const listPools = async (context: OperationsContext): Promise<readonly PoolListing[]> =>
  withFigures(context, await listRows(context.db, await currentPools(context)));

export const unknownPool = (pool: string): OperatorError =>
  new OperatorError('pool_unknown', `There is no pool ${pool}.`, { params: { pool } });

/** @throws {OperatorError} `pool_unknown` */
export const poolNamed = async (context: OperationsContext, pool: string): Promise<PoolRow> => {
  const row = await findPool(context.db, await currentPools(context), pool);
  if (row === null) throw unknownPool(pool);
  return row;
};

/** @throws {OperatorError} `pool_unknown` */
export const showPool = async (context: OperationsContext, pool: string): Promise<PoolListing> => {
  const [listing] = await withFigures(context, [await poolNamed(context, pool)]);
  if (listing === undefined) throw unknownPool(pool);
  return listing;
};

/** A change of a pool, as its stream has it. */
export interface PoolChange {
  readonly at: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Everything that was decided about a pool, oldest first. @throws {OperatorError} `pool_unknown` */
export const poolHistory = async (
  { log }: Pick<OperationsContext, 'log'>,
  pool: string,
): Promise<readonly PoolChange[]> => {
  const events = await log.readStream(poolStream(pool));
  if (events.length === 0) throw unknownPool(pool);
  return events.map(({ type, data }) => {
    const { at, ...rest } = data as { at: string };
    return { at, type, data: rest };
  });
};
