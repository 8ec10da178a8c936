import { isoOf } from '../kernel/clock.ts';
import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Builds } from '../read/active-builds.ts';
import { createMembership, readPools } from '../read/frontier/frontier.ts';
import type { EventLog } from '../write/log/port.ts';
import { type Recruitment, recruitMembers } from '../write/pools/members.ts';
import type { Mention } from './discovery.ts';
import { seedPool } from './seed-pool.ts';

export interface Recruiter {
  /** Recruits accounts named by a reading, into pools with capacity. @returns how many were new. */
  recruit(found: readonly Mention[], from: string, nowMs: number): Promise<number>;
}

/** Names that were looked up recently, so that a frequently named account is not looked up each time. */
const MAX_REMEMBERED = 200_000;
const CAPACITY_MS = 5_000;

const nameOf = ({ platform, handle }: Mention): string => `${platform}:${handle}`;

/** One recruitment for each platform of the accounts. */
const recruitmentsOf = (found: readonly Mention[], from: string, nowMs: number): readonly Recruitment[] => {
  const platforms: readonly Platform[] = [...new Set(found.map(({ platform }) => platform))];
  return platforms.map((platform) => ({
    platform,
    pool: seedPool(platform),
    observed_at: isoOf(nowMs),
    from,
    members: found.filter((each) => each.platform === platform).map(({ handle, via }) => ({ handle, via })),
  }));
};

export const createRecruiter = (db: Queryable, builds: Builds, log: EventLog): Recruiter => {
  const isMember = createMembership(db, builds);
  const tried = new Set<string>();
  let capacities = new Map<string, number>();
  let askedAtMs = Number.NEGATIVE_INFINITY;

  const refreshCapacities = async (nowMs: number): Promise<void> => {
    if (nowMs - askedAtMs <= CAPACITY_MS) return;
    askedAtMs = nowMs;
    const pools = await readPools(db, builds);
    capacities = new Map(pools.map(({ pool, paused, capacity }) => [pool, paused ? 0 : capacity]));
  };
  /** Whether the account's pool takes one more. */
  const takes = ({ platform }: Mention): boolean => {
    const capacity = capacities.get(seedPool(platform)) ?? 0;
    capacities.set(seedPool(platform), capacity - 1);
    return capacity > 0;
  };
  const recruitNew = async (found: readonly Mention[], from: string, nowMs: number): Promise<number> => {
    await refreshCapacities(nowMs);
    const known = await Promise.all(found.map(({ platform, handle }) => isMember(platform, handle)));
    const unknown = found.filter((_, i) => known[i] === false);
    const taken = unknown.filter(takes);
    // There may be capacity later.
    for (const each of unknown) if (!taken.includes(each)) tried.delete(nameOf(each));
    await recruitMembers(log, recruitmentsOf(taken, from, nowMs));
    return taken.length;
  };
  return {
    recruit: async (found, from, nowMs) => {
      const fresh = found.filter((each) => !tried.has(nameOf(each)));
      if (fresh.length === 0) return 0;
      // Before the attempt: readings that name the same account at the same time try it once.
      if (tried.size > MAX_REMEMBERED) tried.clear();
      for (const each of fresh) tried.add(nameOf(each));
      try {
        return await recruitNew(fresh, from, nowMs);
      } catch (error) {
        for (const each of fresh) tried.delete(nameOf(each));
        throw error;
      }
    },
  };
};
