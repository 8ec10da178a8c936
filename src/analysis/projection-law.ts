import type { Platform } from '../kernel/platform.ts';
import type { GrowthPoint } from './growth.ts';
import { CLEAR_FROM, type Course, classOf, courseOf, deviationOf, isCoarse, lnOf } from './growth-course.ts';
import { isLack } from './response.ts';

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
export const nearErrors = (
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
