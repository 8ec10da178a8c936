import type { Platform } from '../../../src/kernel/platform.ts';
import { mix, type Permutation, permutation, unit } from './hash.ts';
import { platformNumber } from './identity.ts';

/** Kinds of acquaintance: bios name the first two, posts all. */
const EDGES = 5;

export interface Graph {
  /** Accounts named in a bio. */
  inBio(platform: Platform, index: number, key: number): readonly number[];
  /** Accounts named in a post. */
  inPost(platform: Platform, index: number, postKey: number): readonly number[];
  /** A popular account: the largest of a few random ones. */
  hub(key: number, sizeOf: (index: number) => number): number;
}

/**
 * The mention graph. Every edge kind is a permutation of the population, so that each account has as many incoming
 * as outgoing edges, and all are reachable.
 */
export const createGraph = (seed: number, size: number): Graph => {
  const shuffles = new Map<number, Permutation>();
  const edge = (platform: Platform, kind: number): Permutation => {
    const n = platformNumber(platform) * EDGES + kind;
    const known = shuffles.get(n);
    if (known) return known;
    const made = permutation(size, mix(mix(seed, 400), n));
    shuffles.set(n, made);
    return made;
  };
  const others = (index: number, found: readonly number[]) => [...new Set(found)].filter((n) => n !== index);
  return {
    inBio: (platform, index, key) => {
      const draw = unit(key, 110);
      const kinds = draw < 0.06 ? [] : draw < 0.5 ? [0] : [0, 1];
      return others(
        index,
        kinds.map((kind) => edge(platform, kind).apply(index)),
      );
    },
    inPost: (platform, index, postKey) =>
      unit(postKey, 111) < 0.4
        ? others(index, [edge(platform, Math.floor(unit(postKey, 112) * EDGES)).apply(index)])
        : [],
    hub: (key, sizeOf) => {
      let best = 0;
      for (let n = 0; n < 4; n++) {
        const index = Math.floor(unit(key, 113 + n) * size);
        if (n === 0 || sizeOf(index) > sizeOf(best)) best = index;
      }
      return best;
    },
  };
};
