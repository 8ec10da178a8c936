import { uuidV5 } from '../../../kernel/ids.ts';
import { rounded } from './rounded.ts';
import { type Bounds, drawYields, priorMean, sharesWithin, weightsOf, winsOf } from './shares.ts';

/** The version of the rules below. A run that names it is replayed by them alone. */
export const POLICY = 'discounted-thompson-1';

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
  readonly tuning: { readonly share?: number; readonly size_cap?: number };
}

/** A change of less than this factor is none: pools settle, and their history stays short. */
const LEAST_CHANGE = 1.1;
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
const boundsOf = ({ share, share_least, share_greatest }: Figures, limits: Limits): Bounds => ({
  least: Math.max(LEAST_SHARE, Math.min(share, share_greatest / limits.share_factor_per_hour)),
  greatest: Math.min(GREATEST_SHARE, Math.max(share, share_least * limits.share_factor_per_hour)),
});

/** The cap of a pool that may hold more; null if it stays. */
const capOf = ({ accounts, size_cap, size_cap_least }: Figures, limits: Limits): number | null => {
  if (accounts === null || accounts < FULL * size_cap) return null;
  const most = Math.floor(Math.min(limits.size_cap, size_cap_least * limits.size_factor_per_hour));
  return most > size_cap ? most : null;
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

const decideOne = (
  run: string,
  { pool, figures }: DrawnPool,
  share: number,
  weight: number,
  limits: Limits,
): Decision => {
  const ratio = share / figures.share;
  const cap = weight >= 1 ? capOf(figures, limits) : null;
  if (ratio >= LEAST_CHANGE || cap !== null)
    return decided(run, pool, 'expand', {
      share: Math.max(share, figures.share),
      ...(cap === null ? {} : { size_cap: cap }),
    });
  return ratio <= 1 / LEAST_CHANGE ? decided(run, pool, 'shrink', { share }) : decided(run, pool, 'hold', {});
};

const decideGroup = (run: string, group: readonly DrawnPool[], limits: Limits): readonly Decision[] => {
  const hasEvidence = group.some(({ figures }) => figures.requests > 0);
  // Without evidence the highest draw is chance.
  const open = hasEvidence ? group.filter(({ figures }) => figures.may_change === 1) : [];
  const weights = weightsOf(winsOf(open.map(({ draws }) => draws)), limits.floor);
  const sum = open.reduce((total, { figures }) => total + figures.share, 0);
  const shares = sharesWithin(
    weights,
    open.map(({ figures }) => boundsOf(figures, limits)),
    sum,
  );
  const chosen = new Map(open.map(({ pool }, n) => [pool, n]));
  return group.map((each) => {
    const n = chosen.get(each.pool);
    return n === undefined
      ? decided(run, each.pool, 'hold', {})
      : decideOne(run, each, rounded(shares[n] as number), (weights[n] as number) * open.length, limits);
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
