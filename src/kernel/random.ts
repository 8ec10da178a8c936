/** A source of randomness: seeded where results must be reproducible, else the system's. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  int(below: number): number;
}

const from = (next: () => number): Random => ({ next, int: (below) => Math.floor(next() * below) });

export const systemRandom: Random = from(Math.random);

/**
 * A deterministic sequence by seed: mulberry32 by Tommy Ettinger (public domain), 2^32 states; suitable for
 * simulations and jitter, not for secrets.
 */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  return from(() => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  });
};
