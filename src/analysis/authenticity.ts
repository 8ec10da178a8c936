import { medianAbsoluteDeviation, medianSorted } from 'simple-statistics';
import { student95 } from '../kernel/distributions.ts';
import { meanOver, type Persistence, shownOf, squareInflation, strengthsOf } from './dependence.ts';
import { type Percentile, percentileAmong } from './percentiles.ts';
import { type DatedPost, engagementOf, MIN_POSTS, NORMAL_MAD } from './sample.ts';

/** What reactions of an account's posts are like. Ratios are of totals over its posts. */
export const TRAITS_OF_REACTIONS = [
  'dispersion',
  'comments_per_like',
  'reposts_per_like',
  'views_per_like',
] as const;
export type ReactionTrait = (typeof TRAITS_OF_REACTIONS)[number];

/** Days of posts whose reactions are compared, unless a request has others. */
export const AUTHENTICITY_WINDOW_DAYS = 90;

export interface ReactionFigure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Posts that show it. */
  readonly n: number;
}

/** Null where fewer than 8 posts show it, or it can't be formed. */
export type ReactionFigures = Readonly<Record<ReactionTrait, ReactionFigure | null>>;

/** Gini's mean difference of normal values by their deviation is 2 / √π. */
const NORMAL_GINI = Math.sqrt(Math.PI) / 2;

/** Mean of |a − b| of each value with all others, by a pass over the sorted values. */
const meanDifferences = (sorted: readonly number[]): readonly number[] => {
  const n = sorted.length;
  const total = sorted.reduce((sum, value) => sum + value, 0);
  let below = 0;
  return sorted.map((value, i) => {
    const difference = value * i - below + (total - below - value) - value * (n - 1 - i);
    below += value;
    return difference / (n - 1);
  });
};

/** Values beyond so many robust deviations of the median count as so many: viral posts are not how posts vary. */
const WINSORIZED = 3;

