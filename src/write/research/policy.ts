/** The pure policy of the research engine: yields, shares, caps. */

import { uuidV5 } from '../../kernel/ids.ts';
import { gamma, uniformsOf } from './random-draws.ts';

/** Six significant digits: what is recorded is what was used, and does not depend on the last bits of a logarithm. */
export const rounded = (value: number): number => Number(value.toPrecision(6));

/** The version of the rules below. A run that names it is replayed by them alone. */
export const POLICY = 'discounted-thompson-3';

/** What decisions rest on and how far they go: recorded with each run. */
export interface Limits {
  /** A share is at most multiplied or divided by it within an hour. */
  readonly share_factor_per_hour: number;
  /** The same of a pool's cap. */
  readonly size_factor_per_hour: number;
  /** The largest cap that is decided. */
  readonly size_cap: number;
  /** Part of the shares that all pools have alike, whatever they yield. */
  readonly floor: number;
  /** Hours after which evidence counts half as much. */
  readonly half_life_h: number;
  /** Yields drawn of each pool. */
  readonly draws: number;
}

export const DEFAULT_LIMITS: Limits = {
  share_factor_per_hour: 2,
  size_factor_per_hour: 1.5,
  size_cap: 1_000_000,
  floor: 0.1,
  half_life_h: 24,
  draws: 64,
};

/** Figures of a pool that decisions follow from, as events have them. */
export interface Figures {
  readonly share: number;
  /** The least and the greatest share of the last hour. */
  readonly share_least: number;
  readonly share_greatest: number;
  readonly size_cap: number;
  /** The least cap of the last hour. */
  readonly size_cap_least: number;
  /** Accounts that it has; null if unknown. */
  readonly accounts: number | null;
  /** Discounted requests for its accounts, and what they discovered. */
  readonly requests: number;
  readonly discovered: number;
  /** Accounts that named what they discovered, discounted likewise. */
  readonly namers: number;
  /** Mean yield of the platform's pools, which is the prior of each. */
  readonly prior: number;
  /** 1 if the operator lets the engine change it, else 0. */
  readonly may_change: number;
}

export interface PoolInput {
  readonly pool: string;
  /** Pools of one platform share its requests. */
  readonly platform: string | null;
  readonly figures: Figures;
}

/** A pool with the yields that were drawn of it. */
export interface DrawnPool extends PoolInput {
  readonly draws: readonly number[];
}

export interface Decision {
  readonly decision: string;
  readonly pool: string;
  readonly action: 'expand' | 'hold' | 'shrink';
  readonly tuning: { readonly share?: number | undefined; readonly size_cap?: number | undefined };
}

/** A pool with this part of its cap taken is full. */
const FULL = 0.8;
/** Bounds of shares in events of pools. */
const [LEAST_SHARE, GREATEST_SHARE] = [1e-6, 1e6];

const byPlatform = <Pool extends PoolInput>(pools: readonly Pool[]): readonly (readonly Pool[])[] => [
  ...Map.groupBy(pools, ({ platform }) => platform).values(),
];

/** Adds the prior of each pool: the mean yield of its platform. */
export const withPriors = <
  Pool extends Omit<PoolInput, 'figures'> & { readonly figures: Omit<Figures, 'prior'> },
>(
  pools: readonly Pool[],
): readonly (Pool & PoolInput)[] => {
  const groups = Map.groupBy(pools, ({ platform }) => platform);
  const priors = new Map(
    [...groups].map(([platform, group]) => [platform, priorMean(group.map(({ figures }) => figures))]),
  );
  return pools.map((each) => ({
    ...each,
    figures: { ...each.figures, prior: priors.get(each.platform) as number },
  }));
};

/** Draws yields of all pools: the same of the same seed, figures and limits, whatever other pools there are. */
export const drawPools = <Pool extends PoolInput>(
  seed: number,
  pools: readonly Pool[],
  limits: Limits,
): readonly (Pool & DrawnPool)[] =>
  pools.map((each) => ({
    ...each,
    draws: drawYields(seed, each.pool, each.figures, each.figures.prior, limits.draws),
  }));

/** The shares that the limit per hour leaves a pool. What an operator set lies within them. */
const boundsOf = (
  { share, share_least, share_greatest }: Pick<Figures, 'share' | 'share_least' | 'share_greatest'>,
  limits: Limits,
): Bounds => ({
  least: Math.max(LEAST_SHARE, Math.min(share, share_greatest / limits.share_factor_per_hour)),
  greatest: Math.min(GREATEST_SHARE, Math.max(share, share_least * limits.share_factor_per_hour)),
});

/** The largest cap that the limits leave a pool. */
const greatestCap = ({ size_cap_least }: Pick<Figures, 'size_cap_least'>, limits: Limits): number =>
  Math.floor(Math.min(limits.size_cap, size_cap_least * limits.size_factor_per_hour));

/** The cap of a pool that may hold more; null if it stays. */
const capOf = (figures: Figures, limits: Limits): number | null => {
  const { accounts, size_cap } = figures;
  if (accounts === null || accounts < FULL * size_cap) return null;
  const most = greatestCap(figures, limits);
  return most > size_cap ? most : null;
};

/**
 * Whether limits allow a change of a pool: those that are active when it is carried out, whatever those were that it was decided under.
 * @param figures of the pool at that time.
 */
export const allows = (
  limits: Limits,
  figures: Pick<Figures, 'share' | 'share_least' | 'share_greatest' | 'size_cap' | 'size_cap_least'>,
  { share, size_cap }: Decision['tuning'],
): boolean => {
  const { least, greatest } = boundsOf(figures, limits);
  const isShareAllowed = share === undefined || (share >= rounded(least) && share <= rounded(greatest));
  const isCapAllowed =
    size_cap === undefined || size_cap <= Math.max(figures.size_cap, greatestCap(figures, limits));
  return isShareAllowed && isCapAllowed;
};

