import { courseOf, type GrowthPoint } from '../../src/analysis/growth.ts';
import { horizonOf, lackAlone, projectionLaw, projectionOf } from '../../src/analysis/growth-projection.ts';
import { isLack } from '../../src/analysis/sample.ts';
import { DIRECTORY_PLATFORMS } from '../../src/platforms/index.ts';
import { isSimulated, type Platform } from '../simulator/simulated-platforms.ts';
import { unit } from '../simulator/world/hash.ts';
import type { World } from '../simulator/world/world.ts';
import { AT } from './observed.ts';

const DAY = 86_400_000;
/** A catalog reads each of its accounts at an interval of its own. */
const [LEAST_DAYS, MOST_DAYS] = [1, 8];
/** Readings that a catalog has of an account. */
const HISTORY_DAYS = 400;
/** Days between dates of projection: a move of a platform strikes all accounts of one date alike. */
const APART_DAYS = 45;

/** A projection beside what the account then had, in ln followers. */
export interface Projected {
  readonly platform: Platform;
  readonly days: number;
  readonly error: number;
  /** Of a random walk with drift. */
  readonly baseline: number;
  readonly in50: boolean;
  readonly in95: boolean;
  /** Whether the narrower band holds few numbers that the platform shows: it is rounded outwards. */
  readonly few: boolean;
}

/** A band of fewer numbers is judged from below. */
const FEW_NUMBERS = 12;

export interface ProjectionsMeasured {
  readonly projected: readonly Projected[];
  /** Projections that had too few readings, or of accounts that move too much. */
  readonly lacking: number;
}

export interface ProjectionOptions {
  readonly days: readonly number[];
  /** Accounts of a platform that the catalog compares, and others that are judged. */
  readonly known: number;
  readonly judged: number;
  /** Dates at which projections are made. */
  readonly times: number;
  /** Whether the catalog knows no accounts but the one that is projected. */
  readonly alone?: boolean;
  readonly onTime?: () => void;
}

/** Digits to which YouTube shows followers. */
const SHOWN_DIGITS = 3;

/** The step to which a platform rounds a number of followers. */
const stepOf = (platform: Platform, followers: number): number =>
  platform === 'youtube' ? 10 ** Math.max(0, String(Math.floor(followers)).length - SHOWN_DIGITS) : 1;

/** Followers as a reading shows them. */
const shownOf = (world: World, platform: Platform, index: number, atMs: number): number => {
  const followers = world.hidden.followers(platform, index, atMs);
  const step = stepOf(platform, followers);
  return step * Math.floor(followers / step);
};

/** Followers of an account at its readings until a time. */
const pointsOf = (world: World, platform: Platform, index: number, at: number): readonly GrowthPoint[] => {
  const { key, createdAt } = world.hidden.traits(platform, index);
  const interval = DAY * (LEAST_DAYS + (MOST_DAYS - LEAST_DAYS) * unit(key, 9_003));
  const points: GrowthPoint[] = [];
  // How long the catalog has known it differs by account.
  const from = Math.max(createdAt, at - HISTORY_DAYS * DAY * unit(key, 9_005));
  for (let atMs = at - unit(key, 9_004) * interval; atMs > from; atMs -= interval)
    points.push({ atMs, followers: shownOf(world, platform, index, atMs) });
  return points.reverse();
};

/** Accounts that exist from a number on. */
const accountsFrom = (
  world: World,
  platform: Platform,
  first: number,
  n: number,
  at: number,
): readonly number[] => {
  const found: number[] = [];
  for (let index = first; found.length < n && index < world.size; index++) {
    const { createdAt } = world.hidden.traits(platform, index);
    if (createdAt < at - 10 * DAY) found.push(index);
  }
  return found;
};

/** Projections of accounts by what was known of them and others until a time, beside what followed. */
export const measureProjections = (world: World, options: ProjectionOptions): ProjectionsMeasured => {
  const projected: Projected[] = [];
  let lacking = 0;
  for (let k = 0; k < options.times; k++) {
    const at = AT - k * APART_DAYS * DAY;
    for (const platform of DIRECTORY_PLATFORMS.filter(isSimulated)) {
      const known = accountsFrom(world, platform, 0, options.known, at);
      const histories = known.map((index) => pointsOf(world, platform, index, at));
      const judged = accountsFrom(world, platform, (known.at(-1) ?? 0) + 1, options.judged, at);
      const courses = judged.map((index) => ({
        index,
        course: courseOf(pointsOf(world, platform, index, at), platform),
      }));
      for (const days of options.days) {
        const law = options.alone === true ? null : projectionLaw(histories, horizonOf(days), platform);
        for (const { index, course } of courses) {
          const isShort = law === null && !isLack(course) && lackAlone(course, days) !== null;
          const projection = isLack(course) || isShort ? null : projectionOf(course, law, days);
          if (isLack(course) || projection === null) {
            lacking += 1;
            continue;
          }
          const { followers, bands } = projection;
          const then = shownOf(world, platform, index, course.atMs + days * DAY);
          const step = stepOf(platform, followers);
          const ln = Math.log(then + 0.5);
          const within = (level: number): boolean =>
            bands.some((band) => band.level === level && band.low <= then && then <= band.high);
          projected.push({
            platform,
            days,
            error: Math.log(followers + 0.5) - ln,
            baseline: course.level + course.trend * days - ln,
            in50: within(0.5),
            in95: within(0.95),
            few: bands.some(({ level, low, high }) => level === 0.5 && (high - low) / step < FEW_NUMBERS),
          });
        }
      }
    }
    options.onTime?.();
  }
  return { projected, lacking };
};
