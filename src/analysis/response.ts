import { medianAbsoluteDeviation, medianSorted } from 'simple-statistics';
import { type DatedPost, engagementOf } from './post.ts';
import type { Lack, Sample } from './sample.ts';

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
