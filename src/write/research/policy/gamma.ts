import type { Uniform } from './philox.ts';

/** A standard normal number by Marsaglia's polar method (Marsaglia and Bray 1964). */
const normal = (uniform: Uniform): number => {
  for (;;) {
    const [x, y] = [2 * uniform() - 1, 2 * uniform() - 1];
    const s = x * x + y * y;
    if (s > 0 && s < 1) return x * Math.sqrt((-2 * Math.log(s)) / s);
  }
};

/**
 * A number of the Gamma distribution with rate 1 by rejection (Marsaglia and Tsang: *A simple method for generating gamma variables*, 2000).
 * @param shape at least 1.
 */
export const gamma = (shape: number, uniform: Uniform): number => {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(uniform);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = uniform();
    if (Math.log(u) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
};
