import { medianAbsoluteDeviation, medianSorted } from 'simple-statistics';
import { type DatedPost, engagementOf } from './post.ts';
import { MIN_POSTS, type Sample } from './sample.ts';

export interface ViralScore {
  readonly post: DatedPost;
  readonly engagement: number;
  /** Engagement by the account's median; null where the median is 0. */
  readonly multiple: number | null;
  /** Robust z score; null where half of the posts have the same engagement. */
  readonly z: number | null;
}

/**
 * How far each ripe post is from what its author's posts earn: a multiple of the median, and the modified z score
 * 0.6745 (x − median) / MAD (Iglewicz and Hoaglin, How to detect and handle outliers, 1993) of ln(1 + engagement).
 * @returns null for fewer than 8 posts.
 */
export const viralScores = ({ ripe }: Sample): readonly ViralScore[] | null => {
  const posts = ripe.filter((post) => engagementOf(post) !== null);
  if (posts.length < MIN_POSTS) return null;
  const engagements = posts.map((post) => engagementOf(post) as number);
  const logs = engagements.map((engagement) => Math.log1p(engagement));
  const median = medianSorted(engagements.toSorted((a, b) => a - b));
  const middle = medianSorted(logs.toSorted((a, b) => a - b));
  const mad = medianAbsoluteDeviation(logs);
  return posts.map((post, i) => ({
    post,
    engagement: engagements[i] as number,
    multiple: median === 0 ? null : (engagements[i] as number) / median,
    z: mad === 0 ? null : (0.6745 * ((logs[i] as number) - middle)) / mad,
  }));
};
