import { medianAbsoluteDeviation, medianSorted } from 'simple-statistics';
import { student95 } from '../kernel/distributions.ts';
import type { Platform } from '../kernel/platform.ts';
import { NORMAL_MAD } from './response.ts';
import { followerDigits, halfStepOf } from './rounding.ts';
import { theilSen } from './theil-sen.ts';

const DAY_MS = 86_400_000;
/** Points that a slope with an interval needs. */
export const MIN_POINTS = 8;
/** Robust deviations from which a change is an anomaly (Iglewicz and Hoaglin 1993: 3.5; returns have heavy tails). */
const ANOMALY = 6;
/** Steps to which followers are shown by which the ends of a path may be off. */
const HIDDEN_STEPS = 1.5;
/** Readings nearer than this are one: a change between them has no time to be one of the account. */
const LEAST_GAP_MS = 6 * 3_600_000;
/** Relative changes below are none, however calm an account is. */
const LEAST_ANOMALY = 0.005;

export interface GrowthPoint {
  readonly atMs: number;
  readonly followers: number;
}

/** A change that the accounts of a platform had alike, as a purge of bots. */
export interface PlatformMove {
  readonly fromMs: number;
  readonly toMs: number;
  /** Change of ln followers of the median account. */
  readonly change: number;
}

export interface Anomaly {
  /** Between these two readings. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly followers: number;
  readonly change_pct: number;
  readonly z: number;
  /** `platform`: its accounts moved alike at that time. */
  readonly cause: 'own' | 'platform';
}

export interface Growth {
  readonly delta: number;
  /** Change over the whole time, in percent of the first point. */
  readonly change_pct: number | null;
  /** Theil–Sen slope of ln followers a day, in percent, with its 95 % interval; moves of the platform taken out. */
  readonly per_day_pct: { readonly value: number; readonly low: number; readonly high: number } | null;
  /** The same in followers, at the median number of followers. */
  readonly per_day: { readonly value: number; readonly low: number; readonly high: number } | null;
  readonly anomalies: readonly Anomaly[];
  readonly n: number;
}

/** Parts of the moves of a platform that fall between two readings. */
const movedBetween = (moves: readonly PlatformMove[], fromMs: number, toMs: number): number =>
  moves.reduce((sum, move) => {
    const done = (at: number) => Math.min(1, Math.max(0, (at - move.fromMs) / (move.toMs - move.fromMs)));
    return sum + move.change * (done(toMs) - done(fromMs));
  }, 0);

interface Increment {
  readonly days: number;
  readonly change: number;
  readonly platform: number;
}

const incrementsOf = (points: readonly GrowthPoint[], moves: readonly PlatformMove[]): readonly Increment[] =>
  points.slice(1).map((point, i) => {
    const before = points[i] as GrowthPoint;
    return {
      days: (point.atMs - before.atMs) / DAY_MS,
      change: Math.log((point.followers + 0.5) / (before.followers + 0.5)),
      platform: movedBetween(moves, before.atMs, point.atMs),
    };
  });

/** The step to which a number is shown: one follower, or what a platform rounds to. */
const stepOf = (followers: number, digits: number | null): number => 2 * halfStepOf(followers, digits);

/** Readings at least six hours apart. */
const apartOf = (points: readonly GrowthPoint[]): readonly GrowthPoint[] => {
  const apart: GrowthPoint[] = [];
  for (const point of points)
    if (point.atMs - (apart.at(-1)?.atMs ?? -Infinity) >= LEAST_GAP_MS) apart.push(point);
  return apart;
};

const anomaliesOf = (
  points: readonly GrowthPoint[],
  increments: readonly Increment[],
  digits: number | null,
): readonly Anomaly[] => {
  // A change over t days has the deviation of one over a day by the root of t.
  const scaled = increments.map(({ change, days }) => change / Math.sqrt(days));
  const middle = medianSorted(scaled.toSorted((a, b) => a - b));
  const deviation = medianAbsoluteDeviation(scaled) / NORMAL_MAD;
  return increments.flatMap(({ change, days, platform }, i) => {
    const [before, point] = [points[i] as GrowthPoint, points[i + 1] as GrowthPoint];
    // One step more or less is none: a follower, or what rounded numbers show.
    const fewer = Math.min(before.followers, point.followers);
    const step = stepOf(Math.max(before.followers, point.followers), digits) / Math.max(1, fewer);
    const least = Math.max(LEAST_ANOMALY, 2 * step);
    const z = (change / Math.sqrt(days) - middle) / Math.max(deviation, step / Math.sqrt(days));
    if (Math.abs(change) < least || Math.abs(z) < ANOMALY) return [];
    const isPlatform =
      platform !== 0 && change * platform > 0 && Math.abs(change - platform) < Math.abs(change) * 0.6;
    return [
      {
        fromMs: before.atMs,
        toMs: point.atMs,
        followers: point.followers - before.followers,
        change_pct: 100 * (Math.exp(change) - 1),
        z,
        cause: isPlatform ? ('platform' as const) : ('own' as const),
      },
    ];
  });
};

