import type { GrowthPoint } from './growth.ts';
import { predictionQuantile } from './prediction-quantile.ts';

const DAY_MS = 86_400_000;
/** A projection takes readings over so many days, and so many of them. */
export const MIN_HISTORY_DAYS = 14;
export const MIN_HISTORY_POINTS = 4;
/** Readings of so many days before the last say how an account moves: older ones are of another time. */
const LOOKED_BACK_DAYS = 90;
/** Readings nearer than this are one. */
const LEAST_GAP_MS = 6 * 3_600_000;
/** Chances with which followers are stated to be between bounds. */
const BAND_LEVELS = [0.5, 0.95] as const;

/** How an account moved until a reading: all of ln followers. */
export interface Course {
  readonly atMs: number;
  /** ln (followers + ½) at the last reading. */
  readonly level: number;
  readonly days: number;
  /** Readings that it rests on. */
  readonly readings: number;
  /** Trend a day: the change over the whole time by its length. */
  readonly trend: number;
  /** Variance of what is not trend, a day. */
  readonly variance: number;
  /** Half of a follower, relative to the followers. */
  readonly step: number;
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

const lnOf = (followers: number): number => Math.log(followers + 0.5);

/** Days between the first and the last of some readings. */
export const historyDays = (points: readonly GrowthPoint[]): number =>
  ((points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)) / DAY_MS;

/**
 * How an account moved in the 90 days before its last reading.
 * @param points by time.
 * @returns null for readings of fewer than 14 days, or fewer than four.
 */
export const courseOf = (points: readonly GrowthPoint[]): Course | null => {
  const last = points.at(-1);
  if (last === undefined) return null;
  const taken = apart(points.filter(({ atMs }) => atMs >= last.atMs - LOOKED_BACK_DAYS * DAY_MS));
  const first = taken[0] as GrowthPoint;
  const days = (last.atMs - first.atMs) / DAY_MS;
  if (days < MIN_HISTORY_DAYS || taken.length < MIN_HISTORY_POINTS) return null;
  const trend = (lnOf(last.followers) - lnOf(first.followers)) / days;
  let square = 0;
  for (let i = 1; i < taken.length; i++) {
    const [before, after] = [taken[i - 1] as GrowthPoint, taken[i] as GrowthPoint];
    const passed = (after.atMs - before.atMs) / DAY_MS;
    square += (lnOf(after.followers) - lnOf(before.followers) - trend * passed) ** 2;
  }
  return {
    atMs: last.atMs,
    level: lnOf(last.followers),
    days,
    readings: taken.length,
    trend,
    // One degree of freedom is the trend's.
    variance: square / (days * (1 - 1 / (taken.length - 1))),
    step: 0.5 / (last.followers + 0.5),
  };
};

/** Deviation of ln followers after some days, as the account's own course has it. */
const deviationOf = ({ variance, step }: Course, days: number): number =>
  Math.hypot(Math.sqrt(variance * days), step);

/** How many of its standard errors a trend is from none. */
const clearness = ({ trend, variance, days, step }: Course): number =>
  Math.abs(trend) / Math.max(1e-12, Math.hypot(Math.sqrt(variance / days), step / days));

/** Classes of trends by their clearness. */
const CLEAR_FROM = [0, 1, 2, 3] as const;
const classOf = (course: Course): number => CLEAR_FROM.findLastIndex((least) => clearness(course) >= least);

/** What became of an account: a projection that was made at an earlier time, and the change that followed. */
interface Trial {
  readonly course: Course;
  /** Days until the reading that shows the change, and the change of ln followers. */
  readonly days: number;
  readonly change: number;
}

interface TrialError {
  readonly lnDeviation: number;
  /** In deviations. */
  readonly error: number;
}

/** Share of a deviation that is a single follower, from which on most changes are none. */
const COARSE = 0.1;
const isCoarse = (course: Course, days: number): boolean => course.step > COARSE * deviationOf(course, days);

/** How projections over some days do on a platform's accounts. */
export interface ProjectionLaw {
  readonly days: number;
  readonly trials: number;
  /** The share of a trend that persists, by its clearness. */
  readonly persistence: readonly number[];
  /** Errors of trials in deviations of their own accounts, by ln of that deviation; those where single followers count apart. */
  readonly errors: Readonly<Record<'fine' | 'coarse' | 'all', readonly TrialError[]>>;
}

/** The index of the reading nearest to a time. */
const nearest = (points: readonly GrowthPoint[], atMs: number): number => {
  let [low, high] = [0, points.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((points[middle] as GrowthPoint).atMs <= atMs) low = middle;
    else high = middle;
  }
  const apartMs = (at: number) => Math.abs((points[at] as GrowthPoint).atMs - atMs);
  return apartMs(low) <= apartMs(high) ? low : high;
};

/** Readings that are off by more than this share of the time show nothing of it. */
const MOST_OFF = 0.5;

/** Projections of an account are at least so many days apart: about twelve a year. */
const LEAST_APART_DAYS = 30;

/** The earlier projections of an account, with what followed: none overlaps another, the latest first. */
const trialsOf = (points: readonly GrowthPoint[], days: number): readonly Trial[] => {
  const trials: Trial[] = [];
  const last = points.at(-1);
  if (last === undefined) return trials;
  for (let endMs = last.atMs; ; endMs -= Math.max(days, LEAST_APART_DAYS) * DAY_MS) {
    const course = courseOf(points.filter(({ atMs }) => atMs <= endMs - days * DAY_MS));
    if (course === null) return trials;
    const after = points[nearest(points, course.atMs + days * DAY_MS)] as GrowthPoint;
    const passed = (after.atMs - course.atMs) / DAY_MS;
    if (Math.abs(passed - days) <= MOST_OFF * days)
      trials.push({ course, days: passed, change: lnOf(after.followers) - course.level });
  }
};

/** Weight of no persistence at all, in trials. */
const PRIOR_TRIALS = 10;

/**
 * The share of trends that persisted: a regression of what followed on the trend, through the origin, by least absolute
 * deviations, which jumps don't move. Its solution is a weighted median (Boscovich 1757; Laplace 1793).
 */
const persistenceOf = (trials: readonly Trial[]): number => {
  const shares = trials
    .map(({ course, change, days }) => {
      const expected = course.trend * days;
      return { share: expected === 0 ? 0 : change / expected, weight: Math.abs(expected) };
    })
    .sort((a, b) => a.share - b.share);
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const { share, weight } of shares) {
    passed += weight;
    if (passed >= total / 2)
      return (Math.max(0, Math.min(1, share)) * trials.length) / (trials.length + PRIOR_TRIALS);
  }
  return 0;
};

