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

/** Values below a value, and half of the equal ones, as a share. */
const rankOf = (sorted: readonly number[], value: number): number => {
  const bound = (isBefore: (other: number) => boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(sorted[middle] as number)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (bound((other) => other < value) + bound((other) => other <= value)) / 2 / sorted.length;
};

/**
 * Where an account stands among its nearest neighbours by ln followers, or among the accounts of a size band.
 *
 * Estimand: the share of these neighbours whose hidden median is lower than the account's. The bounds of the account's
 * own interval are ranked among them; the errors of the neighbours' medians are added in quadrature, as those of a share
 * of so many accounts of which a third may be ranked wrongly.
 *
 * @param neighbours their medians, ascending.
 * @returns null for fewer than 30 neighbours.
 */
export const percentileAmong = (estimate: Estimate, neighbours: readonly number[]): Percentile | null => {
  const n = neighbours.length;
  if (n < MIN_NEIGHBOURS) return null;
  const share = rankOf(neighbours, estimate.value);
  const slack = Z95 * Math.sqrt(MISRANKED / (4 * n));
  const low = share - Math.hypot(share - rankOf(neighbours, estimate.low), slack);
  const high = share + Math.hypot(rankOf(neighbours, estimate.high) - share, slack);
  return { value: 100 * share, low: 100 * Math.max(0, low), high: 100 * Math.min(1, high), neighbours: n };
};
