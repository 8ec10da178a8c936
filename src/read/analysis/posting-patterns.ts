import { fisherP, student95 } from './distributions.ts';
import type { Persistences } from './engagement.ts';
import { type Offsets, weekHour } from './local-time.ts';
import { benjaminiHochberg, FALSE_DISCOVERIES } from './multiple-tests.ts';
import { autoregressiveFit, contrastOf, type Fit, jointF } from './regression.ts';
import { isLack, MIN_MODEL_POSTS, responseOf, trendOf } from './response.ts';
import type { Lack, Sample } from './sample.ts';

export interface Cell {
  /** 0 is Monday. */
  readonly weekday: number;
  readonly hour: number;
  /** Ripe posts of the cell. */
  readonly n: number;
  /** Engagement in this hour against the account's usual one, in percent, with its 95 % interval. */
  readonly effect_pct: number;
  readonly low: number;
  readonly high: number;
  /** Whether the hour or the weekday matters, and the interval excludes zero. */
  readonly significant: boolean;
}

export interface PostingPatterns {
  readonly cells: readonly Cell[];
  /** Significant cells with more engagement than usual, the surest first; empty where no difference is measurable. */
  readonly best: readonly Cell[];
  readonly significant: boolean;
  /** q values of the tests of hour and weekday. */
  readonly q_hour: number;
  readonly q_weekday: number | null;
  readonly n: number;
}

const WEEK_MS = 7 * 86_400_000;
/** A weekday that was seen less often can't be told from its week. */
const LEAST_WEEKS = 4;
const BEST = 5;
const TAU = 2 * Math.PI;

/** First harmonics of day and week at a time of the week. */
export const harmonicsOf = (hour: number, withWeek: boolean): readonly number[] => {
  const day = (TAU * hour) / 24;
  const week = (TAU * hour) / 168;
  return withWeek
    ? [Math.cos(day), Math.sin(day), Math.cos(week), Math.sin(week)]
    : [Math.cos(day), Math.sin(day)];
};

const percent = (ln: number): number => 100 * (Math.exp(ln) - 1);

const cellsOf = (
  fit: Fit,
  counts: Int32Array,
  usual: readonly number[],
  withWeek: boolean,
  hasEffect: boolean,
): readonly Cell[] => {
  const reach = student95(fit.df);
  return Array.from(counts, (n, cell) => {
    const design = harmonicsOf(cell + 0.5, withWeek);
    const { value, error } = contrastOf(fit, [0, 0, ...design.map((x, i) => x - (usual[i] as number))]);
    const [low, high] = [value - reach * error, value + reach * error];
    return {
      weekday: Math.floor(cell / 24),
      hour: cell % 24,
      n,
      effect_pct: percent(value),
      low: percent(low),
      high: percent(high),
      significant: hasEffect && (low > 0 || high < 0),
    };
  });
};

/**
 * Whether engagement depends on hour and weekday, and how.
 *
 * ln engagement by followers = level + trend + cosine and sine of the day and of the week (the cosinor of Halberg 1969)
 * + errors of a first-order autoregression (`regression.ts`). Hour and weekday are tested by F, with Benjamini and
 * Hochberg at 0.05; cells are significant only where one of the two is, and their interval excludes zero. Estimand of a
 * cell: its factor against the account's mean over its own posting times. Assumptions: effects are smooth over the day
 * and the week; posts of a burst share hour and streak, which the autoregression accounts for.
 *
 * @returns the lack of posts or of engagement; null for a surface of unknown order, or posts at one hour alone.
 */
export const postingPatterns = (
  sample: Sample,
  offsets: Offsets,
  persistences: Persistences,
): PostingPatterns | Lack | null => {
  if (!sample.isOrdered) return null;
  const response = responseOf(sample);
  if (isLack(response)) return response;
  const { posts, y } = response;
  const hours = posts.map(({ atMs }) => weekHour(atMs, offsets));
  const withWeek = (posts.at(-1)?.atMs ?? 0) - (posts[0]?.atMs ?? 0) >= LEAST_WEEKS * WEEK_MS;
  const trend = trendOf(posts);
  const rows = hours.map((hour, i) => [1, trend[i] as number, ...harmonicsOf(hour, withWeek)]);
  const fit = autoregressiveFit(y, rows, correlationOf(persistences));
  if (fit === null)
    return posts.length < MIN_MODEL_POSTS ? { had: posts.length, needs: MIN_MODEL_POSTS } : null;
  const tests = [[2, 3], ...(withWeek ? [[4, 5]] : [])].map((places) => jointF(fit, places));
  const p = tests.map((f) => (f === null ? 1 : fisherP(f, 2, fit.df)));
  const [hourQ, weekdayQ = null] = benjaminiHochberg(p) as [number, number?];
  const significant = hourQ <= FALSE_DISCOVERIES || (weekdayQ ?? 1) <= FALSE_DISCOVERIES;
  const counts = new Int32Array(168);
  for (const hour of hours) counts[Math.floor(hour)] = (counts[Math.floor(hour)] as number) + 1;
  const usual = (rows[0] as number[])
    .slice(2)
    .map((_, i) => rows.reduce((sum, row) => sum + (row[i + 2] as number), 0) / rows.length);
  const cells = cellsOf(fit, counts, usual, withWeek, significant);
  const best = cells
    .filter((cell) => cell.significant && cell.low > 0)
    .toSorted((a, b) => b.low - a.low)
    .slice(0, BEST);
  return { cells, best, significant, q_hour: hourQ, q_weekday: weekdayQ, n: posts.length };
};

/** Correlation of successive ln engagements in the catalog. */
export const correlationOf = ({ engagement_rate_followers: { sign } }: Persistences): number =>
  Math.sin((Math.PI / 2) * sign);
