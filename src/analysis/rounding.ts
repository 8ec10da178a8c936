import type { Platform } from '../kernel/platform.ts';
import { descriptorOf } from '../platforms/index.ts';

/** From here platforms shorten counts, as in 1.2K. */
const SHORTENED = 1_000;
/** Chance that exact counts end in so many zeros, below which they are taken as rounded. */
const CHANCE = 1e-4;

const zerosOf = (count: number): number => {
  let zeros = 0;
  for (let rest = count; rest % 10 === 0 && rest > 0; rest /= 10) zeros += 1;
  return zeros;
};

/** Decimal digits of a whole number of at least 1. */
const lengthOf = (count: number): number => Math.floor(Math.log10(count) + 1e-12) + 1;

/**
 * To how many digits a platform rounds counts; null if they are exact. The last digit of an exact count is a zero one
 * time in ten: counts of at least 1,000 are rounded when all of them have zeros beyond a digit, and chance would give so
 * many zeros less than once in 10,000 accounts.
 */
export const digitsOf = (counts: Iterable<number | null>): number | null => {
  let [digits, chance] = [1, 1];
  for (const count of counts) {
    if (count === null || count < SHORTENED) continue;
    const zeros = zerosOf(count);
    if (zeros === 0) return null;
    digits = Math.max(digits, lengthOf(count) - zeros);
    chance *= 10 ** -zeros;
  }
  return chance <= CHANCE ? digits : null;
};

/**
 * To how many digits the followers of an account are shown; null if they are exact. A count that stays the same says no
 * more than once how it is rounded: what the platform does decides.
 */
export const followerDigits = (counts: readonly number[], platform?: Platform): number | null => {
  const digits = digitsOf(new Set(counts));
  if (digits !== null || platform === undefined) return digits;
  const shown = descriptorOf(platform).followerDigits;
  const large = counts.filter((count) => count >= SHORTENED);
  if (shown === undefined || large.length === 0) return null;
  return large.every((count) => lengthOf(count) - zerosOf(count) <= shown) ? shown : null;
};

/** Half of the step to which a count is known: 0.5 for an exact one, 50 for 12,300 of three digits. */
export const halfStepOf = (count: number, digits: number | null): number =>
  digits === null || count < SHORTENED ? 0.5 : Math.max(1, 10 ** (lengthOf(count) - digits)) / 2;
