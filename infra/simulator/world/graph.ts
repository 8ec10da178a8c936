import type { Platform } from '../simulated-platforms.ts';
import type { Communities, Community } from './communities.ts';
import { mix, type Permutation, permutation, unit } from './hash.ts';
import { platformNumber } from './identity.ts';
import type { Parameters } from './parameters.ts';

const NO_ACCOUNTS: readonly number[] = [];
/** Kinds of edges; each is a permutation of the whole population or of every community. */
const WIDE = 12;
const LOCAL = 28;
/** Most follows of an account inside the population. */
export const FOLLOW_KINDS = 24;
/** Most kinds of follows inside a community. */
const LOCAL_FOLLOWS = 16;
/** Share of mentions that leave the community. */
const OUTWARD = 0.3;
const EXHAUSTED_NAMES = 3;

/** How many kinds of follows begin and end at an account, so that small ones are not followed by more than they say. */
export interface Room {
  out(index: number): number;
  in(index: number): number;
}

export interface Graph {
  /** Accounts named in a bio. */
  inBio(platform: Platform, index: number, key: number): readonly number[];
  /** Accounts named in a post. */
  inPost(platform: Platform, index: number, postKey: number): readonly number[];
  /** An acquaintance: whose post is answered, cited or passed on. */
  acquaintance(platform: Platform, index: number, draw: number): number;
  /** Residents that count an account among their acquaintances. */
  acquaintedWith(platform: Platform, index: number): readonly number[];
  /** Residents that an account follows, and residents that follow it. */
  follows(platform: Platform, index: number, room: Room): readonly number[];
  followedBy(platform: Platform, index: number, room: Room): readonly number[];
}

/**
 * Mentions and follows inside the population. An edge kind is a permutation, so that each account has as many
 * incoming as outgoing edges of it, and either end is computed from the other.
 */
export const createGraph = (
  seed: number,
  size: number,
  communities: Communities,
  { communities: law }: Parameters,
): Graph => {
  const wide = new Map<number, Permutation>();
  const local = new Map<number, Permutation>();
  const wideKind = (platform: Platform, kind: number): Permutation => {
    const n = platformNumber(platform) * 64 + kind;
    const known = wide.get(n);
    if (known) return known;
    const made = permutation(size, mix(mix(seed, 400), n));
    wide.set(n, made);
    return made;
  };
  const localKind = (platform: Platform, community: Community, kind: number): Permutation => {
    const n = (community.number * 8 + platformNumber(platform)) * 64 + kind;
    const known = local.get(n);
    if (known) return known;
    if (local.size > 20_000) local.clear();
    const made = permutation(community.size, mix(mix(seed, 401), n));
    local.set(n, made);
    return made;
  };
  const neighbour = (platform: Platform, index: number, kind: number, back = false): number => {
    if (kind < WIDE) {
      const shuffle = wideKind(platform, kind);
      return back ? shuffle.invert(index) : shuffle.apply(index);
    }
    const community = communities.of(index);
    const shuffle = localKind(platform, community, kind);
    const rank = communities.rankOf(community, index);
    return communities.member(community, back ? shuffle.invert(rank) : shuffle.apply(rank));
  };
  const others = (index: number, found: readonly number[]) => [...new Set(found)].filter((n) => n !== index);
  const known = (community: Community, draw: number): number =>
    communities.member(community, Math.floor(draw * Math.min(EXHAUSTED_NAMES, community.size)));

  const acquaintance: Graph['acquaintance'] = (platform, index, draw) => {
    const outward = draw < OUTWARD;
    const kind = outward
      ? Math.floor((draw / OUTWARD) * WIDE)
      : WIDE + Math.floor(((draw - OUTWARD) / (1 - OUTWARD)) * LOCAL);
    return neighbour(platform, index, kind);
  };

  // In a small community two kinds would often connect the same two, which then seem to follow each other.
  const smallest = Math.min(...communities.all.map((community) => community.size));
  const localFollows = Math.min(LOCAL_FOLLOWS, Math.floor(smallest / 50));
  const followed = (platform: Platform, index: number, kind: number, back: boolean): number => {
    if (kind < localFollows) return neighbour(platform, index, WIDE + kind, back);
    const shuffle = wideKind(platform, WIDE + kind);
    return back ? shuffle.invert(index) : shuffle.apply(index);
  };
  const forward = (platform: Platform, index: number, kind: number) => followed(platform, index, kind, false);
  const backward = (platform: Platform, index: number, kind: number) => followed(platform, index, kind, true);
  const isMutual = (platform: Platform, index: number, kind: number): boolean =>
    unit(mix(mix(seed, 402), index), platformNumber(platform) * 64 + kind) < law.reciprocity;

  return {
    inBio: (platform, index, key) => {
      const community = communities.of(index);
      if (community.state === 'dead') return [];
      if (community.state === 'exhausted') return others(index, [known(community, unit(key, 110))]);
      const draw = unit(key, 110);
      const kinds = draw < 0.15 ? [] : draw < 0.6 ? [0] : [0, 1];
      return others(
        index,
        kinds.map((kind) => neighbour(platform, index, kind)),
      );
    },
    inPost: (platform, index, postKey) => {
      const community = communities.of(index);
      const named = Math.floor(community.density + unit(postKey, 111));
      if (named === 0) return NO_ACCOUNTS;
      const draws = Array.from({ length: named }, (_, n) => unit(postKey, 112 + n));
      return others(
        index,
        draws.map((draw) =>
          community.state === 'exhausted' ? known(community, draw) : acquaintance(platform, index, draw),
        ),
      );
    },
    acquaintance,
    acquaintedWith: (platform, index) =>
      others(
        index,
        Array.from({ length: WIDE + LOCAL }, (_, kind) => neighbour(platform, index, kind, true)),
      ),
    follows: (platform, index, room) => {
      const found: number[] = [];
      for (let kind = 0; kind < Math.min(FOLLOW_KINDS, room.out(index)); kind++) {
        const other = forward(platform, index, kind);
        if (kind < room.in(other)) found.push(other);
      }
      // An account that follows none follows none back.
      const back = room.out(index) > 0 ? room.in(index) : 0;
      for (let kind = 0; kind < Math.min(FOLLOW_KINDS, back); kind++) {
        const other = backward(platform, index, kind);
        if (kind < room.out(other) && isMutual(platform, other, kind)) found.push(other);
      }
      return others(index, found);
    },
    followedBy: (platform, index, room) => {
      const found: number[] = [];
      for (let kind = 0; kind < Math.min(FOLLOW_KINDS, room.in(index)); kind++) {
        const other = backward(platform, index, kind);
        if (kind < room.out(other)) found.push(other);
      }
      for (let kind = 0; kind < Math.min(FOLLOW_KINDS, room.out(index)); kind++) {
        const other = forward(platform, index, kind);
        if (kind < room.in(other) && room.out(other) > 0 && isMutual(platform, index, kind))
          found.push(other);
      }
      return others(index, found);
    },
  };
};
