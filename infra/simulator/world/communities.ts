import type { Platform } from '../simulated-platforms.ts';
import { DAY } from './account.ts';
import { mix, type Permutation, permutation, unit } from './hash.ts';
import { platformNumber } from './identity.ts';
import type { Parameters } from './parameters.ts';

/** A group of accounts that name and follow each other; the same people on every platform. */
export interface Community {
  readonly number: number;
  /** First position and number of positions of its members. */
  readonly start: number;
  readonly size: number;
  /** Members of dead ones mention no account, those of exhausted ones the same few. */
  readonly state: 'living' | 'dead' | 'exhausted';
  /** Mentions a post. */
  readonly density: number;
  /** When its newcomers begin to come; null without a wave. */
  readonly wave: number | null;
}

export interface Communities {
  readonly all: readonly Community[];
  of(index: number): Community;
  /** The member at a rank of the community, and back. */
  member(community: Community, rank: number): number;
  rankOf(community: Community, index: number): number;
  /** When a member of a wave joins the platform; null for all others. */
  joinedWith(platform: Platform, index: number, key: number): number | null;
}

const ZIPF = 0.8;
const LEAST = 10;
const WAVES_FROM = Date.UTC(2025, 6, 1);
const WAVES_SPAN = 900 * DAY;

const drawn = (seed: number, size: number, { communities: law }: Parameters): readonly Community[] => {
  const count = Math.min(size, Math.max(LEAST, Math.round((size * law.perMillion) / 1e6)));
  const weights = Array.from({ length: count }, (_, n) => (n + 1) ** -ZIPF);
  const whole = weights.reduce((a, b) => a + b, 0);
  // Whole numbers that add up to the size, each at least one.
  let left = size - count;
  const sizes = weights.map((weight) => 1 + Math.floor((weight / whole) * (size - count)));
  for (const each of sizes) left -= each - 1;
  sizes[0] = (sizes[0] as number) + left;
  // The largest is alive, whatever is drawn.
  const order = Array.from({ length: count }, (_, n) => n).sort(
    (a, b) => Number(b > 0) * unit(mix(seed, 701), b) - Number(a > 0) * unit(mix(seed, 701), a),
  );
  const dead = new Set(order.slice(0, Math.round(count * law.dead)));
  const exhausted = new Set(order.slice(dead.size, dead.size + Math.round(count * law.exhausted)));
  const living = order.slice(dead.size + exhausted.size);
  const ranks = new Map(living.map((number, n) => [number, (n + 1) % living.length]));
  const waves = new Set(
    [...order]
      .sort((a, b) => unit(mix(seed, 703), a) - unit(mix(seed, 703), b))
      .slice(0, Math.round(count * law.waves)),
  );
  let start = 0;
  return sizes.map((each, number) => {
    const rank = ranks.get(number);
    const made: Community = {
      number,
      start,
      size: each,
      state: dead.has(number) ? 'dead' : exhausted.has(number) ? 'exhausted' : 'living',
      density:
        rank === undefined
          ? dead.has(number)
            ? 0
            : law.densest / 2
          : law.densest * 10 ** (-law.decades * (rank / Math.max(1, living.length - 1))),
      wave: waves.has(number) ? WAVES_FROM + unit(mix(seed, 704), number) * WAVES_SPAN : null,
    };
    start += each;
    return made;
  });
};

export const createCommunities = (seed: number, size: number, parameters: Parameters): Communities => {
  const all = drawn(seed, size, parameters);
  const positions: Permutation = permutation(size, mix(seed, 700));
  // The posts of an account ask for one community again and again.
  let [lastIndex, last] = [-1, all[0] as Community];
  const of = (index: number): Community => {
    if (index === lastIndex) return last;
    lastIndex = index;
    last = found(index);
    return last;
  };
  const found = (index: number): Community => {
    const position = positions.apply(index);
    let [low, high] = [0, all.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((all[middle] as Community).start <= position) low = middle;
      else high = middle - 1;
    }
    return all[low] as Community;
  };
  return {
    all,
    of,
    member: (community, rank) => positions.invert(community.start + rank),
    rankOf: (community, index) => positions.apply(index) - community.start,
    joinedWith: (platform, index, key) => {
      if (unit(key, 51) >= parameters.communities.newcomers) return null;
      const { wave } = of(index);
      if (wave === null) return null;
      const days = -8 * Math.log(1 - unit(key, 52));
      return Math.floor((wave + (platformNumber(platform) * 2 + days) * DAY) / 1000) * 1000;
    },
  };
};
