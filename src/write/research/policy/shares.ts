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

/** A change of less than this factor is none: pools settle, and their history stays short. */
const LEAST_CHANGE = 1.1;
/** What shares may be beside their sum: less than the digits that are recorded. */
const EXACT = 1e-6;

const isChange = (from: number, to: number): boolean =>
  to >= from * LEAST_CHANGE || to <= from / LEAST_CHANGE;

/**
 * Shares as they are decided: pools whose target is near their share keep it. The sum stays nevertheless: what they keep is passed on, from
 * the pool that is furthest from its target to the nearest, and one takes it as soon as that is a change. What is left then is taken by
 * the largest of them.
 */
export const settledShares = (
  present: readonly number[],
  targets: readonly number[],
  bounds: readonly Bounds[],
): readonly number[] => {
  const shares = [...targets];
  const held = present.map((_, n) => n).filter((n) => !isChange(present[n] as number, targets[n] as number));
  if (held.length === present.length) return present;
  for (const n of held) shares[n] = present[n] as number;
  let left = 0;
  /** Gives a pool what is left, as far as its bounds allow it, if that is as much as it takes. */
  const pass = (n: number, isEnough: (next: number) => boolean): void => {
    const { least, greatest } = bounds[n] as Bounds;
    const before = shares[n] as number;
    const next = Math.min(greatest, Math.max(least, before + left));
    if (!isEnough(next)) return;
    shares[n] = next;
    left -= next - before;
  };
  const distance = (n: number) => Math.abs(Math.log((targets[n] as number) / (present[n] as number)));
  for (const n of held.toSorted((a, b) => distance(b) - distance(a))) {
    left += (targets[n] as number) - (present[n] as number);
    pass(n, (next) => isChange(present[n] as number, next));
  }
  const sum = present.reduce((a, b) => a + b, 0);
  for (const n of held.toSorted((a, b) => (present[b] as number) - (present[a] as number)))
    if (Math.abs(left) > EXACT * sum) pass(n, () => true);
  return shares;
};

/** Weights of pools: a floor for each living one, and the rest by the probability that it is the best. */
export const weightsOf = (wins: readonly number[], floor: number): readonly number[] =>
  wins.map((share) => floor / wins.length + (1 - floor) * share);