/** ln(1 + value), ascending and winsorized. */
const loggedOf = (values: readonly number[]): readonly number[] => {
  const logs = values.map((value) => Math.log1p(value)).sort((a, b) => a - b);
  const median = medianSorted([...logs]);
  const reach = (WINSORIZED * medianAbsoluteDeviation([...logs])) / NORMAL_MAD;
  return reach === 0 ? logs : logs.map((log) => Math.max(median - reach, Math.min(median + reach, log)));
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Deviation of ln(1 + value), by Gini's mean difference of what is within three robust deviations. */
export const dispersionOf = (values: readonly number[]): number =>
  NORMAL_GINI * meanOf(meanDifferences(loggedOf(values)));

const dispersionFigure = (values: readonly number[], catalog: Persistence): ReactionFigure | null => {
  const n = values.length;
  if (n < MIN_POSTS) return null;
  const means = meanDifferences(loggedOf(values));
  const mean = meanOf(means);
  // Sums of equal values differ by rounding.
  if (mean < 1e-9) return { value: 0, low: 0, high: 0, n };
  // Variance of a U-statistic of two values (Hoeffding 1948).
  const variance = (4 * means.reduce((sum, one) => sum + (one - mean) ** 2, 0)) / ((n - 1) * n);
  const strengths = strengthsOf(values, catalog);
  const inflation = meanOver(strengths, squareInflation);
  // Posts of a streak are near each other: a small sample shows less than all posts vary.
  const shown = meanOver(strengths, (strength) => shownOf(n, strength.inflation));
  // A small sample may vary little by chance, the deviation of n normal values is known to 1 / √2n.
  const error = Math.sqrt(inflation * Math.max(variance / mean ** 2, 1 / (2 * n * shown)));
  const reach = student95(Math.max(4, (n - 1) / inflation)) * error;
  const value = (NORMAL_GINI * mean) / Math.sqrt(shown);
  return { value, low: value * Math.exp(-reach), high: value * Math.exp(reach), n };
};

/** Least share of the likes that the other posts are taken to have: a single post with all likes shows no error. */
const LEAST_LEFT = 0.01;

/** Upper 95 % bound of a count that was 0 (rule of three: Hanley and Lippman-Hand, JAMA 1983). */
const OF_NONE = 3;

const ratioOf = (
  posts: readonly DatedPost[],
  partOf: (post: DatedPost) => number | null,
): ReactionFigure | null => {
  const pairs = posts.flatMap((post) => {
    const part = partOf(post);
    return part === null || post.likes === null ? [] : [{ part, likes: post.likes }];
  });
  const n = pairs.length;
  const likes = pairs.reduce((sum, pair) => sum + pair.likes, 0);
  if (n < MIN_POSTS || likes === 0) return null;
  const value = pairs.reduce((sum, { part }) => sum + part, 0) / likes;
  if (value === 0) return { value, low: 0, high: OF_NONE / likes, n };
  // Variance of a ratio of totals (Cochran, Sampling Techniques, 1977, 6.4) by leaving each post out (Miller, Biometrika 1974): a post
  // with most of the likes draws the ratio to its own, and shows nothing of how far the next one is.
  const square = pairs.reduce(
    (sum, pair) =>
      sum + ((pair.part - value * pair.likes) / Math.max(LEAST_LEFT, 1 - pair.likes / likes)) ** 2,
    0,
  );
  const error = Math.sqrt((square * (n - 1)) / n) / likes;
  // Posts with many reactions count for more: so many equal ones would say as much (Kish 1965).
  const effective = likes ** 2 / pairs.reduce((sum, pair) => sum + pair.likes ** 2, 0);
  // A part that was seen k times is known to 1 / √k at best.
  const counted = 1 / Math.sqrt(value * likes);
  const reach = student95(Math.max(4, effective - 1)) * Math.max(error / value, counted);
  return { value, low: value * Math.exp(-reach), high: value * Math.exp(reach), n };
};

/**
 * What the reactions of an account's posts are like, with 95 % intervals.
 *
 * Dispersion: the deviation of ln(1 + engagement) over ripe posts, by Gini's mean difference times √π / 2, which is the
 * standard deviation of a normal law (Yitzhaki, "Gini's mean difference", Metron 2003); values beyond three robust deviations
 * count as three, as a viral post is none of what posts usually vary by. Estimand: that of all posts that the account might have published in the window. Interval: of its logarithm by the variance of a
 * U-statistic, with the dependence of successive posts. Ratios: of the totals of replies, reposts and views by that of likes
 * over ripe posts; interval of the logarithm by leaving each post out, with Student's t of as many degrees as posts of equal size
 * would say as much.
 *
 * @param ripe originals of a window, by time.
 */
export const reactionFigures = (ripe: readonly DatedPost[], persistence: Persistence): ReactionFigures => ({
  dispersion: dispersionFigure(
    ripe.map(engagementOf).filter((engagement) => engagement !== null),
    persistence,
  ),
  comments_per_like: ratioOf(ripe, ({ replies }) => replies),
  reposts_per_like: ratioOf(ripe, ({ reposts }) => reposts),
  views_per_like: ratioOf(ripe, ({ views }) => views),
});

/** The figures of a platform's accounts, each ascending. */
export type ReactionNorms = Readonly<Record<ReactionTrait, readonly number[]>>;

/** Norms of accounts, by their figures. */
export const reactionNorms = (accounts: readonly ReactionFigures[]): ReactionNorms =>
  Object.fromEntries(
    TRAITS_OF_REACTIONS.map((trait) => [
      trait,
      accounts.flatMap((figures) => figures[trait]?.value ?? []).sort((a, b) => a - b),
    ]),
  ) as unknown as ReactionNorms;

/** Share of a platform's accounts beyond which a figure is flagged, in percent. */
const EXTREME = 2.5;

export const AUTHENTICITY_RULES = [
  'reactions_constant',
  'reactions_erratic',
  'few_comments',
  'many_comments',
  'few_reposts',
  'many_reposts',
  'few_views',
] as const;

export interface AuthenticityFlag {
  readonly rule: (typeof AUTHENTICITY_RULES)[number];
  readonly trait: ReactionTrait;
  /** The figure of the platform's accounts beyond which it is: the whole interval of the account's is. */
  readonly threshold: number;
  readonly evidence: ReactionFigure;
}

const RULES: readonly (Pick<AuthenticityFlag, 'rule' | 'trait'> & { readonly side: 'low' | 'high' })[] = [
  { rule: 'reactions_constant', trait: 'dispersion', side: 'low' },
  { rule: 'reactions_erratic', trait: 'dispersion', side: 'high' },
  { rule: 'few_comments', trait: 'comments_per_like', side: 'low' },
  { rule: 'many_comments', trait: 'comments_per_like', side: 'high' },
  { rule: 'few_reposts', trait: 'reposts_per_like', side: 'low' },
  { rule: 'many_reposts', trait: 'reposts_per_like', side: 'high' },
  { rule: 'few_views', trait: 'views_per_like', side: 'low' },
];

/** Fewer accounts are no norm: of a hundred the extremes of 2.5 % are two or three. */
const MIN_NORM_ACCOUNTS = 100;

const quantileAt = (sorted: readonly number[], percent: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] as number;

export interface ComparedReactions {
  readonly percentiles: Readonly<Record<ReactionTrait, Percentile | null>>;
  readonly flags: readonly AuthenticityFlag[];
}

/**
 * Where the reactions of an account's posts are among those of its platform, and which of them are beyond those of 97.5 % of
 * its accounts: the whole interval of the figure has to be, so that a small sample flags nothing. A rule flags at most one in
 * forty accounts by its making, whatever they are: it says that a figure is rare, not why.
 */
export const compareReactions = (figures: ReactionFigures, norms: ReactionNorms): ComparedReactions => {
  const isNorm = (trait: ReactionTrait) => norms[trait].length >= MIN_NORM_ACCOUNTS;
  return {
    percentiles: Object.fromEntries(
      TRAITS_OF_REACTIONS.map((trait) => {
        const figure = figures[trait];
        return [trait, figure === null || !isNorm(trait) ? null : percentileAmong(figure, norms[trait])];
      }),
    ) as unknown as ComparedReactions['percentiles'],
    flags: RULES.flatMap(({ rule, trait, side }) => {
      const evidence = figures[trait];
      if (evidence === null || !isNorm(trait)) return [];
      const threshold = quantileAt(norms[trait], side === 'low' ? EXTREME : 100 - EXTREME);
      const isBeyond = side === 'low' ? evidence.high < threshold : evidence.low > threshold;
      return isBeyond ? [{ rule, trait, threshold, evidence }] : [];
    }),
  };
};
