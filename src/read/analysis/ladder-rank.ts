/** Every value of a ladder is within this share of the one that stands for it. */
const ACCURACY = 0.01;

export interface LadderRank {
  /** Share of the accounts with less, in percent, estimated between the percentiles that it is known to be between. */
  readonly percentile: number;
  readonly low: number;
  readonly high: number;
  /** Rank from the top, 1 being the first: of the estimate, and the first and last that the percentiles allow. */
  readonly rank: number;
  readonly rankLow: number;
  readonly rankHigh: number;
  readonly n: number;
}

interface Step {
  /** Steps of the ladder below the value, and with the one that it is within. */
  readonly from: number;
  readonly to: number;
  /** Part of the step that is below the value, as if values grew by a constant factor: figures have long tails. */
  readonly part: number;
}

const stepOf = (points: readonly number[], value: number): Step => {
  const steps = points.length - 1;
  const to = points.findIndex((point) => point >= value);
  if (to === 0) return { from: 0, to: 0, part: 0 };
  if (to < 0) return { from: steps, to: steps, part: 0 };
  const [low, high] = [points[to - 1] as number, points[to] as number];
  const part = (Math.log1p(value) - Math.log1p(low)) / (Math.log1p(high) - Math.log1p(low));
  return { from: to - 1, to, part };
};

/**
 * Where a value is in a population, by its ladder of 101 percentiles, which do not show how accounts are spread within a
 * percent: above the 99th one of 50,000 may have any rank up to 500.
 * @param points ascending, at least 0.
 */
export const rankInLadder = (points: readonly number[], n: number, value: number): LadderRank => {
  const steps = points.length - 1;
  const { from, part } = stepOf(points, value);
  const share = (from + part) / steps;
  const low = stepOf(points, value * (1 - ACCURACY)).from / steps;
  const high = stepOf(points, value * (1 + ACCURACY)).to / steps;
  const rankOf = (below: number): number => Math.min(n, Math.max(1, Math.round((1 - below) * n)));
  return {
    percentile: 100 * share,
    low: 100 * low,
    high: 100 * high,
    rank: rankOf(share),
    rankLow: rankOf(high),
    rankHigh: rankOf(low),
    n,
  };
};
