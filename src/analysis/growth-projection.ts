import { studentReach } from '../kernel/distributions.ts';
import { type Course, classOf, clearness, deviationOf, isCoarse, trendError } from './growth-course.ts';
import { predictionQuantile } from './prediction-quantile.ts';
import { nearErrors, type ProjectionLaw } from './projection-law.ts';

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
 * that such accounts had are in them. Without enough earlier projections they are those of Student's t with 4 degrees of
 * freedom, by the account's own volatility.
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
  // A band without a law includes the error of the trend that persists.
  const own = Math.hypot(deviation, persistence * days * trendError(course));
  const errorAt = (level: number, side: -1 | 1): number =>
    errors === null
      ? side * own * studentReach(level, HEAVY_DF)
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
