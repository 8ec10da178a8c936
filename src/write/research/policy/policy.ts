import { uuidV5 } from '../../../kernel/ids.ts';
import { rounded } from './rounded.ts';
import {
  type Bounds,
  drawYields,
  priorMean,
  settledShares,
  sharesWithin,
  weightsOf,
  winsOf,
} from './shares.ts';

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