/** Part of the squares of changes that may be due to rounding. */
const MOST_ROUNDING = 0.7;

/** Standard error of the slope of a random walk whose increments differ in variance. */
const walkError = (
  points: readonly GrowthPoint[],
  increments: readonly Increment[],
  slope: number,
  followers: number,
  step: number,
): number => {
  const [first, last] = [points[0] as GrowthPoint, points.at(-1) as GrowthPoint];
  const whole = (last.atMs - first.atMs) / DAY_MS;
  // Both ends of a change are rounded, to whole numbers at least: its square is larger by two variances of a uniform law, which the next
  // change takes back, so that the slope has none of it.
  const rounding = step ** 2 / (6 * Math.max(1, followers) ** 2);
  let [variance, rounded, passed] = [0, 0, 0];
  for (const { change, platform, days } of increments) {
    // A change at a share s of the time moves the slope of least squares by 6 s (1 − s) / T.
    const s = (passed + days / 2) / whole;
    const weight = ((6 * s * (1 - s)) / whole) ** 2;
    variance += weight * (change - platform - slope * days) ** 2;
    rounded += weight * rounding;
    passed += days;
  }
  const left = Math.max(variance - rounded, (1 - MOST_ROUNDING) * variance);
  return Math.sqrt(left * (increments.length / Math.max(1, increments.length - 1)));
};

/**
 * How the followers of an account develop.
 *
 * Slope: Theil and Sen's median of the slopes between all pairs of points (Sen, JASA 1968), of ln followers. Followers
 * are a random walk (Gibrat's law), so the slope's own interval, which takes deviations from a line for independent, is
 * far too narrow. Estimand: the account's drift over the time, which is the slope of its path without the random walk.
 * Interval: each change between readings counts with the weight that least squares give it, squared (White, Econometrica
 * 1980): it stands volatility that comes and goes. Anomalies: changes more than six robust deviations (MAD) from the
 * median one.
 *
 * @param points by time. Of those less than six hours apart the first counts; followers that a platform rounds are known
 *   to their step.
 * @param moves of the platform, by `platformMoves`.
 * @returns null for fewer than two points.
 */
export const growthOf = (
  points: readonly GrowthPoint[],
  moves: readonly PlatformMove[] = [],
  platform?: Platform,
): Growth | null => {
  const [begin, end] = [points[0], points.at(-1)];
  if (begin === undefined || end === undefined || points.length < 2) return null;
  const apart = apartOf(points);
  const delta = end.followers - begin.followers;
  const base = {
    delta,
    change_pct: begin.followers === 0 ? null : (100 * delta) / begin.followers,
    n: apart.length,
  };
  const [first, last] = [apart[0] as GrowthPoint, apart.at(-1) as GrowthPoint];
  if (apart.length < MIN_POINTS) return { ...base, per_day_pct: null, per_day: null, anomalies: [] };
  const increments = incrementsOf(apart, moves);
  let moved = 0;
  const path = apart.map((point, i) => {
    moved += i === 0 ? 0 : (increments[i - 1] as Increment).platform;
    return { x: point.atMs / DAY_MS, y: Math.log(point.followers + 0.5) - moved };
  });
  const slope = theilSen(path);
  const middle = medianSorted(apart.map(({ followers }) => followers).toSorted((a, b) => a - b));
  const span = ((last.atMs - first.atMs) / DAY_MS) * Math.max(1, middle);
  const digits = followerDigits(
    apart.map(({ followers }) => followers),
    platform,
  );
  const step = stepOf(middle, digits);
  // Rounded numbers hide a path that moves within one step: its slope is off by up to 1.5 steps over the whole time.
  const reach = Math.hypot(
    student95(Math.max(4, apart.length - 2)) * walkError(apart, increments, slope, middle, step),
    (HIDDEN_STEPS * step) / span,
  );
  const scaled = (by: number) => ({
    value: by * slope,
    low: by * (slope - reach),
    high: by * (slope + reach),
  });
  return {
    ...base,
    per_day_pct: scaled(100),
    per_day: scaled(middle),
    anomalies: anomaliesOf(apart, increments, digits),
  };
};
