/** Growth of followers: slope and anomalies, the course until a reading, moves of the whole platform. */

import { medianAbsoluteDeviation, medianSorted } from 'simple-statistics';
import { student95 } from '../kernel/distributions.ts';
import type { Platform } from '../kernel/platform.ts';
import { followerDigits, halfStepOf } from './rounding.ts';
import { type Lack, NORMAL_MAD } from './sample.ts';

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

/** A projection takes readings over so many days, and so many of them. */
export const MIN_HISTORY_DAYS = 14;
export const MIN_HISTORY_POINTS = 4;
/** Readings of so many days before the last say how an account moves: older ones are of another time. */
const LOOKED_BACK_DAYS = 90;

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
  /** Readings that were used. */
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

/** Accounts that were read around a day, from which on it is judged. */
const MIN_ACCOUNTS = 30;
/** Change of the median account in a day that no growth explains. */
const LEAST_MOVE = 0.0015;
/** Share of accounts that moved the same way. */
const ALIKE = 0.75;
/** Fewer followers can't show such a change. */
const MIN_FOLLOWERS = 1 / LEAST_MOVE;
/** A longer gap between readings does not show on which day the change was. */
const MOST_GAP = 2 * DAY_MS;

type Series = readonly (readonly GrowthPoint[])[];

const ascending = (values: number[]): number[] => values.sort((a, b) => a - b);

/** Days on which the accounts of a platform moved alike. */
const daysOf = (series: Series): readonly number[] => {
  const days = new Map<number, number[]>();
  for (const points of series) {
    for (let i = 1; i < points.length; i++) {
      const [from, to] = [points[i - 1] as GrowthPoint, points[i] as GrowthPoint];
      if (from.followers < MIN_FOLLOWERS || to.followers === 0 || to.atMs - from.atMs > MOST_GAP) continue;
      const change = (Math.log(to.followers / from.followers) * DAY_MS) / (to.atMs - from.atMs);
      for (let day = Math.floor(from.atMs / DAY_MS); day * DAY_MS < to.atMs; day++) {
        const known = days.get(day);
        if (known) known.push(change);
        else days.set(day, [change]);
      }
    }
  }
  return [...days]
    .filter(([, changes]) => {
      if (changes.length < MIN_ACCOUNTS) return false;
      const median = medianSorted(ascending(changes));
      const alike = changes.filter((change) => change * median > 0).length / changes.length;
      return Math.abs(median) >= LEAST_MOVE && alike >= ALIKE;
    })
    .map(([day]) => day)
    .sort((a, b) => a - b);
};

/** Change of ln followers of the median account from its last reading before a time to its first after another. */
const changeOf = (series: Series, fromMs: number, toMs: number): number | null => {
  const changes: number[] = [];
  for (const points of series) {
    const before = points.findLast(({ atMs }) => atMs <= fromMs);
    const after = points.find(({ atMs }) => atMs >= toMs);
    if (before && after && before.followers >= MIN_FOLLOWERS && after.followers > 0)
      changes.push(Math.log(after.followers / before.followers));
  }
  return changes.length < MIN_ACCOUNTS ? null : medianSorted(ascending(changes));
};

/**
 * Times at which the accounts of a platform moved alike, as in a purge of bots: the median account's followers changed
 * by at least 0.15 % a day, and three quarters of the accounts moved the same way. Successive such days are one move,
 * which is measured between the readings around them.
 * @param series the followers of many accounts of a platform, each by time.
 */
export const platformMoves = (series: Series): readonly PlatformMove[] => {
  const spans: { first: number; last: number }[] = [];
  for (const day of daysOf(series)) {
    const span = spans.at(-1);
    if (span?.last === day - 1) span.last = day;
    else spans.push({ first: day, last: day });
  }
  return spans.flatMap(({ first, last }) => {
    const [fromMs, toMs] = [first * DAY_MS, (last + 1) * DAY_MS];
    const change = changeOf(series, fromMs, toMs);
    return change === null ? [] : [{ fromMs, toMs, change }];
  });
};

/** Pairs of more points take longer than a request may. */
const MOST_POINTS = 120;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The median of the slopes between all pairs of points with different x (Theil 1950; Sen, "Estimates of the regression
 * coefficient based on Kendall's tau", JASA 1968); NaN without such a pair. Of more than 120 points it takes 120,
 * evenly.
 */
export const theilSen = (points: readonly Point[]): number => {
  const n = Math.min(points.length, MOST_POINTS);
  const some = Array.from(
    { length: n },
    (_, i) => points[n === points.length ? i : Math.round((i * (points.length - 1)) / (n - 1))] as Point,
  );
  const slopes = new Float64Array((n * (n - 1)) / 2);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const from = some[i] as Point;
    for (let j = i + 1; j < n; j++) {
      const to = some[j] as Point;
      if (to.x !== from.x) slopes[count++] = (to.y - from.y) / (to.x - from.x);
    }
  }
  if (count === 0) return Number.NaN;
  const sorted = slopes.subarray(0, count).sort();
  const middle = count >> 1;
  return count % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};
