import { mix, unit } from '../../infra/simulator/world/hash.ts';

/** Above it a rounded normal number is as good (Knuth's method needs as many draws as the mean). */
const NORMAL_FROM = 30;

/** A Poisson number of a key. */
export const poisson = (mean: number, key: number): number => {
  if (mean > NORMAL_FROM) {
    const radius = Math.sqrt(-2 * Math.log(1 - unit(key, 1)));
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * radius * Math.cos(2 * Math.PI * unit(key, 2))));
  }
  const least = Math.exp(-mean);
  let n = 0;
  for (let product = unit(key, 3); product > least; product *= unit(mix(key, n), 4)) n++;
  return n;
};
