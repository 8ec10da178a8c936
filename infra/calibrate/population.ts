import { FIGURES_WINDOW_DAYS, windowCountsOf } from '../../src/analysis/account-figures.ts';
import {
  addDependence,
  dependenceOf,
  NO_DEPENDENCE,
  type Persistences,
  persistencesOf,
} from '../../src/analysis/engagement.ts';
import { type GrowthPoint, type PlatformMove, platformMoves } from '../../src/analysis/growth.ts';
import { type PaceLaw, paceLawOf } from '../../src/analysis/pace.ts';
import { type Sample, sampleOf } from '../../src/analysis/sample.ts';
import type { Platform } from '../simulator/simulated-platforms.ts';
import type { World } from '../simulator/world/world.ts';
import { type Observed, observedOf } from './observed.ts';

const DAY = 86_400_000;
const GROWTH_DAYS = 90;
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
  /** Posts of the window, of two windows of a population's figures, and of the window of effects. */
  readonly sample: Sample;
  readonly double: Sample;
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
    const { posts, anchorMs, span, points } = seen;
    const sampleIn = (days: number) => sampleOf(posts, { platform, anchorMs, windowDays: days, span });
    const sample = sampleIn(windowDays);
    if (!isCommon && sample.ripe.length >= 8) engaged += 1;
    members.push({
      seen,
      sample,
      double: sampleIn(2 * FIGURES_WINDOW_DAYS),
      long: sampleIn(effectDays),
      points: points.filter(({ atMs }) => atMs >= anchorMs - GROWTH_DAYS * DAY),
      isCommon,
    });
    options.onAccount?.(isCommon ? index : options.accounts + engaged);
  }
  return members;
};

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
    law: paceLawOf(common.map(({ double }) => windowCountsOf(double)).filter((counts) => counts !== null)),
    moves: platformMoves(members.map(({ points }) => points)),
    originals:
      total(({ long }) => long.published.length) /
      total(({ long, seen }) => seen.posts.filter(({ atMs }) => atMs !== null && atMs > long.fromMs).length),
  };
};
