/** What media, hashtags, links and long texts go with: the model, its traits, its tests, and plain shares. */

import { medianSorted, quantileSorted } from 'simple-statistics';
import { fisherP, student95, studentP } from '../kernel/distributions.ts';
import type { Persistences } from './engagement.ts';
import { type Offsets, weekHour } from './local-time.ts';
import { autoregressiveFit, contrastOf, type Fit, jointF, leastSquares } from './regression.ts';
import {
  type AnalyzedPost,
  type DatedPost,
  isLack,
  type Lack,
  LEAST_DEVIATION,
  responseOf,
  type Sample,
} from './sample.ts';

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
  /** Code units, without those of links, hashtags and mentions, from which a text of the account is long. */
  readonly long_from: number | null;
  readonly n: number;
}

const percent = (ln: number): number => 100 * (Math.exp(ln) - 1);

/**
 * What media, hashtags, links and a long text go with, by the model of `effects-model.ts`: a trait that is more
 * frequent at good hours, or in newer posts, is not credited with them. Tests by t, with Benjamini and Hochberg at 0.05
 * over the account's traits, protected by F (Fisher 1935): none is significant where all of them together are not.
 * Estimand: the factor of a post with the trait against the same post without it. A difference between posts as they
 * were published is no experiment.
 *
 * @returns the lack of posts or of engagement; null if the posts are too alike.
 */
export const contentEffects = (
  sample: Sample,
  offsets: Offsets,
  persistences: Persistences,
): ContentEffects | Lack | null => {
  const model = effectsModel(sample, offsets, persistences);
  if (model === null || isLack(model)) return model;
  const { fit, firstTrait, posts, traits } = model;
  const contrasts = traits.columns.map((_, k) =>
    contrastOf(
      fit,
      fit.coefficients.map((_value, i) => (i === firstTrait + k ? 1 : 0)),
    ),
  );
  const q = benjaminiHochberg(contrasts.map(({ value, error }) => studentP(value / error, fit.df)));
  const columns = traits.columns.map((_, k) => firstTrait + k);
  const isAny = fisherP(jointF(fit, columns) ?? 0, columns.length, fit.df) <= FALSE_DISCOVERIES;
  const reach = student95(fit.df);
  return {
    long_from: traits.longFrom,
    n: posts.length,
    effects: traits.columns.map(({ trait, column }, k) => {
      const { value, error } = contrasts[k] as { value: number; error: number };
      return {
        trait,
        share: column.filter((one) => one).length / posts.length,
        effect_pct: percent(value),
        low: percent(value - reach * error),
        high: percent(value + reach * error),
        q: q[k] as number,
        significant: isAny && (q[k] as number) <= FALSE_DISCOVERIES,
      };
    }),
  };
};

/**
 * What engagement goes with: ln engagement by followers = level + trend + cosine and sine of the day and of the week
 * (the cosinor of Halberg 1969) + traits of the post + errors of a first-order autoregression. One model answers for
 * hours and for content: media that are posted in the evening make the evening look good, and the evening the media.
 */
export interface EffectsModel {
  readonly fit: Fit;
  readonly posts: readonly DatedPost[];
  /** Local hours of the week. */
  readonly hours: readonly number[];
  readonly rows: readonly (readonly number[])[];
  /** Places of the coefficients. */
  readonly day: readonly number[];
  /** Empty where the posts span too few weeks. */
  readonly week: readonly number[];
  readonly firstTrait: number;
  readonly traits: PostTraits;
}

const WEEK_MS = 7 * 86_400_000;
/** A weekday that was seen less often can't be separated from its week. */
const LEAST_WEEKS = 4;
const TAU = 2 * Math.PI;

/** First harmonics of day and week at a time of the week. */
export const harmonicsOf = (hour: number, withWeek: boolean): readonly number[] => {
  const [day, week] = [(TAU * hour) / 24, (TAU * hour) / 168];
  const daily = [Math.cos(day), Math.sin(day)];
  return withWeek ? [...daily, Math.cos(week), Math.sin(week)] : daily;
};

