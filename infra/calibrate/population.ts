import type { Platform } from '../../src/kernel/platform.ts';
import {
  addDependence,
  dependenceOf,
  NO_DEPENDENCE,
  type Persistences,
  persistencesOf,
} from '../../src/read/analysis/engagement.ts';
import type { GrowthPoint, PlatformMove } from '../../src/read/analysis/growth.ts';
import { type PaceLaw, paceLawOf } from '../../src/read/analysis/pace.ts';
import { platformMoves } from '../../src/read/analysis/platform-moves.ts';
import { type Sample, sampleOf } from '../../src/read/analysis/sample.ts';
import type { World } from '../simulator/world/world.ts';
import { KEPT, type Observed, observedOf } from './observed.ts';

const DAY = 86_400_000;
const GROWTH_DAYS = 90;
const GROWTH_STEP = 2;
/** Engagement of a post that is no few values. */
export const FEW = 5;

export interface PopulationOptions {
  readonly platform: Platform;
  /** Accounts as they come. */
  readonly accounts: number;
  /** Accounts after them whose posts have at least five reactions, and that have enough posts. */
  readonly engaged: number;
  readonly windowDays: number;
  /** Window of effects. */
  readonly effectDays: number;
  readonly onAccount?: (done: number) => void;
}

export interface Member {
  readonly seen: Observed;
  /** Posts of the window, and of the window of effects. */
  readonly sample: Sample;
  readonly long: Sample;
  readonly points: readonly GrowthPoint[];
  /** Whether it was taken as it came. */
  readonly isCommon: boolean;
}

/** Accounts as a crawler knows them, and what follows from a catalog of them. */
export interface Population {
  readonly world: World;
  readonly options: PopulationOptions;
  readonly members: readonly Member[];
  readonly persistences: Persistences;
  readonly law: PaceLaw;
  readonly moves: readonly PlatformMove[];
  /** Share of posts that are originals. */
  readonly originals: number;
}

const growthPoints = (world: World, platform: Platform, index: number, anchorMs: number) =>
  Array.from({ length: GROWTH_DAYS / GROWTH_STEP + 1 }, (_, n) => {
    const atMs = anchorMs - (GROWTH_DAYS - n * GROWTH_STEP) * DAY;
    return { atMs, followers: Math.floor(world.hidden.followers(platform, index, atMs)) };
  });

const membersOf = (world: World, options: PopulationOptions): readonly Member[] => {
  const { platform, windowDays, effectDays } = options;
  const members: Member[] = [];
  let engaged = 0;
  for (
    let index = 0;
    index < world.size && (index < options.accounts || engaged < options.engaged);
    index++
  ) {
    const isCommon = index < options.accounts;
    if (!isCommon) {
      const { dormantFrom, rate, size, engagement } = world.hidden.traits(platform, index);
      if (dormantFrom < Infinity || engagement.rate * size < FEW || rate * windowDays < 7 * 8) continue;
    }
    const seen = observedOf(world, platform, index, effectDays);
    if (seen === null) continue;
    const { posts, anchorMs } = seen;
    const sample = sampleOf(posts, { platform, anchorMs, windowDays });
    if (!isCommon && sample.ripe.length >= 8) engaged += 1;
    members.push({
      seen,
      sample,
      long: sampleOf(posts, { platform, anchorMs, windowDays: effectDays }),
      points: growthPoints(world, platform, index, anchorMs),
      isCommon,
    });
    options.onAccount?.(isCommon ? index : options.accounts + engaged);
  }
  return members;
};

const countsOf = ({ long, seen: { anchorMs } }: Member, windowDays: number) => {
  const since = (days: number) => long.published.filter(({ atMs }) => atMs > anchorMs - days * DAY).length;
  const now = since(windowDays);
  return { now, before: since(2 * windowDays) - now, weeks: windowDays / 7 };
};

/** Of an account with more posts than are kept, the earlier window may be a part of one. */
const hasBothWindows = ({ seen: { posts, anchorMs } }: Member, windowDays: number): boolean =>
  posts.length < KEPT || (posts.at(-1)?.atMs ?? 0) < anchorMs - 2 * windowDays * DAY;

export const populationOf = (world: World, options: PopulationOptions): Population => {
  const members = membersOf(world, options);
  const common = members.filter(({ isCommon }) => isCommon);
  const total = (of: (member: Member) => number) => common.reduce((sum, member) => sum + of(member), 0);
  return {
    world,
    options,
    members,
    persistences: persistencesOf(
      members.map(({ long }) => dependenceOf(long)).reduce(addDependence, NO_DEPENDENCE),
    ),
    law: paceLawOf(
      common
        .filter((member) => hasBothWindows(member, options.windowDays))
        .map((member) => countsOf(member, options.windowDays)),
    ),
    moves: platformMoves(members.map(({ points }) => points)),
    originals: total(({ long }) => long.published.length) / total(({ seen }) => seen.posts.length),
  };
};
