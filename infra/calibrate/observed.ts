import type { GrowthPoint } from '../../src/analysis/growth.ts';
import type { AnalyzedPost } from '../../src/analysis/sample.ts';
import type { Span } from '../../src/write/accounts/post.ts';
import type { Platform } from '../simulator/simulated-platforms.ts';
import { timingFactor } from '../simulator/world/effects.ts';
import { mix, unit } from '../simulator/world/hash.ts';
import { hourOfWeek } from '../simulator/world/posting-times.ts';
import type { Traits } from '../simulator/world/traits.ts';
import type { World } from '../simulator/world/world.ts';
import { readAccount } from './readings.ts';

const DAY = 86_400_000;
export const AT = Date.UTC(2026, 9, 1);
/** A catalog reads each of its accounts at an interval of its own. */
const [LEAST_DAYS, MOST_DAYS] = [1, 8];

/** What made a post what it is, before streaks, outliers and whole numbers. */
export interface Cause {
  /** All reactions over all time of a median post at that time with these features. */
  readonly base: number;
  readonly factors: {
    readonly media: number;
    readonly hashtags: number;
    readonly links: number;
    readonly length: number;
  };
  readonly timing: number;
}

export interface Observed {
  readonly index: number;
  readonly traits: Traits;
  readonly followers: number;
  /** Share of followers that are suspicious. */
  readonly bots: number;
  /** The last reading. */
  readonly anchorMs: number;
  readonly posts: readonly AnalyzedPost[];
  /** The time for which every post is recorded. */
  readonly span: Span | null;
  /** Followers at each reading, by time. */
  readonly points: readonly GrowthPoint[];
  readonly causes: ReadonlyMap<string, Cause>;
}

/** Reads an account through the program; null if there is nothing to read. */
export const observedOf = (
  world: World,
  platform: Platform,
  index: number,
  days: number,
): Observed | null => {
  const account = world.account(platform, index, AT);
  if (account.status !== 'active' || account.posts === 0) return null;
  const traits = world.hidden.traits(platform, index);
  const interval = DAY * (LEAST_DAYS + (MOST_DAYS - LEAST_DAYS) * drawOf(traits, 3));
  const lastMs = AT - Math.floor(unit(traits.key, 9_001) * interval);
  const read = readAccount(world, platform, index, {
    anchorMs: lastMs,
    fromMs: lastMs - days * DAY - interval,
    interval,
  });
  const last = read.points.at(-1);
  if (last === undefined) return null;
  const posts = [...read.posts.digest.values()];
  const causes = new Map<string, Cause>();
  for (const { id, atMs } of posts) {
    if (atMs === null || atMs <= last.atMs - days * DAY) continue;
    const { engagement, streak, outlier, timing, features } = world.hidden.causes(
      platform,
      index,
      Number(id),
    );
    causes.set(id, { base: engagement / (streak * outlier), timing, factors: features });
  }
  return {
    index,
    traits,
    followers: last.followers,
    bots: world.hidden.audience(platform, index).suspicious,
    anchorMs: last.atMs,
    posts,
    span: read.posts.span,
    points: read.points,
    causes,
  };
};

/** ln of the factor of each hour of the account's week. */
export const timingOf = ({ effects }: Traits): readonly number[] =>
  Array.from({ length: 168 }, (_, cell) => Math.log(timingFactor(effects, cell)));

export const cellOf = (atMs: number, zone: number): number => hourOfWeek(atMs, zone);

/** A draw of an account that is the same in each run. */
export const drawOf = (traits: Traits, salt: number): number => unit(mix(traits.key, 9_002), salt);
