import type { Platform } from '../simulated-platforms.ts';
import { type Account, DAY, type Status } from './account.ts';
import { createAudiences, type Seat } from './audience.ts';
import type { Communities } from './communities.ts';
import type { FollowKind, FollowList, FollowMember } from './follow-list.ts';
import { FOLLOW_KINDS, type Graph, type Room } from './graph.ts';
import { ANCHOR, followingBase, type Growth } from './growth.ts';
import { mix, type Permutation, permutation, unit } from './hash.ts';
import { CROWD, GROUP, type Outsiders, SLOTS } from './outsiders.ts';
import type { Parameters } from './parameters.ts';
import { botsBack, createPurgedRanks } from './purged-ranks.ts';
import type { Traits } from './traits.ts';

export interface FollowsSource {
  readonly parameters: Parameters;
  readonly graph: Graph;
  readonly communities: Communities;
  readonly growth: Growth;
  readonly outsiders: Outsiders;
  /** Accounts of the population of a platform; outsiders come after them. */
  count(platform: Platform): number;
  traits(platform: Platform, index: number): Traits;
  account(platform: Platform, index: number, at: number): Account;
  /** Of an account of the population. */
  statusAt(platform: Platform, index: number, at: number): Status;
  /** Persons of a platform. */
  readonly size: number;
}

/** Each rank has two outsiders; one follows at a time. As many again stand in for times when they do not exist. */
const OTHERS = 16;
/** Purges before are no part of the order of a list. */
const LISTS_FROM = Date.UTC(2025, 0, 1);
const COMMUNITY = 2 ** 18;
/** Share of genuine followers that come of the crowd of the account's community. */
const SHARED = 0.4;
const FRESH = 50 * DAY;
const GRID = 10 * DAY;
const GRID_STEPS = 12;

/** Rank of resident `n` in a list that is cut into `of` equal parts: one resident stands in each part. */
const residentRank = (key: number, n: number, of: number, size: number): number =>
  Math.floor(((n + unit(key, n)) * size) / of);

