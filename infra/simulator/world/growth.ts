import { DAY } from './account.ts';
import { bell, mix, unit } from './hash.ts';

/** Sizes are drawn as of this day; growth extends in both directions. */
const ANCHOR = Date.UTC(2026, 0, 1);
const BLOCK = 90 * DAY;

/**
 * Size of a person: a Pareto tail (exponent 1/1.7), compressed above 20 million so that the largest is near 100
 * million.
 */
export const sizeOf = (key: number): number => {
  const raw = 20 * Math.max(unit(key, 10), 2e-8) ** -1.7;
  return raw > 2e7 ? 2e7 * (raw / 2e7) ** 0.14 : raw;
};

/** A value in [-1, 1] that interpolates smoothly between draws, one per `step`. */
const wander = (key: number, at: number, step: number, salt: number): number => {
  const knot = Math.floor(at / step);
  const fraction = at / step - knot;
  const here = unit(mix(key, salt), knot);
  const next = unit(mix(key, salt), knot + 1);
  return 2 * (here + (next - here) * fraction) - 1;
};

/** Logarithm of the growth by rare jumps (viral events) since the anchor. */
const jumpsSince = (key: number, at: number): number => {
  let sum = 0;
  const last = Math.floor((at - ANCHOR) / BLOCK);
  for (let block = 0; block <= Math.min(last, 80); block++) {
    if (unit(mix(key, 11), block) > 0.04) continue;
    const start = ANCHOR + (block + unit(mix(key, 12), block) * 0.8) * BLOCK;
    if (at > start) sum += 0.5 * unit(mix(key, 13), block) * Math.min(1, (at - start) / (3 * DAY));
  }
  return sum;
};

/** Followers at a time: a declining trend, weekly and daily variation, rare jumps, a slow first year. */
export const followersAt = (key: number, size: number, createdAt: number, at: number): number => {
  const days = (at - ANCHOR) / DAY;
  const trend = (bell(key, 14) * 0.0006 + 0.0002) * (days / (1 + Math.abs(days) / 1500));
  const noise = 0.006 * wander(key, at, 7 * DAY, 15) + 0.0015 * wander(key, at, DAY, 16);
  const youth = Math.min(1, Math.max(0, (at - createdAt) / (365 * DAY))) ** 1.5;
  return Math.min(120_000_000, Math.floor(size * youth * Math.exp(trend + noise + jumpsSince(key, at))));
};

export const followingAt = (key: number, at: number): number => {
  const base = 10 ** (0.5 + unit(key, 18) * 2.6);
  return Math.floor(base * (1 + 0.03 * wander(key, at, 30 * DAY, 19)));
};
