import { isoOf } from '../../kernel/clock.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { PoolRow } from '../../read/pools.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { createPool, type Member, poolDecider, poolStream, recruitMembers } from '../../write/pools/pool.ts';

/** An account that a reading, a follower list or callers name. */
export interface Find extends Member {
  readonly platform: Platform;
  /** The pool whose account named it; null for callers. */
  readonly source: string | null;
  /** Number of holders who asked for it, if callers named it. */
  readonly holders?: number;
  /** Whether it is an account of the source under another name. */
  readonly isRenamed?: boolean;
}

/**
 * The pools that may recruit a find, the first with capacity does: those whose rule takes it, by name; if there are
 * none, the seed pool of its platform, where a reading named it.
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

/** Each platform's default pool: accounts named by operators, and those discovered from them. */
export const seedPool = (platform: Platform): string => `seed-${platform}`;

/** Settings of a new seed pool. */
export interface SeedTuning {
  readonly refreshMinS: number;
  readonly refreshMaxS: number;
  readonly sizeCap: number;
}

/** Creates a platform's seed pool unless it exists. */
export const ensureSeedPool = async (
  log: EventLog,
  platform: Platform,
  nowMs: number,
  tuning: SeedTuning = DEFAULT_TUNING,
): Promise<void> => {
  const pool = seedPool(platform);
  const create = createPool({
    at: isoOf(nowMs),
    pool,
    platform,
    rule: 'seed',
    seeds: null,
    depth: null,
    sources: [],
    share: 1,
    refresh: 'by_change',
    refresh_min_s: tuning.refreshMinS,
    refresh_max_s: tuning.refreshMaxS,
    refresh_factor: 1,
    refresh_threshold: null,
    requests_per_day: null,
    size_cap: tuning.sizeCap,
    schedule: null,
    min_holders: 2,
  });
  await handleCommand(log, poolDecider, poolStream(pool), create, { nowMs });
};

/** Recruits accounts named by an operator. */
export const recruitSeeds = async (
  log: EventLog,
  platform: Platform,
  handles: readonly string[],
  nowMs: number,
): Promise<void> => {
  await ensureSeedPool(log, platform, nowMs);
  const members = [...new Set(handles)].map((handle) => ({
    handle,
    via: 'seed' as const,
    from: null,
    depth: 0,
  }));
  const pool = seedPool(platform);
  await recruitMembers(log, [{ platform, pool, observed_at: isoOf(nowMs), members }]);
};

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

const DEFAULT_TUNING: SeedTuning = {
  refreshMinS: 6 * 3_600,
  refreshMaxS: 7 * 86_400,
  sizeCap: 1_000_000,
};
