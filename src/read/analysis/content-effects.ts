import { quantileSorted } from 'simple-statistics';
import { student95, studentP } from './distributions.ts';
import type { Persistences } from './engagement.ts';
import { type Offsets, weekHour } from './local-time.ts';
import { benjaminiHochberg, FALSE_DISCOVERIES } from './multiple-tests.ts';
import type { AnalyzedPost, DatedPost } from './post.ts';
import { correlationOf, harmonicsOf } from './posting-patterns.ts';
import { autoregressiveFit, contrastOf } from './regression.ts';
import { isLack, responseOf, trendOf } from './response.ts';
import type { Lack, Sample } from './sample.ts';

export const TRAITS = ['media', 'hashtags', 'links', 'length'] as const;

/** Media; hashtags; links; a long text. */
export type Trait = (typeof TRAITS)[number];

export interface ContentEffect {
  readonly trait: Trait;
  /** Share of posts that have it. */
  readonly share: number;
  /** Engagement of a post with it against one without, in percent, with its 95 % interval. */
  readonly effect_pct: number;
  readonly low: number;
  readonly high: number;
  readonly q: number;
  readonly significant: boolean;
}

export interface ContentEffects {
  /** Effects that the posts show; a trait that nearly all or none of them have is left out. */
  readonly effects: readonly ContentEffect[];
  /** UTF-16 code units from which a text is long, for this account. */
  readonly long_from: number | null;
  readonly n: number;
}

/** So many posts on both sides. */
const LEAST_SIDE = 5;

/** Where the texts of an account divide: in the middle, by logarithm, of its short and its long ones. */
const longFrom = (posts: readonly AnalyzedPost[]): number | null => {
  const lengths = posts
    .map(({ length }) => length)
    .filter((length) => length !== null && length > 0) as number[];
  if (lengths.length < posts.length / 2) return null;
  lengths.sort((a, b) => a - b);
  return Math.sqrt(quantileSorted(lengths, 0.1) * quantileSorted(lengths, 0.9));
};

/** Whether a post has a trait; null if no surface showed it. */
const has = (post: AnalyzedPost, trait: Trait, long: number | null): boolean | null => {
  if (trait === 'media') return post.media === null ? null : post.media === 'photo' || post.media === 'video';
  if (trait === 'length') return post.length === null || long === null ? null : post.length > long;
  const count = post[trait];
  return count === null ? null : count > 0;
};

interface Columns {
  readonly traits: readonly Trait[];
  readonly rows: readonly (readonly number[])[];
  readonly shares: readonly number[];
}

const columnsOf = (posts: readonly DatedPost[], offsets: Offsets, long: number | null): Columns => {
  const trend = trendOf(posts);
  const base = posts.map(({ atMs }, i) => [
    1,
    trend[i] as number,
    ...harmonicsOf(weekHour(atMs, offsets), true),
  ]);
  const known = TRAITS.map((trait) => ({
    trait,
    column: posts.map((post) => has(post, trait, long)),
  })).filter(({ column }) => {
    const withIt = column.filter((one) => one === true).length;
    const without = column.filter((one) => one === false).length;
    return withIt >= LEAST_SIDE && without >= LEAST_SIDE && withIt + without === posts.length;
  });
  return {
    traits: known.map(({ trait }) => trait),
    rows: base.map((row, i) => [...row, ...known.map(({ column }) => (column[i] === true ? 1 : 0))]),
    shares: known.map(({ column }) => column.filter((one) => one === true).length / posts.length),
  };
};

const percent = (ln: number): number => 100 * (Math.exp(ln) - 1);

/**
 * What media, hashtags, links and a long text go with.
 *
 * ln engagement by followers = level + trend + harmonics of day and week + traits + errors of a first-order
 * autoregression (`regression.ts`): a trait that is more frequent at good hours, or in newer posts, is not credited with
 * them. Tests by t, with Benjamini and Hochberg at 0.05 over the account's traits. Estimand: the factor of a post with
 * the trait against the same post without it. A difference between posts as they were published is no experiment.
 *
 * @returns the lack of posts or of engagement, if it can't be told.
 */
export const contentEffects = (
  sample: Sample,
  offsets: Offsets,
  persistences: Persistences,
): ContentEffects | Lack => {
  const response = responseOf(sample);
  if (isLack(response)) return response;
  const { posts, y } = response;
  const long = longFrom(posts);
  const { traits, rows, shares } = columnsOf(posts, offsets, long);
  const fit = traits.length === 0 ? null : autoregressiveFit(y, rows, correlationOf(persistences));
  if (fit === null) return { effects: [], long_from: long, n: posts.length };
  const first = (rows[0]?.length ?? 0) - traits.length;
  const contrasts = traits.map((_, k) =>
    contrastOf(
      fit,
      (rows[0] ?? []).map((_, i) => (i === first + k ? 1 : 0)),
    ),
  );
  const q = benjaminiHochberg(contrasts.map(({ value, error }) => studentP(value / error, fit.df)));
  const reach = student95(fit.df);
  return {
    long_from: long,
    n: posts.length,
    effects: traits.map((trait, k) => {
      const { value, error } = contrasts[k] as { value: number; error: number };
      return {
        trait,
        share: shares[k] as number,
        effect_pct: percent(value),
        low: percent(value - reach * error),
        high: percent(value + reach * error),
        q: q[k] as number,
        significant: (q[k] as number) <= FALSE_DISCOVERIES,
      };
    }),
  };
};
