/** Medians with intervals, percentiles, and ranks on ladders. */

import { quantileSorted } from 'simple-statistics';
import { MIN_TELLING, meanOver, ownness, type Persistence, reachOf, strengthsOf } from './dependence.ts';
import { halfStepOf } from './rounding.ts';

/** A figure with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Posts that it is made of. */
  readonly n: number;
}

export interface Distribution extends Estimate {
  /**
   * Whether its posts don't tell how strongly they depend on one another: they are fewer than 40, or a strength of their own
   * leaves them as little to say as fewer than 20 independent ones. For an account with streaks of its own the interval may
   * hold the median less often than stated.
   */
  readonly isUnclear: boolean;
  readonly p25: number;
  readonly p75: number;
}

/** A count, and what it is divided by. */
export interface Observation {
  readonly count: number;
  readonly per: number;
}

/** Two-sided 95 % quantile of the standard normal distribution. */
export const Z95 = 1.959964;
/** Counts with a lower median take few values. */
const FEW = 5;
/** Distance in deviations between the two largest of some ten normal values (Harter 1961). */
const EXTREME_GAP = 0.54;
/** Independent posts that as many dependent ones have to say as much as. */
const MIN_INDEPENDENT = 20;
/** Interquartile range of a standard normal distribution. */
const NORMAL_IQR = 1.349;

/**
 * Values with equal counts spread evenly over the step to which the counts are known, in ascending order: the median of
 * grouped data (Yule and Kendall, An Introduction to the Theory of Statistics, ch. 7). Without it the median of counts
 * of 0 and 1 is 0 or 1 and nothing between.
 */
const spread = (observations: readonly Observation[], digits: number | null): Float64Array => {
  const sorted = observations.toSorted((a, b) => a.count - b.count || b.per - a.per);
  const out = new Float64Array(sorted.length);
  for (let from = 0; from < sorted.length; ) {
    const { count } = sorted[from] as Observation;
    let to = from + 1;
    while (to < sorted.length && (sorted[to] as Observation).count === count) to += 1;
    const half = halfStepOf(count, digits);
    for (let i = from; i < to; i++) {
      const shifted = count - half + ((i - from + 0.5) / (to - from)) * 2 * half;
      out[i] = Math.max(0, shifted) / (sorted[i] as Observation).per;
    }
    from = to;
  }
  return out.sort();
};

/** The value at a fractional rank from 1; beyond the extremes, by the spread of the logarithms. */
const atRank = (sorted: Float64Array, rank: number): number => {
  const n = sorted.length;
  if (rank >= 1 && rank <= n) {
    const below = Math.floor(rank);
    const low = sorted[below - 1] as number;
    return low + (rank - below) * ((sorted[Math.min(n, below + 1) - 1] as number) - low);
  }
  const values = sorted as unknown as number[];
  const [q1, q3] = [quantileSorted(values, 0.25), quantileSorted(values, 0.75)];
  const extreme = (rank < 1 ? sorted[0] : sorted[n - 1]) as number;
  const sigma = q1 > 0 ? Math.log(q3 / q1) / NORMAL_IQR : 1;
  const beyond = rank < 1 ? rank - 1 : rank - n;
  return extreme * Math.exp(beyond * EXTREME_GAP * sigma);
};

/** Half of the distance in ranks between order statistics that are some four standard errors apart. */
const innerRank = (n: number): number => (n + 1) / 2 - Math.sqrt(n);

/** The interval of a median by its standard error in logarithms; null where a quantile that it needs is 0. */
const logInterval = (
  values: Float64Array,
  centre: number,
  reach: number,
): readonly [number, number] | null => {
  const n = values.length;
  const [inner, outer] = [atRank(values, innerRank(n)), atRank(values, n + 1 - innerRank(n))];
  if (inner <= 0) return null;
  const half = (reach / 4) * Math.log(outer / inner);
  return [centre * Math.exp(-half), centre * Math.exp(half)];
};

/** The interval of a median between order statistics. */
export const rankInterval = (values: Float64Array, reach: number): readonly [number, number] => {
  const n = values.length;
  const ranks = (reach / 2) * Math.sqrt(n);
  return [atRank(values, (n + 1) / 2 - ranks), atRank(values, (n + 1) / 2 + ranks)];
};

/**
 * Median and quartiles of an account's posts.
 *
 * Estimand: the median of what a post of the account has at a ripe age, over all posts that it might have published in
 * the window. Interval: the standard error of ln median is a quarter of the distance between the order statistics of
 * ranks (n + 1)/2 ± √n (McKean and Schrader 1984; Price and Bonett, "Estimating the variance of the sample median",
 * 2001), times a reach that holds 95 % over all strengths with which the account's posts may depend on one another
 * (`dependence.ts`). Where one of them is 0, and also where the strength is the account's own: order statistics of ranks
 * (n + 1)/2 ± reach √n / 2 (Campbell and Gardner, "Calculating confidence intervals for some non-parametric analyses",
 * BMJ 1988). Counts with a median below 5 have an interval of whole
 * numbers: it is rounded outwards.
 *
 * @param observations in order of time, at least two.
 * @param digits to which the counts are rounded; null for exact ones.
 */
