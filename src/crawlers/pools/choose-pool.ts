import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { PoolRow } from '../../read/pools.ts';
import type { Member } from '../../write/pools/pool.ts';
import { seedPool } from '../seed-pool.ts';

/** An account that a reading, a follower list or callers name. */
export interface Find extends Member {
  readonly platform: Platform;
  /** The pool whose account named it; null for callers. */
  readonly source: string | null;
  /** Holders who asked for it, where callers named it. */
  readonly holders?: number;
  /** Whether it is an account of the source under another name. */
  readonly isRenamed?: boolean;
}

type Recruiting = Pick<PoolRow, 'pool' | 'platform' | 'rule' | 'sources' | 'depth' | 'min_holders'>;

/** How readings name accounts. */
const OF_READINGS: ReadonlySet<Find['via']> = new Set(['mention', 'link']);

/** Whether a pool's rule takes a find. */
const takes = ({ platform, rule, sources, depth, min_holders }: Recruiting, find: Find): boolean =>
  platform === find.platform &&
  rule === find.via &&
  (sources.length === 0 || (find.source !== null && sources.includes(find.source))) &&
  (depth === null || (find.depth !== null && find.depth <= depth)) &&
  (rule !== 'demand' || (find.holders ?? 0) >= min_holders);

/**
 * The pools that may recruit a find, the first with capacity does: those whose rule takes it, by name; if there are none, the
 * seed pool of its platform, where a reading named it.
 */
export const poolsFor = (find: Find, pools: readonly Recruiting[]): readonly string[] => {
  if (find.isRenamed === true && find.source !== null) return [find.source];
  const ruled = pools.filter((pool) => takes(pool, find)).map(({ pool }) => pool);
  if (ruled.length > 0 || !OF_READINGS.has(find.via)) return ruled.sort();
  return pools.some(({ pool }) => pool === seedPool(find.platform)) ? [seedPool(find.platform)] : [];
};

/** Finds by the pool that recruits them. */
export const byPool = (chosen: ReadonlyMap<Find, string>): readonly (readonly [Platform, string, Find[]])[] =>
  PLATFORMS.flatMap((platform) => {
    const finds = [...chosen].filter(([find]) => find.platform === platform);
    const pools = [...new Set(finds.map(([, pool]) => pool))];
    return pools.map(
      (pool) => [platform, pool, finds.filter(([, each]) => each === pool).map(([find]) => find)] as const,
    );
  });
