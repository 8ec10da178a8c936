import { isoOf } from '../../kernel/clock.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { NEW_POOL } from '../../operations/pools/change-pool.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { createPool, poolDecider } from '../../write/pools/decide.ts';
import { poolStream } from '../../write/pools/events.ts';

/** Accounts that seeds mention are read before those that are further away, and discover more: a finding of the first minute. */
const SHARE = 4;
/** Platforms on which they have a pool of their own, so that research has pools to compare. */
const COMPARED: readonly Platform[] = ['x', 'instagram', 'tiktok', 'bluesky'];

/** Creates the demo's pools unless they exist. What accounts of its mention pools mention goes to the seed pools. */
export const createDemoPools = async (log: EventLog, nowMs: number): Promise<void> => {
  const plain = { ...NEW_POOL, at: isoOf(nowMs), share: SHARE, seeds: null, sources: [] };
  const pools = [
    ...COMPARED.map((platform) => ({
      ...plain,
      ...{ pool: `mentioned-${platform}`, platform, rule: 'mention' as const, depth: 1 },
    })),
    // The demo has one holder.
    ...PLATFORMS.map((platform) => ({
      ...plain,
      ...{ pool: `demanded-${platform}`, platform, rule: 'demand' as const, depth: null, min_holders: 1 },
    })),
  ];
  for (const each of pools)
    await handleCommand(log, poolDecider, poolStream(each.pool), createPool(each), { nowMs });
};
