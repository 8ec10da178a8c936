import { normalQuantile } from '../../../src/kernel/distributions.ts';
import { unit } from './hash.ts';

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
 * @param most number of marks with draws of their own; the tail of the distribution beyond it is cut.
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
