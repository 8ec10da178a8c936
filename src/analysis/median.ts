import { quantileSorted } from 'simple-statistics';
import { agreementOf, inflationOf, type Persistence, persistenceOf } from './dependence.ts';
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
  inflation: number,
): readonly [number, number] | null => {
  const n = values.length;
  const [inner, outer] = [atRank(values, innerRank(n)), atRank(values, n + 1 - innerRank(n))];
  if (inner <= 0) return null;
  // Posts of a streak are near each other, so that a small sample is narrower than all posts that there might be.
  const shown = 1 - Math.min(0.5, (inflation - 1) / (n - 1));
  const reach = (Z95 / 4) * Math.sqrt(inflation / shown) * Math.log(outer / inner);
  return [centre * Math.exp(-reach), centre * Math.exp(reach)];
};

/** The interval of a median between order statistics. */
export const rankInterval = (values: Float64Array, inflation: number): readonly [number, number] => {
  const n = values.length;
  const reach = (Z95 / 2) * Math.sqrt(n * inflation);
  return [atRank(values, (n + 1) / 2 - reach), atRank(values, (n + 1) / 2 + reach)];
};

/**
 * Median and quartiles of an account's posts.
 *
 * Estimand: the median of what a post of the account has at a ripe age, over all posts that it might have published in
 * the window. Interval: the standard error of ln median is a quarter of the distance between the order statistics of
 * ranks (n + 1)/2 ± √n (McKean and Schrader 1984; Price and Bonett, "Estimating the variance of the sample median",
 * 2001), times the root of the inflation by hot streaks (`dependence.ts`), corrected for the spread that a sample with
 * streaks lacks (Bayley and Hammersley, "The effective number of independent observations", 1946). Where one of them is
 * 0: order statistics of ranks (n + 1)/2 ± z √(n · inflation) / 2 (Campbell and Gardner, "Calculating confidence
 * intervals for some non-parametric analyses", BMJ 1988). Counts with a median below 5 have an interval of whole
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
  const inflation = inflationOf(n, persistenceOf(agreementOf(raw, middle), catalog));
  const values = spread(observations, digits);
  const centre = quantileSorted(values as unknown as number[], 0.5);
  const [low, high] = logInterval(values, centre, inflation) ?? rankInterval(values, inflation);
  const isFew = middle < FEW && observations.every(({ per }) => per === 1);
  // The grouped values serve the interval alone: the figure is the median that quartiles and populations are made of.
  return {
    value: middle,
    low: Math.min(middle, isFew ? Math.floor(low) : low),
    high: Math.max(middle, isFew ? Math.ceil(high) : high),
    n,
    p25: quantileSorted(sorted, 0.25),
    p75: quantileSorted(sorted, 0.75),
  };
};
