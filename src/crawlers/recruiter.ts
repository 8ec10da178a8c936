import { isoOf } from '../kernel/clock.ts';
import { PLATFORMS } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Builds } from '../read/active-builds.ts';
import { readMembers, readPools } from '../read/frontier/frontier.ts';
import type { EventLog } from '../write/log/port.ts';
import { type Recruitment, recruitMembers } from '../write/pools/members.ts';
import type { Mention } from './discovery.ts';
import { seedPool } from './seed-pool.ts';

export interface Recruiter {
  /** Recruits accounts named by a reading, into pools with capacity. @returns how many were new. */
  recruit(found: readonly Mention[], from: string, nowMs: number): Promise<number>;
}

/** An account that a reading names. */
interface Find extends Mention {
  /** Stream of the account that was read. */
  readonly from: string;
}

/** The finds of a reading, which wait for those of others. */
interface Waiting {
  readonly finds: readonly Find[];
  readonly nowMs: number;
  readonly resolve: (recruited: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Names that were looked up recently, so that a frequently named account is not looked up each time. */
const MAX_REMEMBERED = 200_000;
const CAPACITY_MS = 5_000;
/** How long finds wait for those of other readings, with which they share a look-up and an event a pool. */
const LINGER_MS = 50;

const nameOf = ({ platform, handle }: Mention): string => `${platform}:${handle}`;

/** One recruitment for each pool. */
const recruitmentsOf = (finds: readonly Find[], nowMs: number): readonly Recruitment[] =>
  PLATFORMS.map((platform) => ({
    platform,
    pool: seedPool(platform),
    observed_at: isoOf(nowMs),
    members: finds
      .filter((find) => find.platform === platform)
      .map(({ handle, via, from }) => ({ handle, via, from })),
  }));

export const createRecruiter = (db: Queryable, builds: Builds, log: EventLog): Recruiter => {
  const tried = new Set<string>();
  let capacities = new Map<string, number>();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let waiting: Waiting[] = [];

  const refreshCapacities = async (nowMs: number): Promise<void> => {
    if (nowMs - askedAtMs <= CAPACITY_MS) return;
    askedAtMs = nowMs;
    const pools = await readPools(db, builds);
    capacities = new Map(pools.map(({ pool, paused, capacity }) => [pool, paused ? 0 : capacity]));
  };
  /** Whether the account's pool takes one more. */
  const takes = ({ platform }: Find): boolean => {
    const capacity = capacities.get(seedPool(platform)) ?? 0;
    capacities.set(seedPool(platform), capacity - 1);
    return capacity > 0;
  };
  /** @returns the finds that were recruited. */
  const recruitNew = async (finds: readonly Find[], nowMs: number): Promise<ReadonlySet<Find>> => {
    await refreshCapacities(nowMs);
    const known = await readMembers(db, builds, finds);
    const unknown = finds.filter((find) => !known.has(nameOf(find)));
    const taken = new Set(unknown.filter(takes));
    // There may be capacity later.
    for (const find of unknown) if (!taken.has(find)) tried.delete(nameOf(find));
    await recruitMembers(log, recruitmentsOf([...taken], nowMs));
    return taken;
  };
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const finds = batch.flatMap((each) => each.finds);
    try {
      const taken = await recruitNew(finds, Math.max(...batch.map(({ nowMs }) => nowMs)));
      for (const each of batch) each.resolve(each.finds.filter((find) => taken.has(find)).length);
    } catch (error) {
      for (const find of finds) tried.delete(nameOf(find));
      for (const each of batch) each.reject(error);
    }
  };
  return {
    recruit: async (found, from, nowMs) => {
      const fresh = found.filter((each) => !tried.has(nameOf(each)));
      if (fresh.length === 0) return 0;
      // Before the attempt: readings that name the same account at the same time try it once.
      if (tried.size > MAX_REMEMBERED) tried.clear();
      for (const each of fresh) tried.add(nameOf(each));
      const finds = fresh.map((each) => ({ ...each, from }));
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setTimeout(flush, LINGER_MS);
        waiting.push({ finds, nowMs, resolve, reject });
      });
    },
  };
};
