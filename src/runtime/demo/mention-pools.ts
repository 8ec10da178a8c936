import { isoOf } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { NEW_POOL } from '../../operations/pools/change-pool.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { createPool, poolDecider } from '../../write/pools/decide.ts';
import { poolStream } from '../../write/pools/events.ts';

/** Accounts that seeds mention are read before those that are further away, and discover more: a finding of the first minute. */
const SHARE = 4;
/** Platforms on which they have a pool of their own, so that research has pools to compare. */
const PLATFORMS: readonly Platform[] = ['x', 'instagram', 'tiktok', 'bluesky'];

/** Creates these pools unless they exist. What their accounts mention goes to the seed pools. */
export const createMentionPools = async (log: EventLog, nowMs: number): Promise<void> => {
  for (const platform of PLATFORMS) {
    const pool = `mentioned-${platform}`;
    const create = createPool({
      at: isoOf(nowMs),
      ...NEW_POOL,
      ...{ pool, platform, rule: 'mention', share: SHARE, seeds: null, depth: 1, sources: [] },
    });
    await handleCommand(log, poolDecider, poolStream(pool), create, { nowMs });
  }
};
