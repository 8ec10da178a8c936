import { isoOf } from '../../src/kernel/clock.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import type { PoolEvent } from '../../src/write/pools/pool.ts';

type Created = Extract<PoolEvent, { type: 'PoolCreated' }>['data'];

/** A pool's first event. */
export const poolCreated = (
  pool: string,
  platform: Platform,
  nowMs: number,
  more: Partial<Created> = {},
): Created => ({
  at: isoOf(nowMs),
  pool,
  platform,
  rule: 'seed',
  seeds: null,
  depth: null,
  sources: [],
  share: 1,
  refresh: 'by_change',
  refresh_min_s: 60,
  refresh_max_s: 600,
  refresh_factor: 1,
  refresh_threshold: null,
  requests_per_day: null,
  size_cap: 10,
  schedule: null,
  min_holders: 2,
  ...more,
});
