import type { Platform } from '../kernel/platform.ts';
import type { GrowthPoint } from './growth.ts';
import { followerDigits, halfStepOf } from './rounding.ts';
import type { Lack } from './sample.ts';

const DAY_MS = 86_400_000;
/** A projection takes readings over so many days, and so many of them. */
export const MIN_HISTORY_DAYS = 14;
export const MIN_HISTORY_POINTS = 4;
/** Readings of so many days before the last say how an account moves: older ones are of another time. */
const LOOKED_BACK_DAYS = 90;
/** Readings nearer than this are one. */
const LEAST_GAP_MS = 6 * 3_600_000;

/** How an account moved until a reading: all of ln followers. */
export interface Course {
  /** The last of its readings, and the first. */
  readonly atMs: number;
  readonly fromMs: number;
  /** At the last reading. */
  readonly followers: number;
  /** ln (followers + ½) at the last reading. */
  readonly level: number;
  readonly days: number;
  /** Readings that it rests on. */
  readonly readings: number;
  /** Trend a day: the change over the whole time by its length. */
  readonly trend: number;
  /** Variance of what is not trend, a day. */
  readonly variance: number;
  /** Half of the step to which followers are shown, relative to them: of a follower, or of what the platform rounds to. */
  readonly step: number;
  readonly isRounded: boolean;
}

/** Points at least six hours apart, from the last one backwards. */
const apart = (points: readonly GrowthPoint[]): readonly GrowthPoint[] => {
  const kept: GrowthPoint[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  for (let i = points.length - 1; i >= 0; i--) {
    const point = points[i] as GrowthPoint;
    if (nextMs - point.atMs < LEAST_GAP_MS) continue;
    kept.push(point);
    nextMs = point.atMs;
  }
  return kept.reverse();
};

export const lnOf = (followers: number): number => Math.log(followers + 0.5);

/**
 * How an account moved in the 90 days before its last reading.
 * @param points by time. Followers that a platform rounds are known to their step.
 * @returns what is lacking for readings of fewer than 14 days, or fewer than four.
 */
export const courseOf = (
  points: readonly GrowthPoint[],
  platform?: Platform,
): Course | Lack<'days' | 'readings'> => {
  const last = points.at(-1);
  if (last === undefined) return { what: 'days', had: 0, needs: MIN_HISTORY_DAYS };
  const taken = apart(points.filter(({ atMs }) => atMs >= last.atMs - LOOKED_BACK_DAYS * DAY_MS));
  const first = taken[0] as GrowthPoint;
  const days = (last.atMs - first.atMs) / DAY_MS;
  if (days < MIN_HISTORY_DAYS) return { what: 'days', had: Math.floor(days), needs: MIN_HISTORY_DAYS };
  if (taken.length < MIN_HISTORY_POINTS)
    return { what: 'readings', had: taken.length, needs: MIN_HISTORY_POINTS };
  const trend = (lnOf(last.followers) - lnOf(first.followers)) / days;
  let square = 0;
  for (let i = 1; i < taken.length; i++) {
    const [before, after] = [taken[i - 1] as GrowthPoint, taken[i] as GrowthPoint];
    const passed = (after.atMs - before.atMs) / DAY_MS;
    square += (lnOf(after.followers) - lnOf(before.followers) - trend * passed) ** 2;
  }
  const digits = followerDigits(
    taken.map(({ followers }) => followers),
    platform,
  );
  return {
    atMs: last.atMs,
    fromMs: first.atMs,
    followers: last.followers,
    level: lnOf(last.followers),
    days,
    readings: taken.length,
    trend,
    // One degree of freedom is the trend's.
    variance: square / (days * (1 - 1 / (taken.length - 1))),
    step: halfStepOf(last.followers, digits) / (last.followers + 0.5),
    isRounded: digits !== null,
  };
};

/** Deviation of ln followers after some days, as the account's own course has it. */
export const deviationOf = ({ variance, step }: Course, days: number): number =>
  Math.hypot(Math.sqrt(variance * days), step);

/** Standard error of the trend: of what is not trend, and of the steps to which followers are shown. */
export const trendError = ({ variance, days, step }: Course): number =>
  Math.hypot(Math.sqrt(variance / days), step / days);

/** How many of its standard errors a trend is from none. */
export const clearness = (course: Course): number =>
  Math.abs(course.trend) / Math.max(1e-12, trendError(course));

/** Classes of trends by their clearness. */
export const CLEAR_FROM = [0, 1, 2, 3] as const;
export const classOf = (course: Course): number =>
  CLEAR_FROM.findLastIndex((least) => clearness(course) >= least);

/** Share of a deviation that is half a step of what is shown, from which on most changes are none. */
const COARSE = 0.1;
export const isCoarse = (course: Course, days: number): boolean =>
  course.step > COARSE * deviationOf(course, days);