/** Days over which the catalog's projections are compared with what followed. */
const HORIZONS = [7, 14, 30, 60, 90, 180] as const;

/** The one nearest to a number of days, by its logarithm: errors in deviations change little between. */
export const horizonOf = (days: number): number =>
  HORIZONS.reduce((best, one) =>
    Math.abs(Math.log(one / days)) < Math.abs(Math.log(best / days)) ? one : best,
  );

/** Fewer trials make no law. */
const MIN_TRIALS = 200;

/**
 * How projections of so many days did on accounts of a platform: each account's readings are taken as far as an earlier
 * time, and what followed is compared with the projection of that time.
 * @param histories readings of accounts, each by time.
 * @returns null for fewer than 200 projections.
 */
export const projectionLaw = (
  histories: readonly (readonly GrowthPoint[])[],
  days: number,
): ProjectionLaw | null => {
  const trials = histories.flatMap((points) => trialsOf(points, days));
  if (trials.length < MIN_TRIALS) return null;
  const persistence = CLEAR_FROM.map((_, k) =>
    persistenceOf(trials.filter(({ course }) => classOf(course) === k)),
  );
  const errorsOf = (some: readonly Trial[]): readonly TrialError[] =>
    some
      .map(({ course, change, days: passed }) => {
        const deviation = deviationOf(course, passed);
        const going = persistence[classOf(course)] as number;
        return {
          lnDeviation: Math.log(deviationOf(course, days)),
          error: (change - going * course.trend * passed) / deviation,
        };
      })
      .sort((a, b) => a.lnDeviation - b.lnDeviation);
  return {
    days,
    trials: trials.length,
    persistence,
    errors: {
      fine: errorsOf(trials.filter(({ course }) => !isCoarse(course, days))),
      coarse: errorsOf(trials.filter(({ course }) => isCoarse(course, days))),
      all: errorsOf(trials),
    },
  };
};

