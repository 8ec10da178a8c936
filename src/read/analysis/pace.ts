import { Z95 } from './median.ts';

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
  /** Mean and variance over accounts of the ln of the hidden number of posts a week; null if unknown. */
  readonly prior: { readonly mean: number; readonly variance: number } | null;
}

export interface Pace {
  /** Posts a week. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Posts in the window. */
  readonly n: number;
}

const OCTAVES = 12;
/** Squares of a catalog that a class needs to count half. */
const PRIOR_SQUARES = 20;
/** Variance of a number of posts by that of as many independent ones: bursts (Goh and Barabási 2008) make it larger. */
const BURST_FACTOR = 4;

const octaveOf = (posts: number): number => Math.min(OCTAVES - 1, Math.floor(Math.log2(posts + 1)));

const priorVariance = (octave: number): number => BURST_FACTOR / (2 ** octave * 0.75 + 0.5);

/**
 * How numbers of posts vary, from pairs of successive windows of a catalog's accounts: half of the squared difference of
 * their ln is the variance of one, bursts of any length included.
 */
export const paceLawOf = (catalog: Iterable<WindowCounts>): PaceLaw => {
  const squares = new Array<number>(OCTAVES).fill(0);
  const numbers = new Array<number>(OCTAVES).fill(0);
  const logs: number[] = [];
  for (const { before, now, weeks } of catalog) {
    if (before + now === 0) continue;
    const octave = octaveOf(before + now);
    squares[octave] = (squares[octave] as number) + Math.log((now + 0.5) / (before + 0.5)) ** 2 / 2;
    numbers[octave] = (numbers[octave] as number) + 1;
    logs.push(Math.log((before + now + 1) / (2 * weeks)));
  }
  const variances = squares.map(
    (sum, octave) =>
      (sum + PRIOR_SQUARES * priorVariance(octave)) / ((numbers[octave] as number) + PRIOR_SQUARES),
  );
  if (logs.length < 30) return { variances, prior: null };
  const mean = logs.reduce((sum, ln) => sum + ln, 0) / logs.length;
  const total = logs.reduce((sum, ln) => sum + (ln - mean) ** 2, 0) / (logs.length - 1);
  const within =
    numbers.reduce((sum, n, octave) => sum + (n * (variances[octave] as number)) / 2, 0) / logs.length;
  return { variances, prior: { mean, variance: Math.max(0.1, total - within) } };
};

/** Without a catalog. */
export const USUAL_PACE: PaceLaw = paceLawOf([]);

/**
 * Posts a week, with a 95 % interval of the rate at which the account posts in the long run.
 *
 * ln(count + ½) is taken as normal, with the variance that counts of this size have in the catalog, and the distribution
 * of rates in the catalog as prior (empirical Bayes, Efron and Morris 1975): an account that is asked about because it has
 * enough posts has more of them than in other weeks.
 *
 * @param posts in the window.
 * @param spanMs of the window, as far as posts are recorded.
 * @param law of the catalog.
 */
export const paceOf = (posts: number, spanMs: number, law: PaceLaw): Pace => {
  const weeks = spanMs / WEEK_MS;
  const ln = Math.log((posts + 0.5) / weeks);
  const variance = law.variances[octaveOf(2 * posts)] as number;
  const weight = law.prior === null ? 1 : law.prior.variance / (law.prior.variance + variance);
  const middle = law.prior === null ? ln : weight * ln + (1 - weight) * law.prior.mean;
  const reach = Z95 * Math.sqrt(weight * variance);
  const value = posts / weeks;
  return {
    value,
    low: Math.min(value, Math.exp(middle - reach)),
    high: Math.max(value, Math.exp(middle + reach)),
    n: posts,
  };
};