export const distributionOf = (
  observations: readonly Observation[],
  catalog: Persistence,
  digits: number | null = null,
): Distribution => {
  const n = observations.length;
  const raw = observations.map(({ count, per }) => count / per);
  const sorted = raw.toSorted((a, b) => a - b);
  const middle = quantileSorted(sorted, 0.5);
  const strengths = strengthsOf(raw, catalog);
  const reach = reachOf(n, strengths);
  const isOwn = ownness(strengths) > 0.5;
  const values = spread(observations, digits);
  const centre = quantileSorted(values as unknown as number[], 0.5);
  const byRank = rankInterval(values, reach);
  const byLog = logInterval(values, centre, reach) ?? byRank;
  // Posts of two kinds are far apart on one side of the median, which the order statistics near it don't show; all that there are do.
  const low = isOwn ? Math.min(byLog[0], Math.max(byRank[0], values[0] as number)) : byLog[0];
  const high = isOwn ? Math.max(byLog[1], Math.min(byRank[1], values[n - 1] as number)) : byLog[1];
  const isFew = middle < FEW && observations.every(({ per }) => per === 1);
  // The grouped values serve the interval alone: the figure is the median that quartiles and populations are made of.
  return {
    value: middle,
    low: Math.min(middle, isFew ? Math.floor(low) : low),
    high: Math.max(middle, isFew ? Math.ceil(high) : high),
    n,
    p25: quantileSorted(sorted, 0.25),
    p75: quantileSorted(sorted, 0.75),
    isUnclear:
      n < MIN_TELLING || (isOwn && n / meanOver(strengths, ({ inflation }) => inflation) < MIN_INDEPENDENT),
  };
};

/** Neighbours that a percentile needs. */
const MIN_NEIGHBOURS = 30;

/** Share of neighbours so near that their own errors may put them on the wrong side. */
const MISRANKED = 1 / 3;

export interface Percentile {
  /** 0 to 100: neighbours with less, and half of those with the same. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly neighbours: number;
}

/** Shares of values below a value, and of those that are not above it. */
const ranksOf = (sorted: readonly number[], value: number): readonly [number, number] => {
  const bound = (isBefore: (other: number) => boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(sorted[middle] as number)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const ranks = [(other: number) => other < value, (other: number) => other <= value].map(bound);
  return [(ranks[0] as number) / sorted.length, (ranks[1] as number) / sorted.length];
};

/**
 * Where an account stands among its nearest neighbours by ln followers, or among the accounts of a size band.
 *
 * Estimand: the share of these neighbours whose hidden median is lower than the account's. The bounds of the account's
 * own interval are ranked among them, the lower one below its equals and the upper one above; the errors of the neighbours' medians are added in quadrature, as those of a share
 * of so many accounts of which a third may be ranked wrongly.
 *
 * @param neighbours their medians, ascending.
 * @returns null for fewer than 30 neighbours.
 */
export const percentileAmong = (estimate: Estimate, neighbours: readonly number[]): Percentile | null => {
  const n = neighbours.length;
  if (n < MIN_NEIGHBOURS) return null;
  const [below, notAbove] = ranksOf(neighbours, estimate.value);
  const share = (below + notAbove) / 2;
  const slack = Z95 * Math.sqrt(MISRANKED / (4 * n));
  const low = share - Math.hypot(share - ranksOf(neighbours, estimate.low)[0], slack);
  const high = share + Math.hypot(ranksOf(neighbours, estimate.high)[1] - share, slack);
  return { value: 100 * share, low: 100 * Math.max(0, low), high: 100 * Math.min(1, high), neighbours: n };
};

/** Every value of a ladder is within this share of the one that stands for it. */
const ACCURACY = 0.01;

export interface LadderRank {
  /** Share of the accounts with less, in percent: an estimate, and what it is certainly between. */
  readonly percentile: number;
  readonly low: number;
  readonly high: number;
  /** Rank from the top, 1 being the first: an estimate, and what it is certainly between. */
  readonly rank: number;
  readonly rankLow: number;
  readonly rankHigh: number;
  readonly n: number;
}

/**
 * The share of a ladder below a value, as if values grew by a constant factor within a step: figures have long tails.
 */
const shareBelow = (points: readonly number[], value: number): number => {
  const steps = points.length - 1;
  const above = points.findIndex((point) => point >= value);
  if (above === 0) return 0;
  if (above < 0) return 1;
  const [low, high] = [points[above - 1] as number, points[above] as number];
  const part = (Math.log1p(value) - Math.log1p(low)) / (Math.log1p(high) - Math.log1p(low));
  return (above - 1 + part) / steps;
};

/** Accounts with less and with more than a value, at least. */
const certainOf = (points: readonly number[], n: number, value: number) => {
  // Point k is the value of the account at this index, the accounts in ascending order.
  const nthOf = (point: number): number => Math.floor((point * (n - 1)) / (points.length - 1));
  const [least, most] = [value * (1 - ACCURACY), value * (1 + ACCURACY)];
  const lastBelow = points.findLastIndex((point) => point < least);
  const firstAbove = points.findIndex((point) => point > most);
  return {
    less: lastBelow < 0 ? 0 : nthOf(lastBelow) + 1,
    more: firstAbove < 0 ? 0 : n - nthOf(firstAbove),
  };
};

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/**
 * Where a value is in a population, by its ladder of 101 percentiles, which do not show how accounts are spread within a
 * percent: above the 99th one of 50,000 may have any rank up to 500.
 * @param points ascending, at least 0.
 */
export const rankInLadder = (points: readonly number[], n: number, value: number): LadderRank => {
  const { less, more } = certainOf(points, n, value);
  const share = shareBelow(points, value);
  // Of several with the same value each has the first rank of them.
  const rankLow = Math.min(n, more + 1);
  const rankHigh = Math.max(rankLow, n - less);
  const [low, high] = [(100 * less) / n, (100 * (n - more)) / n];
  return {
    percentile: within(100 * share, low, high),
    low,
    high,
    rank: within(Math.round((1 - share) * n), rankLow, rankHigh),
    rankLow,
    rankHigh,
    n,
  };
};
