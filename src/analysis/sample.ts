/** The sample of posts that figures are made of. */

import { medianAbsoluteDeviation, medianSorted } from 'simple-statistics';
import type { Platform } from '../kernel/platform.ts';
import { ripeMsOf } from '../platforms/index.ts';
import { FIGURES, type Figures, type Post, type Span } from '../write/accounts/post.ts';
import { digitsOf } from './rounding.ts';

/** Version of the formulas in this folder. It rises when an answer to the same posts may change. */
export const INSIGHTS_METHOD_VERSION = '2';

/** What the formulas need of a post. Times are in milliseconds since 1970; null is unknown, never 0. */
export interface AnalyzedPost extends Figures {
  readonly id: string;
  readonly atMs: number | null;
  /** The reading that showed the oldest of its figures. */
  readonly observedMs: number;
  readonly kind: Post['kind'];
  readonly media: Post['media'];
  /** Whether a surface listed it that sorts by time; otherwise the platform may have selected it. */
  readonly isOrdered: boolean;
  /** Followers of the author at the last reading before the post, or at the first reading; within a bin. */
  readonly followers: number | null;
  /** Length of the text in UTF-16 code units. */
  readonly length: number | null;
  readonly hashtags: number | null;
  readonly links: number | null;
  readonly mentions: number | null;
}

/** A post whose time is known. */
export type Dated<Post extends AnalyzedPost> = Post & { readonly atMs: number };
export type DatedPost = Dated<AnalyzedPost>;

/** Likes, replies, reposts and quotes, as far as they are shown; null if the likes are not. */
export const engagementOf = ({ likes, replies, reposts, quotes }: Figures): number | null =>
  likes === null ? null : likes + (replies ?? 0) + (reposts ?? 0) + (quotes ?? 0);

const DAY_MS = 86_400_000;

/**
 * Fewer ripe posts carry no median with an interval: with streaks of a usual strength (`dependence.ts`) the 95 % interval of
 * seven posts reaches beyond the least and the largest of them.
 */
export const MIN_POSTS = 8;

/** So many of the newest posts a digest always has; it drops older ones as new ones come. */
const ALWAYS_KEPT = 400;

/** Posts that a platform lets an account pin, at most: lists by time have them too, however old they are. */
const MOST_PINNED = 3;

/** Readings of an account are some days apart: what is recorded up to so long before the last sighting is up to date. */
const LATE_MS = 3 * DAY_MS;

/** What a reader of the figures has to know of the sample. */
export type SampleWarning =
  | 'posts_not_ripe'
  | 'order_unknown'
  | 'counts_rounded'
  /** The window begins before what is recorded of the account. */
  | 'window_not_covered'
  /** What is recorded ends more than three days before the last sighting. */
  | 'window_ends_early';

export interface SampleOptions {
  readonly platform: Platform;
  /** The last sighting of the account: it alone decides which posts count, never the time of the computation. */
  readonly anchorMs: number;
  readonly windowDays: number;
  /** Age of a ripe post, if it is not the platform's. */
  readonly ripeMs?: number;
  /** The time for which every post of the account is recorded; null if no reading stated one. */
  readonly span?: Span | null;
}

export interface Sample<Post extends AnalyzedPost = AnalyzedPost> {
  readonly fromMs: number;
  readonly anchorMs: number;
  readonly ripeMs: number;
  /** Originals of the window by time. */
  readonly published: readonly Dated<Post>[];
  /** Those of them whose figures were read at a ripe age. */
  readonly ripe: readonly Dated<Post>[];
  /** How many were read too young. */
  readonly unripe: number;
  /** How many only surfaces of unknown order listed. */
  readonly unordered: number;
  readonly isOrdered: boolean;
  /** The part of the window of which every post is known; both are the same time if there is none. */
  readonly knownFromMs: number;
  readonly knownToMs: number;
  /** Originals of that part, without one at its beginning: numbers of posts are counted over it. */
  readonly known: readonly Dated<Post>[];
  /** Whether that part is the window, but for up to three days at its end. */
  readonly isCovered: boolean;
  readonly warnings: readonly SampleWarning[];
}

/** What a figure had and what it needs: by default ripe posts, or the engagement of the median post. */
export interface Lack<What extends string = 'posts' | 'median_engagement'> {
  readonly what: What;
  readonly had: number;
  readonly needs: number;
}

/**
 * Where the known part of a window begins. Without a span, surfaces that sort by time have shown all posts since the
 * oldest that they listed, which may be pinned: the three oldest say nothing, nor do posts that only surfaces of unknown
 * order listed. If the next one is older than the window, that is covered.
 */
const knownFromOf = (
  ordered: readonly number[],
  { fromMs, anchorMs }: Pick<Sample, 'fromMs' | 'anchorMs'>,
  span: Span | null,
): number => {
  if (span !== null) return span.from === null ? fromMs : Math.max(fromMs, Date.parse(span.from));
  return Math.max(fromMs, ordered[MOST_PINNED] ?? anchorMs);
};

/**
 * The posts that figures of an account are made of. Whether a post is ripe is decided by the age at which its figures
 * were read: a post without a reading since it was new is not ripe, however old it is.
 * @param posts of a digest.
 */
