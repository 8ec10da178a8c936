import type { Policy } from './policy.ts';

const bestOf = (values: readonly number[]): number =>
  values.reduce((best, value, n) => (value > (values[best] as number) ? n : best), 0);

const all = (pools: number, to: number): readonly number[] =>
  Array.from({ length: pools }, (_, n) => (n === to ? 1 : 0));

export const equalShares: Policy = (pools) => ({
  shares: () => new Array<number>(pools).fill(1),
  observe: () => undefined,
});

/** All requests to the pool whose last yield was the highest; each is tried once. */
export const lastYield: Policy = (pools) => {
  const last = new Array<number>(pools).fill(Number.POSITIVE_INFINITY);
  return {
    shares: () => all(pools, bestOf(last)),
    observe: (_, found) => {
      for (const [n, { requests, discovered }] of found.entries())
        if (requests > 0) last[n] = discovered / requests;
    },
  };
};

/** A share of the requests for all pools alike, the rest to the highest mean yield since the beginning (Sutton and Barto 2018, 2.2). */
export const epsilonGreedy =
  (epsilon: number): Policy =>
  (pools) => {
    const sums = Array.from({ length: pools }, () => ({ requests: 0, discovered: 0 }));
    return {
      shares: () => {
        const best = bestOf(
          sums.map(({ requests, discovered }) => (requests === 0 ? 0 : discovered / requests)),
        );
        return all(pools, best).map((share) => epsilon / pools + (1 - epsilon) * share);
      },
      observe: (_, found) => {
        for (const [n, { requests, discovered }] of found.entries()) {
          const sum = sums[n] as { requests: number; discovered: number };
          sum.requests += requests;
          sum.discovered += discovered;
        }
      },
    };
  };

/** Knows the yields of every hour, and gives all requests to the highest. */
export const oracle: Policy = (pools, _, yields) => ({
  shares: () => all(pools, bestOf(yields())),
  observe: () => undefined,
});
