import { createControls } from '../../crawlers/engine/controls.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { pools as poolsView } from '../../projections/views/pools/projection.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import {
  changePool,
  createPool as creation,
  type PoolEvent,
  type PoolState,
  type PoolTuning,
  poolDecider,
  poolStream,
} from '../../write/pools/pool.ts';
import type { OperationsContext } from '../context.ts';
import { waitForProjection } from '../projections/read-model.ts';
import { checkIntervals, type Rule } from './pool-settings.ts';
import { listPools, poolNamed, showPool, unknownPool } from './pools.ts';

/** Settings of a new pool. */
export const NEW_POOL: PoolTuning = {
  share: 1,
  refresh: 'by_change',
  refresh_min_s: 6 * 3_600,
  refresh_max_s: 7 * 86_400,
  refresh_factor: 1,
  refresh_threshold: null,
  requests_per_day: null,
  size_cap: 1_000_000,
  schedule: null,
  min_holders: 2,
};

/** A pool as an operator creates it. */
export interface NewPool extends PoolTuning {
  readonly pool: string;
  readonly platform: Platform;
  readonly rule: Rule;
  /** Digest and length of its seed list; null without one. */
  readonly seeds: { readonly digest: string; readonly count: number } | null;
  readonly depth: number | null;
  readonly sources: readonly string[];
}

/** Creates a pool. @throws {OperatorError} `pool_exists`, `pool_invalid`, `pool_unknown` for a source. */
export const createPool = async (context: OperationsContext, created: NewPool): Promise<void> => {
  checkIntervals(created);
  if (created.sources.length > 0 && (created.rule === 'seed' || created.rule === 'demand'))
    throw new OperatorError(
      'pool_invalid',
      `A pool with the rule ${created.rule} has no source pools: leave them out.`,
    );
  for (const source of created.sources) await poolNamed(context, source);
  const isNew = await change(context, created.pool, (state, at) =>
    creation({ at, ...created, sources: [...created.sources] })(state),
  );
  if (!isNew)
    throw new OperatorError('pool_exists', `There is a pool ${created.pool} already.`, {
      params: { pool: created.pool },
    });
};

/** Changes settings; omitted ones stay. @returns whether anything changed. @throws {OperatorError} */
export const tunePool = (
  context: OperationsContext,
  pool: string,
  settings: Partial<PoolTuning>,
): Promise<boolean> =>
  change(context, pool, (state, at) => {
    if (state.tuning !== null) checkIntervals({ ...state.tuning, ...settings });
    return changeOf(pool, () => ({ type: 'PoolTuned', data: { at, ...BY_OPERATOR, ...settings } }))(
      state,
      at,
    );
  });

/** Lets a pool hold more accounts, with a larger share. @throws {OperatorError} */
export const expandPool = async (
  context: OperationsContext,
  pool: string,
  to: { readonly share: number | null; readonly size_cap: number | null },
): Promise<boolean> => {
  const { share, size_cap } = await poolNamed(context, pool);
  const next = { share: to.share ?? share, size_cap: to.size_cap ?? size_cap };
  if (next.share < share || next.size_cap < size_cap)
    throw new OperatorError(
      'pool_invalid',
      `The pool ${pool} has more than that already: tune it to take less.`,
    );
  return change(
    context,
    pool,
    changeOf(pool, (at) => ({ type: 'PoolExpanded', data: { at, ...BY_OPERATOR, ...next } })),
  );
};

export const pausePool = (context: OperationsContext, pool: string, why: string): Promise<boolean> =>
  change(
    context,
    pool,
    changeOf(pool, (at) => ({ type: 'PoolPaused', data: { at, ...BY_OPERATOR, why } })),
  );

export const resumePool = (context: OperationsContext, pool: string): Promise<boolean> =>
  change(
    context,
    pool,
    changeOf(pool, (at) => ({ type: 'PoolResumed', data: { at, ...BY_OPERATOR } })),
  );

