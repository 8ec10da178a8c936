import { createCommunities } from '../../infra/simulator/world/communities.ts';
import { bell, mix, unit } from '../../infra/simulator/world/hash.ts';
import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import { poisson } from './poisson.ts';

/** Accounts of the world, and pools that are crawled: a community each. */
const ACCOUNTS = 1_000_000;
export const POOLS = 40;
/** Share of mentions that leave the community, and accounts that exhausted ones name, as in the simulator's graph. */
const OUTWARD = 0.3;
const NAMED_BY_EXHAUSTED = 3;
/** Accounts that are known at the beginning. */
const KNOWN = 0.02;
/** Days in which most newcomers of a wave come, as in the simulator's communities. */
const WAVE_DAYS = 8;
/** Drift of ln density: deviation, and days after which it has forgotten most. Chosen: no source was found. */
const DRIFT = { sigma: 0.5, days: 7 } as const;
/** Deviation of ln names of an hour: posts of an hour are about one topic. Chosen. */
const CLUSTERING = 0.3;

/** What policies don't know, as benches print it. */
export const HIDDEN = `Hidden: ${POOLS} communities of ${ACCOUNTS.toLocaleString('en-US')} accounts, of which ${KNOWN * 100} % are known; ${OUTWARD * 100} % of mentions leave the community; ln density drifts by ${DRIFT.sigma} within ${DRIFT.days} days; names of an hour vary by ${CLUSTERING * 100} %; waves of newcomers begin within the time.`;

/** A pool of the world, as it is at present. */
interface PoolState {
  readonly density: number;
  readonly isExhausted: boolean;
  /** Newcomers, and the hour in which they begin to come; null without a wave. */
  readonly wave: { readonly newcomers: number; readonly from: number } | null;
  size: number;
  unknown: number;
  drift: number;
}

export interface PoolsOfWorld {
  /** Expected finds a request of each pool at present. */
  yields(): readonly number[];
  /** Reads accounts of a pool. @returns accounts that were not known. */
  read(pool: number, requests: number): number;
  /** The next hour: densities drift, newcomers come. */
  next(): void;
}

/**
 * Pools over communities of a document: those are dead, exhausted, drift, dry up as they are read, and some have a wave of newcomers, whose
 * begin is drawn within the hours.
 */
export const createPools = (parameters: Parameters, seed: number, hours: number): PoolsOfWorld => {
  const { all } = createCommunities(seed, ACCOUNTS, parameters);
  const order = all.map((each) => each.number).sort((a, b) => unit(mix(seed, 1), a) - unit(mix(seed, 1), b));
  const pools: PoolState[] = order.slice(0, POOLS).map((number) => {
    const { size, density, state, wave } = all[number] as (typeof all)[number];
    const newcomers = wave === null ? 0 : Math.round(size * parameters.communities.newcomers);
    const present = size - newcomers;
    const isExhausted = state === 'exhausted';
    return {
      density,
      isExhausted,
      wave: wave === null ? null : { newcomers, from: Math.floor(unit(mix(seed, 2), number) * hours) },
      size: present,
      unknown: isExhausted ? NAMED_BY_EXHAUSTED : Math.round(present * (1 - KNOWN)),
      drift: DRIFT.sigma * bell(mix(seed, 3), number * 8),
    };
  });
  let [hour, elsewhere] = [0, Math.round((1 - KNOWN) * ACCOUNTS)];
  const namesOf = ({ density, drift }: PoolState): number => density * Math.exp(drift);
  const yieldOf = (pool: PoolState): number => {
    const local = pool.unknown / Math.max(1, pool.size);
    return pool.isExhausted
      ? local
      : namesOf(pool) * ((1 - OUTWARD) * local + OUTWARD * (elsewhere / ACCOUNTS));
  };
  return {
    yields: () => pools.map(yieldOf),
    read: (n, requests) => {
      const pool = pools[n] as PoolState;
      const key = mix(mix(seed, 4), hour * POOLS + n);
      const clustered = Math.exp(CLUSTERING * bell(key, 8) - CLUSTERING ** 2 / 2);
      const outward = pool.isExhausted ? 0 : namesOf(pool) * OUTWARD * (elsewhere / ACCOUNTS);
      const local = yieldOf(pool) - outward;
      const found = Math.min(Math.floor(pool.unknown), poisson(requests * local * clustered, mix(key, 5)));
      const away = Math.min(elsewhere, poisson(requests * outward * clustered, mix(key, 6)));
      pool.unknown -= found;
      elsewhere -= away;
      return found + away;
    },
    next: () => {
      hour += 1;
      const keep = Math.exp(-1 / (24 * DRIFT.days));
      for (const [n, pool] of pools.entries()) {
        pool.drift =
          keep * pool.drift + DRIFT.sigma * Math.sqrt(1 - keep ** 2) * bell(mix(mix(seed, 7), hour), n * 8);
        if (pool.wave === null || hour <= pool.wave.from) continue;
        const share = (at: number) => 1 - Math.exp(-(at - (pool.wave?.from ?? 0)) / (24 * WAVE_DAYS));
        const come = pool.wave.newcomers * (share(hour) - share(hour - 1));
        pool.size += come;
        pool.unknown += come;
      }
    },
  };
};
