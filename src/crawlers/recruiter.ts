import { isoOf } from '../kernel/clock.ts';
import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Builds } from '../read/active-builds.ts';
import { readPools } from '../read/frontier/frontier.ts';
import { recordDiscoveries } from '../write/accounts/record-sighting.ts';
import type { EventLog } from '../write/log/port.ts';

import { seedPool } from './seed-pool.ts';

export interface Recruiter {
  /** Recruits accounts named by a reading, into pools with capacity. @returns how many were new. */
  recruit(
    found: readonly {
      readonly platform: Platform;
      readonly handle: string;
      readonly via: 'mention' | 'link';
    }[],
    from: string,
    nowMs: number,
  ): Promise<number>;
}

/** Recently tried names, so that a frequently mentioned account is not tried again each time. */
const MAX_REMEMBERED = 200_000;
const CAPACITY_MS = 5_000;

export const createRecruiter = (db: Queryable, builds: Builds, log: EventLog): Recruiter => {
  const tried = new Set<string>();
  let capacities = new Map<string, number>();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  return {
    recruit: async (found, from, nowMs) => {
      const fresh = found.filter(({ platform, handle }) => !tried.has(`${platform}:${handle}`));
      if (fresh.length === 0) return 0;
      if (nowMs - askedAtMs > CAPACITY_MS) {
        askedAtMs = nowMs;
        capacities = new Map(
          (await readPools(db, builds)).map((pool) => [pool.pool, pool.paused ? 0 : pool.capacity]),
        );
      }
      const taken = fresh.filter(({ platform }) => {
        const capacity = capacities.get(seedPool(platform)) ?? 0;
        capacities.set(seedPool(platform), capacity - 1);
        return capacity > 0;
      });
      // Before the attempt: readings that name the same account at the same time try it once.
      if (tried.size > MAX_REMEMBERED) tried.clear();
      const names = taken.map(({ platform, handle }) => `${platform}:${handle}`);
      for (const name of names) tried.add(name);
      try {
        return await recordDiscoveries(
          log,
          taken.map(({ platform, handle, via }) => ({
            platform,
            handle,
            data: { observed_at: isoOf(nowMs), via, pool: seedPool(platform), from },
          })),
        );
      } catch (error) {
        for (const name of names) tried.delete(name);
        throw error;
      }
    },
  };
};
