import type { Evidence } from './evidence.ts';
import { gamma } from './gamma.ts';
import { uniformsOf } from './philox.ts';
import { rounded } from './rounded.ts';

/** Yields are new accounts a thousand requests. */
const PER = 1_000;
/** The prior counts as one find: a pool without evidence is drawn from the exponential distribution around the platform's mean. */
const PRIOR_SHAPE = 1;
/** The mean of a platform on which nothing was found yet. */
const LEAST_MEAN = 0.1;

/** Mean yield of all pools of a platform: the prior of each. */
export const priorMean = (pools: readonly Evidence[]): number => {
  const requests = pools.reduce((sum, pool) => sum + pool.requests, 0);
  const discovered = pools.reduce((sum, pool) => sum + pool.discovered, 0);
  return rounded(Math.max(LEAST_MEAN, requests === 0 ? LEAST_MEAN : (PER * discovered) / requests));
};

/** The posterior of a pool's yield: Gamma–Poisson (Gelman et al., *Bayesian Data Analysis*, 2.6), with shape and rate. */
const posterior = (
  { requests, discovered }: Evidence,
  mean: number,
): { readonly shape: number; readonly rate: number } => ({
  shape: PRIOR_SHAPE + discovered,
  rate: PRIOR_SHAPE / mean + requests / PER,
});

/** Yields drawn from the posterior of a pool. */
export const drawYields = (
  seed: number,
  pool: string,
  evidence: Evidence,
  mean: number,
  draws: number,
): readonly number[] => {
  const { shape, rate } = posterior(evidence, mean);
  const uniform = uniformsOf(seed, pool);
  return Array.from({ length: draws }, () => rounded(gamma(shape, uniform) / rate));
};

/**
 * How often each pool has the highest draw: the probability that it is the best one, as Thompson sampling would choose (Thompson 1933; Russo et
 * al., *A tutorial on Thompson sampling*, 2018). Of equal draws the first pool's counts.
 */
export const winsOf = (draws: readonly (readonly number[])[]): readonly number[] => {
  if (draws.length === 0) return [];
  const rounds = Math.min(...draws.map(({ length }) => length));
  const wins = draws.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    let best = 0;
    for (let pool = 1; pool < draws.length; pool++)
      if (
        ((draws[pool] as readonly number[])[round] as number) >
        ((draws[best] as readonly number[])[round] as number)
      )
        best = pool;
    wins[best] = (wins[best] as number) + 1;
  }
  return wins.map((n) => (rounds === 0 ? 1 / draws.length : n / rounds));
};

/** The least and the greatest share that a pool may have. */
export interface Bounds {
  readonly least: number;
  readonly greatest: number;
}

const STEPS = 100;

/**
 * Shares in proportion to weights within bounds, with a given sum as far as the bounds allow it: the factor on the weights is found by
 * bisection of its logarithm.
 */
export const sharesWithin = (
  weights: readonly number[],
  bounds: readonly Bounds[],
  sum: number,
): readonly number[] => {
  const at = (factor: number): readonly number[] =>
    weights.map((weight, n) => {
      const { least, greatest } = bounds[n] as Bounds;
      return Math.min(greatest, Math.max(least, factor * weight));
    });
  let [low, high] = [1e-12, 1e12];
  for (let step = 0; step < STEPS; step++) {
    const middle = Math.sqrt(low * high);
    if (at(middle).reduce((a, b) => a + b, 0) > sum) high = middle;
    else low = middle;
  }
  return at(Math.sqrt(low * high));
};

/** Weights of pools: a floor for each living one, and the rest by the probability that it is the best. */
export const weightsOf = (wins: readonly number[], floor: number): readonly number[] =>
  wins.map((share) => floor / wins.length + (1 - floor) * share);
