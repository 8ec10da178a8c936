import { type BinCount, quantileOf } from '../../kernel/log-bins.ts';

/** Fewer values make no quantiles. */
export const MIN_VALUES = 10;

/** Quartiles of values in logarithmic bins, within 1 %; null if there are too few. */
export interface Quartiles {
  readonly n: number;
  readonly p25: number | null;
  readonly p50: number | null;
  readonly p75: number | null;
}

/** @param bins in any order. */
export const quartilesOf = (bins: readonly BinCount[]): Quartiles => {
  const sorted = bins.toSorted((a, b) => a.bin - b.bin);
  const n = sorted.reduce((sum, each) => sum + each.n, 0);
  if (n < MIN_VALUES) return { n, p25: null, p50: null, p75: null };
  return { n, p25: quantileOf(sorted, 0.25), p50: quantileOf(sorted, 0.5), p75: quantileOf(sorted, 0.75) };
};
