/**
 * Change coefficients in logarithmic bins. An account is treated as the middle of its bin, at most 9 % off: so sums by bin are
 * exact, whole numbers, and what an account's interval follows from.
 */
const BINS_AN_OCTAVE = 4;
/** 2^-25 a day, less than any account shows within a year, to 16 a day, more than any grows. */
const SMALLEST = -25 * BINS_AN_OCTAVE;
const LARGEST = 4 * BINS_AN_OCTAVE;

/** Bins are numbered from 0. */
export const CHANGE_BINS = LARGEST - SMALLEST + 1;

/** The bin of accounts that are unavailable, which are read at the greatest age. */
export const UNAVAILABLE_BIN = -1;

/** The coefficient in the middle of a bin. */
export const changeOfBin = (bin: number): number => 2 ** ((bin + SMALLEST) / BINS_AN_OCTAVE);

export const binOfChange = (change: number): number => {
  const bin = Math.round(Math.log2(change) * BINS_AN_OCTAVE);
  return Math.min(LARGEST, Math.max(SMALLEST, bin)) - SMALLEST;
};

/**
 * Coefficient of a pool of which nothing was measured: 1 % after a week. It counts as one account, so that it has no weight
 * beside those that were read twice.
 */
const INITIAL_BIN = binOfChange(0.01 / Math.sqrt(7));

/** The bin of a pool's median account. @param measured accounts by bin that have a coefficient of their own. */
export const medianBin = (measured: ArrayLike<number>): number => {
  let total = 1;
  for (let bin = 0; bin < CHANGE_BINS; bin++) total += measured[bin] as number;
  let below = 0;
  for (let bin = 0; bin < CHANGE_BINS; bin++) {
    below += (measured[bin] as number) + (bin === INITIAL_BIN ? 1 : 0);
    if (2 * below >= total) return bin;
  }
  return INITIAL_BIN;
};
