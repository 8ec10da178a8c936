import { hash } from 'node:crypto';

/**
 * The offers that a run has seen, with the newest time of each: 32 bytes an offer at most, by a digest of 64 bits of
 * its ID.
 */
export interface SeenOffers {
  /** Notes an offer. @returns whether it is the first of its ID, or newer than all before. */
  isNew(id: string, atMs: number): boolean;
  has(id: string): boolean;
}

const FIRST_SIZE = 1 << 12;

export const createSeenOffers = (): SeenOffers => {
  let size = FIRST_SIZE;
  /** Pairs of digests; 0, 0 is a free slot. */
  let digests = new Uint32Array(2 * size);
  let times = new Float64Array(size);
  let used = 0;

  const slotOf = (a: number, b: number): number => {
    for (let slot = a & (size - 1); ; slot = (slot + 1) & (size - 1)) {
      const [high, low] = [digests[2 * slot], digests[2 * slot + 1]];
      if ((high === a && low === b) || (high === 0 && low === 0)) return slot;
    }
  };
  const grow = (): void => {
    const [oldDigests, oldTimes] = [digests, times];
    size *= 2;
    digests = new Uint32Array(2 * size);
    times = new Float64Array(size);
    for (let i = 0; i < oldTimes.length; i++) {
      const [a, b] = [oldDigests[2 * i] as number, oldDigests[2 * i + 1] as number];
      if (a === 0 && b === 0) continue;
      const slot = slotOf(a, b);
      digests[2 * slot] = a;
      digests[2 * slot + 1] = b;
      times[slot] = oldTimes[i] as number;
    }
  };
  const digestOf = (id: string): readonly [number, number] => {
    const digest = hash('sha1', id, 'buffer');
    return [digest.readUInt32LE(0) | 1, digest.readUInt32LE(4)];
  };
  const unsigned = ([a, b]: readonly [number, number]): readonly [number, number] => [a >>> 0, b];

  return {
    isNew: (id, atMs) => {
      if (used > 0.7 * size) grow();
      const [a, b] = unsigned(digestOf(id));
      const slot = slotOf(a, b);
      const isFirst = digests[2 * slot] === 0;
      if (!isFirst && atMs <= (times[slot] as number)) return false;
      if (isFirst) {
        digests[2 * slot] = a;
        digests[2 * slot + 1] = b;
        used += 1;
      }
      times[slot] = atMs;
      return true;
    },
    has: (id) => {
      const [a, b] = unsigned(digestOf(id));
      return digests[2 * slotOf(a, b)] !== 0;
    },
  };
};
