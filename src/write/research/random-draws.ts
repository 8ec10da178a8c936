/**
 * Philox 2x32-10, a counter-based generator (Salmon, Moraes, Dror, Shaw: *Parallel random numbers: as easy as 1, 2, 3*, SC 2011): a
 * number follows from key and counter alone, so that the draws of a pool are the same whatever other pools there are.
 */

const MULTIPLIER = 0xd256d193;
const WEYL = 0x9e3779b9;
const ROUNDS = 10;

/** High and low half of the 64-bit product of two 32-bit numbers. */
const product = (a: number, b: number): readonly [high: number, low: number] => {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const rest = (middle % 0x10000) + aLow * bHigh;
  const high = aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(rest / 0x10000);
  return [high >>> 0, Math.imul(a, b) >>> 0];
};

/** Two random 32-bit numbers of a counter under a key. */
export const philox = (
  key: number,
  [first, second]: readonly [number, number],
): readonly [number, number] => {
  let [left, right, round] = [first >>> 0, second >>> 0, key >>> 0];
  for (let n = 0; n < ROUNDS; n++) {
    const [high, low] = product(MULTIPLIER, left);
    [left, right] = [(high ^ round ^ right) >>> 0, low];
    round = (round + WEYL) >>> 0;
  }
  return [left, right];
};

/** Uniform numbers in (0, 1). */
export type Uniform = () => number;

/** FNV-1a: the stream of a name. */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
};

/** The uniform numbers of a name under a seed. */
export const uniformsOf = (seed: number, name: string): Uniform => {
  const stream = hashOf(name);
  let counter = 0;
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    const [a, b] = philox(seed, [counter, stream]);
    counter += 1;
    spare = (b + 0.5) / 2 ** 32;
    return (a + 0.5) / 2 ** 32;
  };
};

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
