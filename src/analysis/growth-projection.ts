/** Projections of followers, and the law of their errors. */

import { studentReach } from '../kernel/distributions.ts';
import type { Platform } from '../kernel/platform.ts';
import {
  CLEAR_FROM,
  type Course,
  classOf,
  clearness,
  courseOf,
  deviationOf,
  type GrowthPoint,
  isCoarse,
  lnOf,
  trendError,
} from './growth.ts';
import { isLack, type Lack } from './sample.ts';

/** Chances with which followers are stated to be between bounds. */
const BAND_LEVELS = [0.5, 0.95] as const;
/** More than any platform has accounts: a band that reaches beyond says nothing. */
export const MOST_FOLLOWERS = 10_000_000_000;

interface Band {
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

/** Of the time that readings cover, so much can be projected by them alone: jumps that they don't show may come in it. */
const REACH = 0.5;

/** What an account's own readings lack for a projection without a law. */
export const lackAlone = ({ days: had }: Course, days: number): Lack<'days'> | null =>
  days <= REACH * had ? null : { what: 'days', had: Math.floor(had), needs: Math.ceil(days / REACH) };

/** Returns of followers have about the tails of Student's t with so many degrees of freedom. */
const HEAVY_DF = 4;

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
 * that such accounts had are in them. Without enough earlier projections they are those of Student's t with as many degrees of
 * freedom as the readings leave, 4 at most, by the account's own volatility and the error of its trend.
 *
 * Assumption: what is to come is like what came for the catalog's accounts in the time that it has readings of.
 *
 * @returns null for an account that moves too much to be projected so far: its 95 % band reaches beyond {@link MOST_FOLLOWERS}.
 */
export const projectionOf = (course: Course, law: ProjectionLaw | null, days: number): Projection | null => {
  const persistence = law === null ? ownPersistence(course) : (law.persistence[classOf(course)] as number);
  const deviation = deviationOf(course, days);
  const centre = course.level + persistence * course.trend * days;
  const errors =
    law === null ? null : nearErrors(law, isCoarse(course, days) ? 'coarse' : 'fine', Math.log(deviation));
  // The account may have any drift that its readings can't tell from none, whether it persists or not.
  const own = Math.hypot(deviation, days * trendError(course));
  const errorAt = (level: number, side: -1 | 1): number =>
    errors === null
      ? side * own * studentReach(level, Math.min(HEAVY_DF, course.readings - 2))
      : deviation * predictionQuantile(errors, 0.5 + (side * level) / 2);
  const followersAt = (ln: number): number => Math.max(0, Math.exp(ln) - 0.5);
  const projected = followersAt(centre);
  const now = followersAt(course.level);
  const bands = BAND_LEVELS.map((level) => ({
    level,
    low: Math.floor(Math.min(projected, followersAt(centre + errorAt(level, -1)))),
    high: Math.ceil(Math.max(projected, followersAt(centre + errorAt(level, 1)))),
  }));
  if (bands.some(({ high }) => !(high <= MOST_FOLLOWERS))) return null;
  return {
    followers: Math.round(projected),
    bands,
    dailySlope: (projected - now) / days,
    trend: course.trend * (now + 0.5),
    persistence,
    trials: errors?.length ?? null,
  };
};

const DAY_MS = 86_400_000;

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

/** How projections over some days do on a platform's accounts. */
export interface ProjectionLaw {
  readonly days: number;
  readonly trials: number;
  /** The share of a trend that persists, by its clearness. */
  readonly persistence: readonly number[];
  /** Errors of trials in deviations of their own accounts, by ln of that deviation; those where single steps of what is shown count apart. */
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
const trialsOf = (
  points: readonly GrowthPoint[],
  days: number,
  platform: Platform | undefined,
): readonly Trial[] => {
  const trials: Trial[] = [];
  const last = points.at(-1);
  if (last === undefined) return trials;
  for (let endMs = last.atMs; ; endMs -= Math.max(days, LEAST_APART_DAYS) * DAY_MS) {
    const course = courseOf(
      points.filter(({ atMs }) => atMs <= endMs - days * DAY_MS),
      platform,
    );
    if (isLack(course)) return trials;
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
  platform?: Platform,
): ProjectionLaw | null => {
  const trials = histories.flatMap((points) => trialsOf(points, days, platform));
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

/**
 * The quantile of a sample below which the next value of the same law is with a given chance: the order statistic of rank
 * p (n + 1), interpolated (Hyndman and Fan, "Sample quantiles in statistical packages", 1996, type 6). An interval between
 * two of them holds the next value with the difference of their chances, whatever the law is, if values are exchangeable
 * (Wilks 1941; Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005). Beyond the extremes it is the
 * extreme, so that a small sample covers less than asked.
 * @param sorted ascending, at least one.
 */
export const predictionQuantile = (sorted: readonly number[], chance: number): number => {
  const n = sorted.length;
  const rank = Math.min(n, Math.max(1, chance * (n + 1)));
  const below = Math.floor(rank);
  const low = sorted[below - 1] as number;
  return low + (rank - below) * ((sorted[Math.min(n, below + 1) - 1] as number) - low);
};
