/*
 * Histograms with logarithmic bins, as in DDSketch (Masson, Rim and Lee 2019): a quantile is off by at most the
 * relative accuracy, and histograms merge by adding their counts.
 */

/** Counts by bin; the bin of 0 is `zero`. */
export interface LogHistogram {
  readonly zero: number;
  /** Counts by bin number. */
  readonly bins: Readonly<Record<string, number>>;
}

/** Maximum relative error of a value that is taken for its bin's. */
export const ACCURACY = 0.02;

const GAMMA = (1 + ACCURACY) / (1 - ACCURACY);
const PER_BIN = Math.log(GAMMA);

/** The bin of a positive value. */
export const binOf = (value: number): number => Math.ceil(Math.log(value) / PER_BIN);

/** The value that a bin stands for. */
export const centerOf = (bin: number): number => (2 * GAMMA ** bin) / (GAMMA + 1);

export const emptyHistogram: LogHistogram = { zero: 0, bins: {} };

/** The histogram of values; negative ones count as 0. */
export const histogramOf = (values: Iterable<number>): LogHistogram => {
  let zero = 0;
  const bins: Record<string, number> = {};
  for (const value of values) {
    if (value > 0) {
      const bin = binOf(value);
      bins[bin] = (bins[bin] ?? 0) + 1;
    } else {
      zero += 1;
    }
  }
  return { zero, bins };
};

export const mergedHistograms = (histograms: Iterable<LogHistogram>): LogHistogram => {
  let zero = 0;
  const bins: Record<string, number> = {};
  for (const one of histograms) {
    zero += one.zero;
    for (const [bin, n] of Object.entries(one.bins)) bins[bin] = (bins[bin] ?? 0) + n;
  }
  return { zero, bins };
};

export const totalOf = ({ zero, bins }: LogHistogram): number =>
  Object.values(bins).reduce((sum, n) => sum + n, zero);

/**
 * A quantile by the nearest rank.
 * @param q from 0 to 1.
 * @returns null for an empty histogram.
 */
export const quantileOf = (histogram: LogHistogram, q: number): number | null => {
  const total = totalOf(histogram);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(q * total));
  let passed = histogram.zero;
  if (passed >= rank) return 0;
  const ascending = Object.entries(histogram.bins).sort(([a], [b]) => Number(a) - Number(b));
  for (const [bin, n] of ascending) {
    passed += n;
    if (passed >= rank) return centerOf(Number(bin));
  }
  return null;
};
