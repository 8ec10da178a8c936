import { isoOf } from '../kernel/clock.ts';
import type { Platform } from '../kernel/platform.ts';
import { handleCommand } from '../write/log/command-handler.ts';
import type { EventLog } from '../write/log/port.ts';
import { createPool, poolDecider, poolStream, recruitMembers } from '../write/pools/pool.ts';

/** Each platform's default pool: accounts named by operators, and those discovered from them. */
export const seedPool = (platform: Platform): string => `seed-${platform}`;

/** Settings of a new seed pool. */
export interface SeedTuning {
  readonly refreshMinS: number;
  readonly refreshMaxS: number;
  readonly sizeCap: number;
}

const DEFAULT_TUNING: SeedTuning = {
  refreshMinS: 6 * 3_600,
  refreshMaxS: 7 * 86_400,
  sizeCap: 1_000_000,
};

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