const decided = (
  run: string,
  pool: string,
  action: Decision['action'],
  tuning: Decision['tuning'],
): Decision => ({
  decision: uuidV5(`decision ${run} ${pool}`),
  pool,
  action,
  tuning,
});

/** A decision on a pool that gets a share, and a cap unless that stays. */
const decideOne = (
  run: string,
  { pool, figures }: DrawnPool,
  share: number,
  cap: number | null,
): Decision => {
  const isSame = share === figures.share;
  if (isSame && cap === null) return decided(run, pool, 'hold', {});
  const tuning = { share: isSame ? share : rounded(share), ...(cap === null ? {} : { size_cap: cap }) };
  return decided(run, pool, share < figures.share ? 'shrink' : 'expand', tuning);
};

const decideGroup = (run: string, group: readonly DrawnPool[], limits: Limits): readonly Decision[] => {
  const hasEvidence = group.some(({ figures }) => figures.requests > 0);
  // Without evidence the highest draw is chance.
  const open = hasEvidence ? group.filter(({ figures }) => figures.may_change === 1) : [];
  const weights = weightsOf(winsOf(open.map(({ draws }) => draws)), limits.floor);
  const present = open.map(({ figures }) => figures.share);
  const caps = open.map(({ figures }, n) =>
    (weights[n] as number) * open.length >= 1 ? capOf(figures, limits) : null,
  );
  const bounds = open.map(({ figures }, n) => {
    const { least, greatest } = boundsOf(figures, limits);
    // A pool that may hold more takes no less.
    return { least: caps[n] === null ? least : figures.share, greatest };
  });
  const sum = present.reduce((total, share) => total + share, 0);
  const shares = settledShares(present, sharesWithin(weights, bounds, sum), bounds);
  const chosen = new Map(open.map(({ pool }, n) => [pool, n]));
  return group.map((each) => {
    const n = chosen.get(each.pool);
    return n === undefined
      ? decided(run, each.pool, 'hold', {})
      : decideOne(run, each, shares[n] as number, caps[n] ?? null);
  });
};

/** Decides on every pool, from recorded figures, draws and limits alone. The sum of a platform's shares stays. */
export const decide = (run: string, pools: readonly DrawnPool[], limits: Limits): readonly Decision[] => {
  const found = new Map(
    byPlatform(pools).flatMap((group) =>
      decideGroup(run, group, limits).map((each) => [each.pool, each] as const),
    ),
  );
  return pools.map(({ pool }) => found.get(pool) as Decision);
};

/** What readings of a pool's accounts cost and gave in an hour, counted since 1970. */
export interface HourOfPool {
  readonly hour: number;
  readonly requests: number;
  readonly discovered: number;
  readonly namers: number;
}

/** Sums in which older hours count less. */
export interface Evidence {
  readonly requests: number;
  readonly discovered: number;
  readonly namers: number;
}

/** Hours whose weight is below a thousandth, by half-life. */
export const hoursThatCount = (halfLifeH: number): number => Math.ceil(10 * halfLifeH);

/**
 * Discounted sums: an hour counts half as much a half-life later, since yields drift and pools dry up (discounted Thompson sampling: Raj and
 * Kalyani, *Taming non-stationary bandits*, 2017). @param hours at or before `now`.
 */
export const evidenceOf = (hours: readonly HourOfPool[], now: number, halfLifeH: number): Evidence => {
  let [requests, discovered, namers] = [0, 0, 0];
  for (const each of hours) {
    const weight = 0.5 ** (Math.max(0, now - each.hour) / halfLifeH);
    requests += weight * each.requests;
    discovered += weight * each.discovered;
    namers += weight * each.namers;
  }
  return { requests: rounded(requests), discovered: rounded(discovered), namers: rounded(namers) };
};

/** Yields are new accounts a thousand requests. */
const PER = 1_000;
/** The prior counts as one find: a pool without evidence is drawn from the exponential distribution around the platform's mean. */
const PRIOR_SHAPE = 1;
/** The mean of a platform on which nothing was found yet. */
const LEAST_MEAN = 0.1;

/** Mean yield of all pools of a platform: the prior of each. */
const priorMean = (pools: readonly Evidence[]): number => {
  const requests = pools.reduce((sum, pool) => sum + pool.requests, 0);
  const discovered = pools.reduce((sum, pool) => sum + pool.discovered, 0);
  return rounded(Math.max(LEAST_MEAN, requests === 0 ? LEAST_MEAN : (PER * discovered) / requests));
};

/**
 * The posterior of a pool's yield: Gamma–Poisson (Gelman et al., *Bayesian Data Analysis*, 2.6), with shape and rate. Finds of
 * one namer are one observation: counts vary by as many as a namer has in the mean (quasi-likelihood: McCullagh and Nelder,
 * *Generalized Linear Models*, ch. 9), so that finds and requests count as so many fewer.
 */
const posterior = (
  { requests, discovered, namers }: Evidence,
  mean: number,
): { readonly shape: number; readonly rate: number } => {
  const each = namers === 0 ? 1 : Math.max(1, discovered / namers);
  return { shape: PRIOR_SHAPE + discovered / each, rate: PRIOR_SHAPE / mean + requests / PER / each };
};

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
const winsOf = (draws: readonly (readonly number[])[]): readonly number[] => {
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
const sharesWithin = (
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
const settledShares = (
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
const weightsOf = (wins: readonly number[], floor: number): readonly number[] =>
  wins.map((share) => floor / wins.length + (1 - floor) * share);