export interface Band {
  readonly level: number;
  readonly low: number;
  readonly high: number;
}

export interface Projection {
  readonly followers: number;
  readonly bands: readonly Band[];
  /** Followers a day between the last reading and the projected one. */
  readonly dailySlope: number;
  /** The account's own trend in followers a day, and the share of it that persists. */
  readonly trend: number;
  readonly persistence: number;
  /** Earlier projections that the bands are made of; null if they rest on the account's own course alone. */
  readonly trials: number | null;
}

/** Trials of accounts that move about as much, whose errors make the bands. */
const NEIGHBOURS = 400;

/** The errors of the trials whose deviations are nearest, ascending: of all trials where those of the kind are too few. */
const nearErrors = (
  { errors: of }: ProjectionLaw,
  kind: 'fine' | 'coarse',
  lnDeviation: number,
): readonly number[] => {
  const errors = of[kind].length < MIN_TRIALS ? of.all : of[kind];
  let [low, high] = [0, errors.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((errors[middle] as TrialError).lnDeviation < lnDeviation) low = middle + 1;
    else high = middle;
  }
  const wanted = Math.max(MIN_TRIALS, Math.min(NEIGHBOURS, Math.floor(errors.length / 4)));
  const from = Math.max(0, Math.min(errors.length - wanted, low - (wanted >> 1)));
  return errors
    .slice(from, from + wanted)
    .map(({ error }) => error)
    .sort((a, b) => a - b);
};

/** Quantiles of Student's t with 4 degrees of freedom, whose tails returns of followers have about: of 75 and 97.5 %. */
const HEAVY: ReadonlyMap<number, number> = new Map([
  [0.5, 0.7407],
  [0.95, 2.7764],
]);

/** The share of a trend that persists without a law: what is beyond its own error (James and Stein 1961). */
const ownPersistence = (course: Course): number =>
  Math.max(0, 1 - 1 / Math.max(1e-9, clearness(course) ** 2));

/**
 * Where the followers of an account will be.
 *
 * Model: ln followers are a random walk (Gibrat 1931) with a volatility of the account's own that comes and goes, heavy
 * tails and jumps (Mandelbrot 1963), and a trend of which only a part persists. The part, and the law of the errors, are
 * measured on the catalog: projections are made as of earlier times for other accounts of the platform and compared with
 * what followed. Bands are quantiles of the errors of the accounts that move about as much, in their own deviations (split
 * conformal prediction by classes: Vovk, Gammerman and Shafer 2005; Lei et al. 2018), so that jumps and moves of the platform
 * that such accounts had are in them. Without enough earlier projections they are those of Student's t with 4 degrees of
 * freedom, by the account's own volatility.
 *
 * Assumption: what is to come is like what came for the catalog's accounts in the time that it has readings of.
 */
export const projectionOf = (course: Course, law: ProjectionLaw | null, days: number): Projection => {
  const persistence = law === null ? ownPersistence(course) : (law.persistence[classOf(course)] as number);
  const deviation = deviationOf(course, days);
  const centre = course.level + persistence * course.trend * days;
  const errors =
    law === null ? null : nearErrors(law, isCoarse(course, days) ? 'coarse' : 'fine', Math.log(deviation));
  // A band without a law includes the error of the trend that persists.
  const own = Math.hypot(deviation, persistence * days * Math.sqrt(course.variance / course.days));
  const errorAt = (level: number, side: -1 | 1): number =>
    errors === null
      ? side * own * (HEAVY.get(level) as number)
      : deviation * predictionQuantile(errors, 0.5 + (side * level) / 2);
  const followersAt = (ln: number): number => Math.max(0, Math.exp(ln) - 0.5);
  const projected = followersAt(centre);
  const now = followersAt(course.level);
  return {
    followers: Math.round(projected),
    bands: BAND_LEVELS.map((level) => ({
      level,
      low: Math.floor(Math.min(projected, followersAt(centre + errorAt(level, -1)))),
      high: Math.ceil(Math.max(projected, followersAt(centre + errorAt(level, 1)))),
    })),
    dailySlope: (projected - now) / days,
    trend: course.trend * (now + 0.5),
    persistence,
    trials: errors?.length ?? null,
  };
};
