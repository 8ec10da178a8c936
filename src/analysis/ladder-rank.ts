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
