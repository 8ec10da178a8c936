/** A 32-bit hash of two numbers (multiply and xor-shift rounds): the only source of randomness here. */
export const mix = (a: number, b: number): number => {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul((b + 0x7f4a7c15) | 0, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39);
  h ^= h >>> 15;
  return h >>> 0;
};

/** A deterministic number in [0, 1) for a key and purpose. */
export const unit = (key: number, salt: number): number => mix(key, salt) / 4294967296;

/** Roughly normal with mean 0 and deviation 1: a sum of four uniform draws. */
export const bell = (key: number, salt: number): number =>
  (unit(key, salt) + unit(key, salt + 1) + unit(key, salt + 2) + unit(key, salt + 3) - 2) * 1.732;

export const pick = <T>(items: readonly T[], key: number, salt: number): T =>
  items[Math.floor(unit(key, salt) * items.length)] as T;

/** `length` pseudo-random characters of the alphabet. */
export const scramble = (alphabet: string, length: number, key: number, salt: number): string => {
  let out = '';
  for (let n = 0; n < length; n++) out += alphabet[mix(key, salt * 131 + n) % alphabet.length];
  return out;
};

/** A key for one purpose: draws for two purposes have nothing in common, whatever they are drawn for. */
export const keyFor = (seed: number, purpose: string): number => {
  let key = mix(seed, purpose.length);
  for (let n = 0; n < purpose.length; n++) key = mix(key, purpose.charCodeAt(n));
  return key;
};

/** A bijection on [0, size). */
export interface Permutation {
  apply(value: number): number;
  invert(value: number): number;
}

const ROUNDS = 4;
/** More where the result is shown. */
const WIDE_ROUNDS = 6;
const NARROW = 2 ** 30;

/** Half of the next even number of bits. */
export const halfBits = (size: number): number => Math.max(1, Math.ceil(Math.log2(Math.max(2, size)) / 2));

/**
 * A keyed permutation of [0, size) or its inverse: a Feistel network over twice `half` bits with cycle walking (Black
 * and Rogaway, "Ciphers with arbitrary finite domains", 2002). For keys that are used once: nothing is allocated.
 */
export const permuted = (value: number, size: number, half: number, key: number, back: boolean): number => {
  const mask = (1 << half) - 1;
  let v = value;
  do {
    let left = v >>> half;
    let right = v & mask;
    for (let round = 0; round < ROUNDS; round++) {
      if (back) {
        const previous = right ^ (mix(mix(key, ROUNDS - 1 - round), left) & mask);
        right = left;
        left = previous;
      } else {
        const next = left ^ (mix(mix(key, round), right) & mask);
        left = right;
        right = next;
      }
    }
    v = (left << half) | right;
  } while (v >= size);
  return v;
};

/** The same over a square of whole numbers instead of bits, for sizes up to 2^50. */
const widePermutation = (size: number, key: number): Permutation => {
  const side = Math.ceil(Math.sqrt(size));
  const keys = Array.from({ length: WIDE_ROUNDS }, (_, round) => mix(key, round));
  return {
    apply: (value) => {
      let v = value;
      do {
        let left = Math.floor(v / side);
        let right = v - left * side;
        for (const roundKey of keys) {
          const next = (left + mix(roundKey, right)) % side;
          left = right;
          right = next;
        }
        v = left * side + right;
      } while (v >= size);
      return v;
    },
    invert: (value) => {
      let v = value;
      do {
        let left = Math.floor(v / side);
        let right = v - left * side;
        for (let round = WIDE_ROUNDS - 1; round >= 0; round--) {
          const previous = (right - (mix(keys[round] as number, left) % side) + side) % side;
          right = left;
          left = previous;
        }
        v = left * side + right;
      } while (v >= size);
      return v;
    },
  };
};

/** A keyed permutation of [0, size) without a table. */
export const permutation = (size: number, key: number): Permutation => {
  if (size > NARROW) return widePermutation(size, key);
  const half = halfBits(size);
  const mask = (1 << half) - 1;
  const keys = Array.from({ length: ROUNDS }, (_, round) => mix(key, round));
  const once = (value: number, order: readonly number[], swap: boolean): number => {
    let left = value >>> half;
    let right = value & mask;
    if (swap) [left, right] = [right, left];
    for (const roundKey of order) [left, right] = [right, left ^ (mix(roundKey, right) & mask)];
    return swap ? (right << half) | left : (left << half) | right;
  };
  const reversed = [...keys].reverse();
  const walk = (value: number, order: readonly number[], swap: boolean): number => {
    let v = value;
    do v = once(v, order, swap);
    while (v >= size);
    return v;
  };
  return {
    apply: (value) => walk(value, keys, false),
    invert: (value) => walk(value, reversed, true),
  };
};
