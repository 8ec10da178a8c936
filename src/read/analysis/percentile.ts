import { type Estimate, Z95 } from './median.ts';

/** Neighbours that a percentile needs. */
export const MIN_NEIGHBOURS = 30;

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

/** Half-widths of Wilson's interval of a share (1927), downwards and upwards. */
const wilson = (share: number, n: number): readonly [number, number] => {
  const z2 = Z95 ** 2;
  const middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return [Math.max(0, share - (middle - half)), Math.max(0, middle + half - share)];
};

/**
 * Where an account stands among its nearest neighbours by ln followers, or among the accounts of a size band.
 *
 * Estimand: the share of accounts of the same size whose hidden median is lower than the account's. The interval joins
 * the account's own (its bounds ranked among the neighbours) and that of a sample of so many neighbours, in quadrature.
 *
 * @param neighbours their medians, ascending.
 * @returns null for fewer than 30 neighbours.
 */
export const percentileAmong = (estimate: Estimate, neighbours: readonly number[]): Percentile | null => {
  const n = neighbours.length;
  if (n < MIN_NEIGHBOURS) return null;
  const share = rankOf(neighbours, estimate.value);
  const [down, up] = wilson(share, n);
  const low = share - Math.hypot(share - rankOf(neighbours, estimate.low), down);
  const high = share + Math.hypot(rankOf(neighbours, estimate.high) - share, up);
  return { value: 100 * share, low: 100 * Math.max(0, low), high: 100 * Math.min(1, high), neighbours: n };
};
