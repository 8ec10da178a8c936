import { type Estimate, Z95 } from './median.ts';

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
