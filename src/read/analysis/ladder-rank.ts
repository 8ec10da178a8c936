/** Every value of a ladder is within this share of the one that stands for it. */
const ACCURACY = 0.01;

export interface LadderRank {
  /** Share of the accounts with less, in percent, and what it is between as the ladder rounds values. */
  readonly percentile: number;
  readonly low: number;
  readonly high: number;
  /** Rank from the top, 1 being the first. */
  readonly rank: number;
  readonly n: number;
}

/** The share of a ladder below a value, interpolated within a percent. */
const shareBelow = (points: readonly number[], value: number): number => {
  const steps = points.length - 1;
  const above = points.findIndex((point) => point >= value);
  if (above === 0) return 0;
  if (above < 0) return 1;
  const [low, high] = [points[above - 1] as number, points[above] as number];
  return (above - 1 + (high === low ? 0 : (value - low) / (high - low))) / steps;
};

/**
 * Where a value is in a population, by its ladder of 101 percentiles.
 * @param points ascending.
 */
export const rankInLadder = (points: readonly number[], n: number, value: number): LadderRank => {
  const share = shareBelow(points, value);
  const low = shareBelow(points, value * (1 - ACCURACY));
  const high = shareBelow(points, value * (1 + ACCURACY));
  return {
    percentile: 100 * share,
    low: 100 * low,
    high: 100 * high,
    rank: Math.max(1, Math.round((1 - share) * n)),
    n,
  };
};
