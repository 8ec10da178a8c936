/** Hours of the week: when an account posts and with what effect, and when a population does. */

import { medianSorted } from 'simple-statistics';
import { fisherP, student95 } from '../kernel/distributions.ts';
import type { Platform } from '../kernel/platform.ts';
import {
  benjaminiHochberg,
  type EffectsModel,
  effectsModel,
  FALSE_DISCOVERIES,
  harmonicsOf,
} from './content-effects.ts';
import type { Persistences } from './engagement.ts';
import { type Offsets, UTC, weekHour } from './local-time.ts';
import { Z95 } from './percentiles.ts';
import { contrastOf, type Fit, jointF } from './regression.ts';
import {
  type AnalyzedPost,
  type DatedPost,
  engagementOf,
  isLack,
  type Lack,
  MIN_MEDIAN,
  MIN_POSTS,
  type Sample,
  sampleOf,
} from './sample.ts';

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
  /** q values of the tests of hour and weekday; null for one that the posts do not allow. */
  readonly q_hour: number | null;
  readonly q_weekday: number | null;
  /** Posts that a surface listed by time. */
  readonly n: number;
}

const BEST = 5;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Days or weeks with posts: an hour or a weekday is not repeated more often. */
const repetitionsOf = (posts: readonly DatedPost[], period: number): number =>
  Math.max(4, new Set(posts.map(({ atMs }) => Math.floor(atMs / period))).size - 3);

const percent = (ln: number): number => 100 * (Math.exp(ln) - 1);

const CELLS = 168;
const designs = (withWeek: boolean) =>
  Array.from({ length: CELLS }, (_, cell) => harmonicsOf(cell + 0.5, withWeek));
/** Harmonics of the middle of each hour of the week. */
const [DAILY, WEEKLY] = [designs(false), designs(true)];

/** Coefficients before those of the harmonics. */
const FIRST = 2;

/** The part of a fit from a coefficient on. */
const fitFrom = ({ coefficients, covariance, ...rest }: Fit, first: number): Fit => ({
  ...rest,
  coefficients: coefficients.slice(first),
  covariance: covariance.slice(first).map((row) => row.slice(first)),
});