/** Correlation of successive ln engagements in the catalog. */
const correlationOf = ({ engagement_rate_followers: { sign } }: Persistences): number =>
  Math.sin((Math.PI / 2) * sign);

/** @returns the lack of posts or of engagement; null if the posts are too alike for a model. */
export const effectsModel = (
  sample: Sample,
  offsets: Offsets,
  persistences: Persistences,
): EffectsModel | Lack | null => {
  const response = responseOf(sample);
  if (response === null || isLack(response)) return response;
  const { posts, y, kept } = response;
  const [first, last] = [posts[0]?.atMs ?? 0, posts.at(-1)?.atMs ?? 0];
  const withWeek = last - first >= LEAST_WEEKS * WEEK_MS;
  const traits = postTraits(posts);
  const hours = posts.map(({ atMs }) => weekHour(atMs, offsets));
  const rows = posts.map(({ atMs }, i) => [
    1,
    (atMs - first) / Math.max(1, last - first) - 0.5,
    ...harmonicsOf(hours[i] as number, withWeek),
    ...traits.columns.map(({ column }) => (column[i] === true ? 1 : 0)),
  ]);
  const fit = autoregressiveFit(y, rows, correlationOf(persistences));
  // A model that leaves nothing unexplained has intervals of no width.
  if (fit === null || fit.variance < LEAST_DEVIATION ** 2) return null;
  return {
    fit: {
      df: fit.df,
      variance: fit.variance,
      coefficients: fit.coefficients.map((value) => value / kept),
      covariance: fit.covariance.map((row) => row.map((value) => value / kept ** 2)),
    },
    posts,
    hours,
    rows,
    day: [2, 3],
    week: withWeek ? [4, 5] : [],
    firstTrait: withWeek ? 6 : 4,
    traits,
  };
};

export const TRAITS = ['media', 'hashtags', 'links', 'length'] as const;

/** Media; hashtags; links; a long text. */
export type Trait = (typeof TRAITS)[number];

/** So many posts on both sides: fewer do not tell a trait from the posts that have it. */
const LEAST_SIDE = 5;

/**
 * Lengths of texts without what links, hashtags and mentions add to them, by least squares: otherwise a post with a link
 * is a long one. Null if a post does not show its text.
 */
const textLengths = (posts: readonly AnalyzedPost[]): readonly number[] | null => {
  const lengths = posts.map(({ length }) => length).filter((length) => length !== null);
  if (lengths.length < posts.length) return null;
  const parts = posts.map(({ links, hashtags, mentions }) => [links ?? 0, hashtags ?? 0, mentions ?? 0]);
  const varying = [0, 1, 2].filter((k) => new Set(parts.map((part) => part[k])).size > 1);
  const fit = leastSquares(
    lengths,
    parts.map((part) => [1, ...varying.map((k) => part[k] as number)]),
  );
  return lengths.map((length, t) =>
    varying.reduce((sum, k, i) => sum - (fit?.coefficients[i + 1] ?? 0) * (parts[t]?.[k] as number), length),
  );
};

/** Code units by which short and long texts differ at least. */
const LEAST_SPREAD = 10;

/** Where the texts of an account divide: in the middle between its short and its long ones; null if all are alike. */
const middleOf = (lengths: readonly number[]): number | null => {
  const sorted = lengths.toSorted((a, b) => a - b);
  const [short, long] = [quantileSorted(sorted, 0.1), quantileSorted(sorted, 0.9)];
  return long - short < LEAST_SPREAD ? null : (short + long) / 2;
};

/** Whether a post has a trait; null if no surface showed it. */
const has = (post: AnalyzedPost, trait: Exclude<Trait, 'length'>): boolean | null => {
  if (trait === 'media') return post.media === null ? null : post.media === 'photo' || post.media === 'video';
  const count = post[trait];
  return count === null ? null : count > 0;
};

export interface TraitColumn {
  readonly trait: Trait;
  readonly column: readonly boolean[];
}

