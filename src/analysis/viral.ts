import { medianAbsoluteDeviation, medianSorted } from 'simple-statistics';
import {
  type AnalyzedPost,
  type Dated,
  engagementOf,
  type Lack,
  MIN_MEDIAN,
  MIN_POSTS,
  NORMAL_MAD,
  type Sample,
} from './sample.ts';

export interface ViralScore<Post extends AnalyzedPost = AnalyzedPost> {
  readonly post: Dated<Post>;
  readonly engagement: number;
  /** Engagement by the account's median. */
  readonly multiple: number;
  /** Robust z score; null where half of the posts have the same engagement. */
  readonly z: number | null;
}

/**
 * How far each ripe post is from what its author's posts earn: a multiple of the median, and the modified z score
 * 0.6745 (x − median) / MAD (Iglewicz and Hoaglin, How to detect and handle outliers, 1993) of ln(1 + engagement).
 * @returns null for fewer than 8 posts, or a median below 5: ten reactions instead of one are no outlier.
 */
export const viralScores = <Post extends AnalyzedPost>({
  ripe,
}: Pick<Sample<Post>, 'ripe'>): readonly ViralScore<Post>[] | null => {
  const posts = ripe.filter((post) => engagementOf(post) !== null);
  if (posts.length < MIN_POSTS) return null;
  const engagements = posts.map((post) => engagementOf(post) as number);
  const logs = engagements.map((engagement) => Math.log1p(engagement));
  const median = medianSorted(engagements.toSorted((a, b) => a - b));
  if (median < MIN_MEDIAN) return null;
  const middle = medianSorted(logs.toSorted((a, b) => a - b));
  const mad = medianAbsoluteDeviation(logs);
  return posts.map((post, i) => ({
    post,
    engagement: engagements[i] as number,
    multiple: (engagements[i] as number) / median,
    z: mad === 0 ? null : (NORMAL_MAD * ((logs[i] as number) - middle)) / mad,
  }));
};

/** A post beside what other posts of its author earned. */
export interface Virality {
  readonly engagement: number;
  readonly multiple: number;
  readonly z: number | null;
  /** Median engagement of the others, and how many there are. */
  readonly median: number;
  readonly n: number;
  /** How many of them earned as much. */
  readonly asMuch: number;
}

/**
 * How far a post is from what other posts of its author earn, by the formulas of `viralScores`; the post itself is not
 * among those that it is compared with.
 * @param others ripe originals of about its time.
 * @returns what is lacking for fewer than 8 of them, or a median below 5.
 */
export const viralityOf = (engagement: number, others: readonly AnalyzedPost[]): Virality | Lack => {
  const engagements = others.map(engagementOf).filter((one) => one !== null);
  const n = engagements.length;
  if (n < MIN_POSTS) return { what: 'posts', had: n, needs: MIN_POSTS };
  const median = medianSorted(engagements.toSorted((a, b) => a - b));
  if (median < MIN_MEDIAN) return { what: 'median_engagement', had: median, needs: MIN_MEDIAN };
  const logs = engagements.map((one) => Math.log1p(one));
  const middle = medianSorted(logs.toSorted((a, b) => a - b));
  const mad = medianAbsoluteDeviation(logs);
  return {
    engagement,
    multiple: engagement / median,
    z: mad === 0 ? null : (NORMAL_MAD * (Math.log1p(engagement) - middle)) / mad,
    median,
    n,
    asMuch: engagements.filter((one) => one >= engagement).length,
  };
};
