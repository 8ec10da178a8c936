import { Z95 } from './percentiles.ts';
import { leastSquares } from './regression.ts';

const WEEK_MS = 7 * 86_400_000;

/** Numbers of posts of an account in two successive windows of equal length. */
export interface WindowCounts {
  readonly before: number;
  readonly now: number;
  /** Weeks of each window. */
  readonly weeks: number;
}

/** How numbers of posts vary in a catalog. */
export interface PaceLaw {
  /** Variance of ln(count + ½) by the octave of the number of posts in two windows. */
  readonly variances: readonly number[];
  /** The normal law that ln posts a week has over the accounts of the catalog; null if unknown. */
  readonly rates: { readonly mean: number; readonly variance: number } | null;
}

/** Bounds of the rate at which an account posts in the long run. */
export interface PaceInterval {
  readonly low: number;
  readonly high: number;
}

const OCTAVES = 12;
/** Squares of a catalog that a class needs to count half. */
const PRIOR_SQUARES = 20;
/** Variance of a number of posts by that of as many independent ones: bursts (Goh and Barabási 2008) make it larger. */
const BURST_FACTOR = 4;

const octaveOf = (posts: number): number => Math.min(OCTAVES - 1, Math.floor(Math.log2(posts + 1)));

const priorVariance = (octave: number): number => BURST_FACTOR / (2 ** octave * 0.75 + 0.5);

/** Counts are compared as of windows of 30 days. */
const WINDOW_WEEKS = 30 / 7;
/** Bounds of counts by half octaves; fewer than three posts are many kinds of accounts. */
const BOUNDS = [3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 512];
/** Counts that a bin needs, and bins. */
const [MIN_COUNTS, MIN_BINS] = [5, 4];

/** A normal law of ln posts a week whose density is that of ln counts, by a parabola through their logarithms; null if it is none. */
const normalLaw = (counts: readonly number[]): PaceLaw['rates'] => {
  const bins = BOUNDS.slice(1).flatMap((to, i) => {
    const from = BOUNDS[i] as number;
    const n = counts.filter((count) => count >= from && count < to).length;
    return n < MIN_COUNTS ? [] : [{ x: Math.log(from * to) / 2, y: Math.log(n / Math.log(to / from)), n }];
  });
  if (bins.length < MIN_BINS) return null;
  const fit = leastSquares(
    bins.map(({ y, n }) => y * Math.sqrt(n)),
    bins.map(({ x, n }) => [1, x, x * x].map((value) => value * Math.sqrt(n))),
  );
  const [, slope = 0, bend = 0] = fit?.coefficients ?? [];
  return bend >= 0 ? null : { mean: -slope / (2 * bend) - Math.log(WINDOW_WEEKS), variance: -1 / (2 * bend) };
};

/**
 * How numbers of posts vary, from pairs of successive windows of a catalog's accounts: half of the squared difference of
 * their ln is the variance of one, bursts of any length included.
 * @param catalog accounts whose posts of both windows are recorded.
 */
export const paceLawOf = (catalog: Iterable<WindowCounts>): PaceLaw => {
  const squares = new Array<number>(OCTAVES).fill(0);
  const numbers = new Array<number>(OCTAVES).fill(0);
  const counts: number[] = [];
  for (const { before, now, weeks } of catalog) {
    if (before + now === 0) continue;
    const octave = octaveOf(before + now);
    squares[octave] = (squares[octave] as number) + Math.log((now + 0.5) / (before + 0.5)) ** 2 / 2;
    numbers[octave] = (numbers[octave] as number) + 1;
    counts.push((before * WINDOW_WEEKS) / weeks, (now * WINDOW_WEEKS) / weeks);
  }
  const variances = squares.map(
    (sum, octave) =>
      (sum + PRIOR_SQUARES * priorVariance(octave)) / ((numbers[octave] as number) + PRIOR_SQUARES),
  );
  return { variances, rates: normalLaw(counts) };
};

/** However alike the accounts of a catalog are, an account's own posts count so much. */
const LEAST_WEIGHT = 0.2;

/**
 * The 95 % interval of the rate at which the account posts in the long run, in posts a week, holding what was counted.
 *
 * ln(count + ½) is taken as normal, with the variance that counts of this size have in the catalog; the catalog's
 * counts give the prior (empirical Bayes, Efron and Morris 1975; Efron, "Tweedie's formula and selection bias", 2011):
 * an account that is asked about because it has enough posts has more of them than in other weeks.
 *
 * The posterior's variance is that of the count times its weight; half of the weight's logarithm is taken, since bursts
 * leave quiet windows, which make the lower tail longer than a normal one.
 *
 * @param posts in the window.
 * @param spanMs of the window, as far as posts are recorded.
 * @param law of the catalog.
 * @returns null without the catalog's rates: the counts of windows alone do not tell how much of them is chance.
 */
export const paceInterval = (posts: number, spanMs: number, law: PaceLaw): PaceInterval | null => {
  if (law.rates === null) return null;
  const weeks = spanMs / WEEK_MS;
  const counted = posts / weeks;
  const variance = law.variances[octaveOf(2 * posts)] as number;
  const weight = Math.max(LEAST_WEIGHT, 1 - variance / law.rates.variance);
  const middle = weight * Math.log((posts + 0.5) / weeks) + (1 - weight) * law.rates.mean;
  const reach = Z95 * Math.sqrt(Math.sqrt(weight) * variance);
  return {
    low: Math.min(counted, Math.exp(middle - reach)),
    high: Math.max(counted, Math.exp(middle + reach)),
  };
};