export interface PostTraits {
  /** Traits that enough posts have, and enough have not. */
  readonly columns: readonly TraitColumn[];
  /** Code units, without those of links, hashtags and mentions, from which a text of the account is long. */
  readonly longFrom: number | null;
}

const postTraits = (posts: readonly AnalyzedPost[]): PostTraits => {
  const lengths = textLengths(posts);
  const longFrom = lengths === null ? null : middleOf(lengths);
  const columns = TRAITS.flatMap((trait): TraitColumn[] => {
    const column =
      trait === 'length'
        ? (longFrom === null ? [] : (lengths ?? [])).map((length) => length > (longFrom as number))
        : posts.map((post) => has(post, trait)).filter((one) => one !== null);
    const having = column.filter((one) => one).length;
    const isShown =
      column.length === posts.length && having >= LEAST_SIDE && column.length - having >= LEAST_SIDE;
    return isShown ? [{ trait, column }] : [];
  });
  return { columns, longFrom };
};

/** False-discovery rate of all tests of effects. */
export const FALSE_DISCOVERIES = 0.05;

/**
 * q values: the least false-discovery rate at which a test is significant (Benjamini and Hochberg, "Controlling the
 * false discovery rate", JRSS B 1995), in the order of the p values.
 */
export const benjaminiHochberg = (p: readonly number[]): readonly number[] => {
  const order = p.map((_, i) => i).sort((a, b) => (p[b] as number) - (p[a] as number));
  const q = new Array<number>(p.length);
  let least = 1;
  order.forEach((i, n) => {
    least = Math.min(least, (p[i] as number) * (p.length / (p.length - n)));
    q[i] = least;
  });
  return q;
};

type Kind = AnalyzedPost['kind'];
type Media = NonNullable<AnalyzedPost['media']>;

/** Shares, 0 to 1; null where no post shows what they are of. */
export interface ContentShares {
  /** Posts of all kinds in the window. */
  readonly posts: number;
  readonly kinds: Readonly<Record<Kind, number | null>>;
  /** Of originals that show it. */
  readonly media: Readonly<Record<Media, number | null>>;
  readonly with_links: number | null;
  readonly with_hashtags: number | null;
  readonly with_mentions: number | null;
  /** UTF-16 code units. */
  readonly median_length: number | null;
}

const shareOf = <Value>(values: readonly Value[], isCounted: (value: Value) => boolean): number | null =>
  values.length === 0 ? null : values.filter(isCounted).length / values.length;

const known = <Value>(values: readonly (Value | null)[]): readonly Value[] =>
  values.filter((value) => value !== null);

/**
 * What an account posts: plain shares of the posts of a window, whether they are ripe or not. Replies and reposts are
 * counted as far as the surface that was read lists them.
 */
export const contentShares = (
  posts: Iterable<AnalyzedPost>,
  { published, fromMs, anchorMs }: Sample,
): ContentShares => {
  const kinds = [...posts].flatMap(({ atMs, kind }) =>
    atMs !== null && atMs > fromMs && atMs <= anchorMs ? [kind] : [],
  );
  const media = known(published.map((post) => post.media));
  const some = (field: 'links' | 'hashtags' | 'mentions') =>
    shareOf(known(published.map((post: DatedPost) => post[field])), (count) => count > 0);
  const lengths = known(published.map(({ length }) => length)).toSorted((a, b) => a - b);
  const ofKind = (kind: Kind) => shareOf(kinds, (one) => one === kind);
  const ofMedia = (one: Media) => shareOf(media, (other) => other === one);
  return {
    posts: kinds.length,
    kinds: {
      original: ofKind('original'),
      reply: ofKind('reply'),
      repost: ofKind('repost'),
      quote: ofKind('quote'),
    },
    media: {
      none: ofMedia('none'),
      photo: ofMedia('photo'),
      video: ofMedia('video'),
      link: ofMedia('link'),
      other: ofMedia('other'),
    },
    with_links: some('links'),
    with_hashtags: some('hashtags'),
    with_mentions: some('mentions'),
    median_length: lengths.length === 0 ? null : medianSorted(lengths as number[]),
  };
};