export const sampleOf = <Post extends AnalyzedPost>(
  posts: Iterable<Post>,
  options: SampleOptions,
): Sample<Post> => {
  const { platform, anchorMs, windowDays, ripeMs = ripeMsOf(platform), span = null } = options;
  const fromMs = anchorMs - windowDays * DAY_MS;
  const published: Dated<Post>[] = [];
  const times: number[] = [];
  const ordered: number[] = [];
  for (const post of posts) {
    const { atMs } = post;
    if (atMs === null || atMs > anchorMs) continue;
    times.push(atMs);
    if (post.isOrdered) ordered.push(atMs);
    if (atMs > fromMs && post.kind === 'original') published.push(post as Dated<Post>);
  }
  published.sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  // A full digest lacks posts between an old one that was listed again and the newest ones.
  const fullFromMs =
    times.length < ALWAYS_KEPT ? fromMs : (times.sort((a, b) => b - a)[ALWAYS_KEPT - 1] as number);
  const fromKnown = Math.max(
    fullFromMs,
    knownFromOf(
      ordered.sort((a, b) => a - b),
      { fromMs, anchorMs },
      span,
    ),
  );
  const toKnown = span === null ? anchorMs : Math.min(anchorMs, Date.parse(span.to));
  const knownFromMs = Math.min(fromKnown, anchorMs);
  const knownToMs = Math.max(knownFromMs, toKnown);
  const endsEarly = toKnown < anchorMs - LATE_MS;
  const isCovered = knownFromMs <= fromMs && !endsEarly;
  const ripe = published.filter(({ atMs, observedMs }) => observedMs - atMs >= ripeMs);
  const unripe = published.length - ripe.length;
  const unordered = published.filter(({ isOrdered }) => !isOrdered).length;
  const isRounded = FIGURES.some((figure) => digitsOf(ripe.map((post) => post[figure])) !== null);
  const warnings: SampleWarning[] = [
    ...(unripe > 0 ? ['posts_not_ripe' as const] : []),
    ...(unordered > 0 ? ['order_unknown' as const] : []),
    ...(isRounded ? ['counts_rounded' as const] : []),
    ...(knownFromMs > fromMs ? ['window_not_covered' as const] : []),
    ...(endsEarly ? ['window_ends_early' as const] : []),
  ];
  return {
    fromMs,
    anchorMs,
    ripeMs,
    published,
    ripe,
    unripe,
    unordered,
    isOrdered: unordered === 0,
    knownFromMs,
    knownToMs,
    known: published.filter(({ atMs }) => atMs > knownFromMs && atMs <= knownToMs),
    isCovered,
    warnings,
  };
};

/** What a sample lacks for medians; null if it has enough. */
export const lackOf = ({ ripe }: Sample): Lack | null =>
  ripe.length >= MIN_POSTS ? null : { what: 'posts', had: ripe.length, needs: MIN_POSTS };

/** Posts that a model of effects needs: some four for each of its coefficients. */
const MIN_MODEL_POSTS = 40;
/** Whole numbers below show no effect of a tenth. */
export const MIN_MEDIAN = 5;
/** Deviations from the median beyond which a post counts as no farther. */
const WINSOR = 3;
/** Deviations of ln engagement below are no spread, but the rounding of numbers. */
export const LEAST_DEVIATION = 1e-6;
/** MAD of a normal distribution by its deviation. */
export const NORMAL_MAD = 0.6745;

/** What a model of effects explains: ln engagement by followers, extremes drawn in. */
export interface Response {
  readonly posts: readonly DatedPost[];
  readonly y: readonly number[];
  /** Share of posts that are no extremes: effects are smaller by it than they would be without them (Huber 1973). */
  readonly kept: number;
}

/**
 * Values drawn in to three robust deviations of their median (Tukey 1962), so that one post in a hundred decides
 * nothing.
 */
const winsorized = (values: readonly number[]): readonly number[] => {
  const middle = medianSorted(values.toSorted((a, b) => a - b));
  const reach = (WINSOR * medianAbsoluteDeviation([...values])) / NORMAL_MAD;
  return values.map((value) => Math.min(middle + reach, Math.max(middle - reach, value)));
};

/** What effects are estimated from; the lack of posts, or of engagement, if they can't be; null without spread. */
export const responseOf = ({ ripe }: Sample): Response | Lack | null => {
  const posts = ripe.filter((post) => engagementOf(post) !== null);
  if (posts.length < MIN_MODEL_POSTS) return { what: 'posts', had: posts.length, needs: MIN_MODEL_POSTS };
  const engagements = posts.map((post) => engagementOf(post) as number);
  const middle = medianSorted(engagements.toSorted((a, b) => a - b));
  if (middle < MIN_MEDIAN) return { what: 'median_engagement', had: middle, needs: MIN_MEDIAN };
  const y = posts.map(
    (post, i) => Math.log((engagements[i] as number) + 0.5) - Math.log(post.followers || 1),
  );
  // Followers that some posts do not show would make steps.
  const isKnown = posts.every(({ followers }) => followers !== null && followers > 0);
  const raw = isKnown ? y : engagements.map((count) => Math.log(count + 0.5));
  // What is drawn in to the median leaves the noise of rounding, which would be significant.
  if (medianAbsoluteDeviation([...raw]) < LEAST_DEVIATION) return null;
  const drawn = winsorized(raw);
  return { posts, y: drawn, kept: drawn.filter((value, i) => value === raw[i]).length / raw.length };
};

export const isLack = <One extends object>(one: One): one is Extract<One, Lack<string>> => 'needs' in one;