const cellsOf = ({ fit, hours, rows, week }: EffectsModel, hasEffect: boolean): readonly Cell[] => {
  const counts = new Int32Array(CELLS);
  for (const hour of hours) counts[Math.floor(hour)] = (counts[Math.floor(hour)] as number) + 1;
  const effects = fitFrom(fit, FIRST);
  const design = week.length > 0 ? WEEKLY : DAILY;
  const usual = (design[0] as readonly number[]).map(
    (_, i) => rows.reduce((sum, row) => sum + (row[i + FIRST] as number), 0) / rows.length,
  );
  const reach = student95(fit.df);
  return Array.from(counts, (n, cell) => {
    const weights = (design[cell] as readonly number[]).map((x, i) => x - (usual[i] as number));
    const { value, error } = contrastOf(effects, weights);
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
 * Whether engagement depends on hour and weekday, and how, by the model of `effects-model.ts`. The harmonics of the day
 * and of the week are tested by F, with Benjamini and Hochberg at 0.05; cells are significant only where one of the two
 * is, and their interval excludes zero; the days, or weeks, with posts bound the degrees of freedom. Estimand of a
 * cell: its factor against the account's mean over its own posting times. Assumptions: effects are smooth over the day
 * and the week; posts of a burst share hour and streak, which the autoregression accounts for.
 *
 * Posts that only surfaces of unknown order listed are left out: the platform may have selected them by their success.
 *
 * @returns the lack of ordered posts or of engagement; null where nothing was tested: no post is ordered, or they are too
 *   alike. A result says that one of the two was tested, whether it is significant or not.
 */
export const postingPatterns = (
  sample: Sample,
  offsets: Offsets,
  persistences: Persistences,
): PostingPatterns | Lack | null => {
  const ripe = sample.ripe.filter(({ isOrdered }) => isOrdered);
  if (ripe.length === 0 && sample.ripe.length > 0) return null;
  const model = effectsModel({ ...sample, ripe }, offsets, persistences);
  if (model === null || isLack(model)) return model;
  const { fit, day, week, posts } = model;
  const tests = [
    { columns: day, period: DAY_MS },
    { columns: week, period: WEEK_MS },
  ].map(({ columns, period }) => {
    const f = jointF(fit, columns);
    return f === null ? null : fisherP(f, columns.length, Math.min(fit.df, repetitionsOf(posts, period)));
  });
  const tested = benjaminiHochberg(tests.filter((p) => p !== null));
  if (tested.length === 0) return null;
  const hourQ = tests[0] === null ? null : (tested[0] as number);
  const weekdayQ = tests[1] === null ? null : (tested.at(-1) as number);
  const significant = Math.min(...tested) <= FALSE_DISCOVERIES;
  const cells = cellsOf(model, significant);
  const best = cells
    .filter((cell) => cell.significant && cell.low > 0)
    .toSorted((a, b) => b.low - a.low)
    .slice(0, BEST);
  return { cells, best, significant, q_hour: hourQ, q_weekday: weekdayQ, n: posts.length };
};

const WEEK_HOURS = 168;

/** Fewer authors say nothing of an hour. */
export const MIN_AUTHORS = 30;

/** An account whose posts are sampled. */
export interface SampledAuthor {
  readonly posts: Iterable<AnalyzedPost>;
  /** Its last sighting. */
  readonly anchorMs: number;
}

export interface PopulationCell {
  /** Hour of the week, from Monday 00:00 UTC. */
  readonly hour: number;
  readonly n: number;
  readonly authors: number;
  /** Median over authors of their posts' engagement by their own median, with its 95 % interval; null for few authors, or equal ones. */
  readonly effect: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface PopulationPatterns {
  readonly authors: number;
  readonly posts: number;
  readonly cells: readonly PopulationCell[];
}

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** Engagement of an author's posts in each hour, relative to the author's own median; null for few posts or reactions. */
const ratiosOf = (
  { posts, anchorMs }: SampledAuthor,
  platform: Platform,
  windowDays: number,
): ReadonlyMap<number, readonly number[]> | null => {
  const { ripe } = sampleOf(posts, { platform, anchorMs, windowDays });
  const known = ripe.flatMap((post) => {
    const engagement = engagementOf(post);
    return engagement === null || !post.isOrdered
      ? []
      : [{ engagement, hour: Math.floor(weekHour(post.atMs, UTC)) }];
  });
  if (known.length < MIN_POSTS) return null;
  const median = medianSorted([...ascending(known.map(({ engagement }) => engagement))]);
  // Ratios of counts that are 0 or 1 are 1, whatever the hour.
  if (median < MIN_MEDIAN) return null;
  const byHour = new Map<number, number[]>();
  for (const { engagement, hour } of known)
    byHour.set(hour, [...(byHour.get(hour) ?? []), engagement / median]);
  return byHour;
};

const NO_EFFECT = { effect: null, low: null, high: null } as const;

/**
 * Order statistics of independent values (Campbell and Gardner, BMJ 1988); nothing if all between them are equal: an
 * interval of no width is no certainty.
 */
const medianWithInterval = (values: readonly number[]) => {
  const sorted = ascending(values) as number[];
  const n = sorted.length;
  const reach = (Z95 / 2) * Math.sqrt(n);
  const low = sorted[Math.max(0, Math.floor(n / 2 - reach))] as number;
  const high = sorted[Math.min(n - 1, Math.ceil(n / 2 + reach) - 1)] as number;
  return low === high ? NO_EFFECT : { effect: medianSorted(sorted), low, high };
};

/**
 * Engagement by hour of the week over the authors of a population, whatever their own level: an hour's effect is the
 * median over authors of the median ratio of their posts of that hour. Authors are independent, and count once an hour;
 * those with a median below 5 reactions do not.
 */
export const populationPatterns = (
  accounts: readonly SampledAuthor[],
  platform: Platform,
  windowDays: number,
): PopulationPatterns => {
  const hours: { posts: number; ratios: number[] }[] = Array.from({ length: WEEK_HOURS }, () => ({
    posts: 0,
    ratios: [],
  }));
  let authors = 0;
  for (const account of accounts) {
    const own = ratiosOf(account, platform, windowDays);
    if (own === null) continue;
    authors += 1;
    for (const [hour, ratios] of own) {
      const found = hours[hour] as (typeof hours)[number];
      found.posts += ratios.length;
      found.ratios.push(medianSorted([...ascending(ratios)]));
    }
  }
  const cells = hours.flatMap(({ posts, ratios }, hour) =>
    ratios.length === 0
      ? []
      : [
          {
            hour,
            n: posts,
            authors: ratios.length,
            ...(ratios.length < MIN_AUTHORS ? NO_EFFECT : medianWithInterval(ratios)),
          },
        ],
  );
  return { authors, posts: cells.reduce((sum, { n }) => sum + n, 0), cells };
};
