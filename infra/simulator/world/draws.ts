import { unit } from './hash.ts';

/** Quantile of the standard normal distribution (Acklam 2003, relative error below 1.2e-9). */
export const normalQuantile = (p: number): number => {
  if (p < 0.02425) return tailQuantile(Math.sqrt(-2 * Math.log(p)));
  if (p > 1 - 0.02425) return -tailQuantile(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  const r = q * q;
  const top =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
    2.506628277459239;
  const bottom =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1;
  return (top * q) / bottom;
};

const tailQuantile = (q: number): number =>
  (((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
    4.374664141464968) *
    q +
    2.938163982698783) /
  ((((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q +
    1);

/** Upper tail of the standard normal distribution, relative error below 1.2e-7 (Numerical Recipes, erfcc). */
export const normalTail = (x: number): number => {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.5 * z);
  const poly = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
    1.00002368, -1.26551223,
  ].reduce((sum, c) => sum * t + c, 0);
  const tail = 0.5 * t * Math.exp(-z * z + poly);
  return x >= 0 ? tail : 1 - tail;
};

/** A standard normal draw. */
export const normal = (key: number, salt: number): number =>
  normalQuantile(unit(key, salt) + 1 / 8_589_934_592);

/** An exponential draw of mean 1. */
export const exponential = (key: number, salt: number): number => -Math.log(1 - unit(key, salt));

export const between = (from: number, to: number, u: number): number => from + (to - from) * u;

/** Between two positive bounds, uniform in the logarithm. */
export const betweenLog = (from: number, to: number, u: number): number => from * (to / from) ** u;

/**
 * Marks of a Poisson process on a line of unit blocks: how many fall in a block.
 * @param mean expected number a block.
 * @param most so many marks have draws of their own; beyond, the tail of the distribution is cut.
 */
export const marksIn = (key: number, block: number, mean: number, most = 6): number => {
  let left = unit(key, block * 8 + 1);
  let chance = Math.exp(-mean);
  for (let n = 0; n < most; n++) {
    if (left < chance) return n;
    left -= chance;
    chance *= mean / (n + 1);
  }
  return most;
};