export const createFollows = (source: FollowsSource) => {
  const { graph, communities, growth, outsiders, count, traits, account, statusAt } = source;
  const { unfollowing } = source.parameters;
  const audiences = createAudiences(source.parameters);

  /** Small accounts follow and are followed by fewer residents. */
  const roomOf = (platform: Platform): Room => ({
    out: (index) => {
      const { size, key, kind } = traits(platform, index);
      if (kind !== 'person' && kind !== 'channel') return 0;
      const own = 2 + (mix(key, 270) % FOLLOW_KINDS);
      return Math.min(FOLLOW_KINDS, Math.floor(size / 6), Math.floor(followingBase(key) / 4), own);
    },
    in: (index) => Math.min(FOLLOW_KINDS, Math.floor(traits(platform, index).size / 6)),
  });

  const memberOf = (
    platform: Platform,
    index: number,
    at: number,
    kind: FollowKind,
    campaign: number | null,
  ): FollowMember => {
    const shown = account(platform, index, at);
    return {
      id: shown.id,
      handle: shown.handle,
      displayName: shown.displayName,
      index,
      resident: index < count(platform),
      createdAt: shown.createdAt,
      followers: shown.followers,
      following: shown.following,
      posts: shown.posts,
      hasAvatar: shown.hasAvatar,
      bio: shown.bio,
      kind,
      campaign,
    };
  };

  /** Numbers of the outsiders of one list: each at most once. */
  const crowdOf = (platform: Platform, index: number, salt: number) => {
    const own = mix(traits(platform, index).key, salt);
    const shuffles = new Map<number, Permutation>();
    const pickFrom = (range: { from: number; size: number }, value: number): number => {
      let shuffle = shuffles.get(range.from);
      if (!shuffle) {
        shuffle = permutation(range.size, mix(own, range.from));
        shuffles.set(range.from, shuffle);
      }
      return range.from + shuffle.apply(value % range.size);
    };
    const community = communities.of(index % source.size).number;
    const shared = {
      from: CROWD.ofCommunities.from + (community % (CROWD.ofCommunities.size / COMMUNITY)) * COMMUNITY,
      size: COMMUNITY,
    };
    return ({ kind, group }: Seat, rank: number, turn: number): number => {
      if (group) {
        const range = group.bought ? CROWD.bought : CROWD.surges;
        return range.from + group.number * GROUP + group.slot + (turn & 1) * SLOTS;
      }
      const range =
        kind === 'genuine' && rank < COMMUNITY / 2 && unit(mix(own, 1), rank) < SHARED ? shared : CROWD[kind];
      // Further ones where the first two do not exist yet; large lists have no more.
      const stride = Math.floor(range.size / (2 * OTHERS));
      const other = rank < stride ? (turn >> 1) * stride : 0;
      return pickFrom(range, rank + other + (turn & 1) * (range.size / 2));
    };
  };

  /** Suspended and deactivated accounts are in no list, and none is before its creation. */
  const isListed = (platform: Platform, index: number, at: number): boolean => {
    const status = statusAt(platform, index, at);
    return status === 'active' || status === 'private';
  };

  /** Ranks of residents in a list, and who is there. */
  const residentsAt = (key: number, residents: readonly number[], size: number) => {
    const members = new Map<number, number>();
    residents.forEach((index, n) => {
      members.set(residentRank(key, n, residents.length, size), index);
    });
    return members;
  };

  /** The first outsider for a rank that exists at the time. */
  const present = (
    crowd: ReturnType<typeof crowdOf>,
    platform: Platform,
    seat: Seat,
    rank: number,
    turn: number,
    at: number,
  ): number => {
    const exists = (number: number) => outsiders.createdAt(platform, number) <= at;
    const first = crowd(seat, rank, turn);
    // No outsider of a list is created later.
    if (at >= ANCHOR || exists(first)) return first;
    // A campaign was bought when its accounts were new: before, others followed.
    const alone: Seat = { kind: seat.kind === 'suspicious' ? 'genuine' : seat.kind, group: null };
    for (let n = 0; n < 2 * OTHERS; n++) {
      const number = crowd(alone, rank, n);
      if (exists(number)) return number;
    }
    return first;
  };

  const isDormant = (platform: Platform, index: number, at: number): boolean =>
    traits(platform, index).dormantFrom <= at;

  const followers = (platform: Platform, index: number, at: number): FollowList => {
    const own = traits(platform, index);
    const { followers: total } = account(platform, index, at);
    const size = Math.max(1, Math.floor(own.size));
    const audience = audiences.traitsOf(own.key);
    const residents =
      index < source.size
        ? residentsAt(mix(own.key, 271), graph.followedBy(platform, index, roomOf(platform)), size)
        : new Map<number, number>();
    const crowd = crowdOf(platform, index, 272);
    const turns = mix(own.key, 273);
    const purges = growth.purges(platform, Math.max(own.createdAt, LISTS_FROM), at).map((purge) => ({
      at: purge.at,
      size: Math.floor(growth.at(platform, own, purge.at)),
      loss: growth.lossAt(purge, own.key),
    }));
    const seatOf = (origin: number, when: number): Seat => {
      const seat = audiences.seatAt(own.key, size, audience, origin);
      if (seat.group !== null || purges.length === 0) return seat;
      // Bots come back: their share is not lower for ever.
      const back = botsBack(purges, audience, when);
      return audiences.laterSeatAt(own.key, audience, origin, seat, back);
    };
    const ranks = createPurgedRanks(mix(own.key, 276), purges, at, audience, (origin, when) => {
      const { kind, group } = seatOf(origin, when);
      return kind === 'suspicious' && group === null && !residents.has(origin);
    });
    // Totals at fixed instants before now tell when the newest came.
    const start = Math.floor(at / GRID);
    const totals: number[] = [];
    const joined = (rank: number): number | null => {
      for (let step = 0; step < GRID_STEPS; step++) {
        const when = (start - step) * GRID;
        const then = totals[step] ?? growth.at(platform, own, when) + ranks.removedBy(when);
        totals[step] = then;
        if (then <= rank) return (start - step) * GRID;
      }
      return null;
    };
    const oldEvery = FRESH / (unfollowing.fresh * unfollowing.old);
    /** Whether the first or the second of a rank follows at the time: a follow ends, and the other one begins. */
    const turnOf = (rank: number): number => {
      const draw = mix(turns, rank);
      let turn = Math.floor(at / oldEvery + unit(draw, 1));
      if (unit(draw, 2) < unfollowing.fresh) {
        const since = joined(rank);
        if (since === null || at > since + unit(draw, 3) * FRESH) turn++;
      }
      return turn & 1;
    };
    const memberAt = (rank: number): FollowMember => {
      const resident = residents.get(rank);
      if (resident !== undefined && isListed(platform, resident, at))
        return memberOf(
          platform,
          resident,
          at,
          isDormant(platform, resident, at) ? 'inactive' : 'genuine',
          null,
        );
      const seat = seatOf(rank, at);
      const number = present(crowd, platform, seat, rank, turnOf(rank), at);
      return memberOf(
        platform,
        count(platform) + number,
        at,
        outsiders.kindOf(number),
        outsiders.campaignOf(number),
      );
    };
    return {
      total,
      page: (from, limit) =>
        Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, n) =>
          memberAt(ranks.originOf(total - 1 - from - n)),
        ),
    };
  };

  const following = (platform: Platform, index: number, at: number): FollowList => {
    const own = traits(platform, index);
    const { following: total } = account(platform, index, at);
    const followed = index < source.size ? graph.follows(platform, index, roomOf(platform)) : [];
    // The figure varies by a thirtieth; residents are among those that stay.
    const residents = residentsAt(mix(own.key, 274), followed, Math.floor(followingBase(own.key) * 0.96));
    const crowd = crowdOf(platform, index, 275);
    const alone: Seat = { kind: 'genuine', group: null };
    return {
      total,
      page: (from, limit) =>
        Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, n) => {
          const rank = total - 1 - from - n;
          const resident = residents.get(rank);
          return resident === undefined || !isListed(platform, resident, at)
            ? memberOf(
                platform,
                count(platform) + present(crowd, platform, alone, rank, 0, at),
                at,
                'genuine',
                null,
              )
            : memberOf(
                platform,
                resident,
                at,
                isDormant(platform, resident, at) ? 'inactive' : 'genuine',
                null,
              );
        }),
    };
  };

  return {
    followers,
    following,
    /** Residents of the graph that an account follows at a time. */
    residentsFollowed: (platform: Platform, index: number, at: number): readonly number[] =>
      isListed(platform, index, at)
        ? graph.follows(platform, index, roomOf(platform)).filter((other) => isListed(platform, other, at))
        : [],
    audienceOf: (platform: Platform, index: number) => audiences.traitsOf(traits(platform, index).key),
    roomOf,
  };
};
