import { mix } from '../../../infra/simulator/world/hash.ts';
import {
  DEFAULT_LIMITS,
  decide,
  drawPools,
  evidenceOf,
  type HourOfPool,
  hoursThatCount,
  type Limits,
  withPriors,
} from '../../../src/write/research/policy.ts';
import type { Policy } from './policy.ts';

/** A cap that no pool reaches: the bench is about shares. */
const UNBOUNDED = { size_cap: 1e9, size_cap_least: 1e9, accounts: 0 };

/** The policy of runs, once an hour, within the default limits. */
export const ours =
  (limits: Limits = DEFAULT_LIMITS): Policy =>
  (pools, seed) => {
    const hours: HourOfPool[][] = Array.from({ length: pools }, () => []);
    let shares: readonly number[] = new Array<number>(pools).fill(1);
    return {
      shares: (hour) => {
        const inputs = shares.map((share, n) => ({
          pool: `pool-${n}`,
          platform: null,
          figures: {
            ...{ share, share_least: share, share_greatest: share, may_change: 1, ...UNBOUNDED },
            ...evidenceOf(hours[n] as HourOfPool[], hour, limits.half_life_h),
          },
        }));
        const decisions = decide('', drawPools(mix(seed, hour), withPriors(inputs), limits), limits);
        shares = decisions.map(({ tuning }, n) => tuning.share ?? (shares[n] as number));
        return shares;
      },
      observe: (hour, found) => {
        for (const [n, each] of found.entries()) {
          const kept = hours[n] as HourOfPool[];
          kept.push({ hour, ...each, namers: each.discovered });
          if (kept.length > hoursThatCount(limits.half_life_h)) kept.shift();
        }
      },
    };
  };
