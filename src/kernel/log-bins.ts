/**
 * Histograms with logarithmic bins, as in DDSketch (Masson, Rim, Lee, 2019). Every value of a bin is within 1 % of the bin's value,
 * histograms merge by addition, and a counted value can be subtracted again.
 */

export const RELATIVE_ACCURACY = 0.01;

const GAMMA = (1 + RELATIVE_ACCURACY) / (1 - RELATIVE_ACCURACY);
const LN_GAMMA = Math.log(GAMMA);

/** The bin of zero, which has no logarithm. It is below all other bins. */
export const ZERO_BIN = -65_536;

/**
 * The bin of a value.
 * @throws {RangeError} if the value is negative or not a number.
 */
export const binOf = (value: number): number => {
  if (value === 0) return ZERO_BIN;
  if (!(value > 0)) throw new RangeError(`${value} has no logarithmic bin`);
  return Math.ceil(Math.log(value) / LN_GAMMA);
};

/** The value that represents a bin, within 1 % of every value in it. */
export const valueOfBin = (bin: number): number => (bin === ZERO_BIN ? 0 : (2 * GAMMA ** bin) / (GAMMA + 1));

/** The number of values in each bin, by bin number. */
export const countsByBin = (values: Iterable<number>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const value of values) {
    const bin = binOf(value);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
};

/** A bin and the number of values in it. */
export interface BinCount {
  readonly bin: number;
  readonly n: number;
}

/**
 * The value at a quantile between 0 and 1, within 1 %; null if there are no values. It never decreases as the quantile grows.
 * @param bins in ascending order.
 */
export const quantileOf = (bins: readonly BinCount[], quantile: number): number | null => {
  const total = bins.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return null;
  const rank = Math.min(1, Math.max(0, quantile)) * (total - 1);
  let passed = 0;
  for (const { bin, n } of bins) {
    passed += n;
    if (passed > rank) return valueOfBin(bin);
  }
  return valueOfBin((bins.at(-1) as BinCount).bin);
};