/** What ends with a pool. */
export interface Retirement {
  /** Accounts that it reads, those of pools whose heir it is included, and those of them that are due; null if unknown. */
  readonly accounts: number | null;
  readonly due: number | null;
  /** Retired pools whose accounts it reads. */
  readonly inherited: readonly string[];
  /** Pools that recruit what its accounts name, and from no other pool. */
  readonly fed: readonly string[];
  /** Whether no other pool of its platform is open. */
  readonly isLast: boolean;
}

/** What follows from retiring a pool. @throws {OperatorError} `pool_unknown` */
export const retirementOf = async (context: OperationsContext, pool: string): Promise<Retirement> => {
  const pools = await listPools(context);
  const { platform, took_over } = await showPool(context, pool);
  const inherited = took_over.map((each) => each.pool);
  const read = pools.filter((row) => row.pool === pool || inherited.includes(row.pool));
  const sumOf = (of: 'accounts' | 'due') =>
    read.some((row) => row[of] === null) ? null : read.reduce((sum, row) => sum + (row[of] ?? 0), 0);
  const open = pools.filter((row) => row.retired_at === null && row.pool !== pool);
  return {
    accounts: sumOf('accounts'),
    due: sumOf('due'),
    inherited,
    fed: open.filter(({ sources }) => sources.length === 1 && sources[0] === pool).map((row) => row.pool),
    isLast: !open.some((row) => row.platform === platform),
  };
};

/**
 * Ends a pool.
 * @param heir the pool that reads its accounts from now on; null if they are no longer read.
 * @throws {OperatorError} `pool_invalid` if the heir is of another platform, retired, or the pool itself; `pool_last` if no pool
 *   of the platform would be left while its engine runs.
 */
export const retirePool = async (
  context: OperationsContext,
  pool: string,
  heir: string | null,
  why: string,
): Promise<boolean> => {
  const { platform, retired_at } = await poolNamed(context, pool);
  if (heir !== null) {
    const found = await poolNamed(context, heir);
    const isFit = heir !== pool && found.platform === platform && found.retired_at === null;
    if (!isFit)
      throw new OperatorError(
        'pool_invalid',
        `${heir} can't take over ${pool}: the heir must be another pool of ${platform} that is not retired.`,
      );
  }
  const { isLast } = await retirementOf(context, pool);
  if (retired_at === null && isLast && !(await createControls(context.db).engine(platform)).paused)
    throw new OperatorError(
      'pool_last',
      `${pool} is the last open pool of ${platform}: without it nothing of the platform is read.`,
      { params: { platform } },
    );
  return change(
    context,
    pool,
    changeOf(pool, (at) => ({ type: 'PoolRetired', data: { at, ...BY_OPERATOR, why, heir } })),
  );
};

/** Undoes a retirement: the pool reads its accounts again, also those that an heir read. @throws {OperatorError} */
export const reopenPool = (context: OperationsContext, pool: string): Promise<boolean> =>
  change(context, pool, (state, at) => {
    if (!state.exists) throw unknownPool(pool);
    return changePool({ type: 'PoolReopened', data: { at, ...BY_OPERATOR } })(state);
  });

/** Changes by operators refer to no decision of the research engine. */
const BY_OPERATOR = { decision: null } as const;

/**
 * Carries out a command on a pool. When it returns, the change is visible to crawlers.
 * @returns whether anything changed.
 */
const change = async (
  context: OperationsContext,
  pool: string,
  decide: (state: PoolState, at: string) => readonly PoolEvent[],
): Promise<boolean> => {
  const nowMs = systemClock.now();
  const { outcome } = await handleCommand(
    context.log,
    poolDecider,
    poolStream(pool),
    (state) => decide(state, isoOf(nowMs)),
    { nowMs },
  );
  if (outcome === null) return false;
  await waitForProjection(context, poolsView, outcome.position);
  return true;
};

/** A change of a pool that exists and is not retired. */
const changeOf =
  (pool: string, eventAt: (at: string) => Exclude<PoolEvent, { type: 'PoolCreated' }>) =>
  (state: PoolState, at: string): readonly PoolEvent[] => {
    if (!state.exists) throw unknownPool(pool);
    if (state.retired)
      throw new OperatorError('pool_retired', `The pool ${pool} is retired and changes no more.`, {
        params: { pool },
      });
    return changePool(eventAt(at))(state);
  };
