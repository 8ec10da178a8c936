import { sizeBandOf } from '../../../kernel/size-bands.ts';
import type { Owner } from '../../../write/accounts/owner.ts';
import type { DigestPost } from './digest.ts';

const DAY_MS = 86_400_000;

/** The time before an account's last sighting that its figures are of. */
const WINDOW_MS = 30 * DAY_MS;
/** Engagement of younger posts is still to come. */
const RIPE_MS = 3 * DAY_MS;
/** Fewer posts say nothing. */
const MIN_POSTS = 8;

/** Median figures of an account's own posts (originals and quotes); null where there are too few. */
export interface PostFigures {
  readonly likes: number | null;
  readonly views: number | null;
  /** Median of likes, replies, reposts and quotes together, by followers and by views of the post. */
  readonly engagement_followers: number | null;
  readonly engagement_views: number | null;
  readonly posts_per_week: number | null;
}

const medianOf = (values: number[]): number | null => {
  if (values.length < MIN_POSTS) return null;
  values.sort((a, b) => a - b);
  const middle = values.length >> 1;
  const upper = values[middle] as number;
  return values.length % 2 === 1 ? upper : ((values[middle - 1] as number) + upper) / 2;
};

/** Likes, replies, reposts and quotes, as far as they are shown; null if the likes are not. */
const engagementOf = ({ likes, replies, reposts, quotes }: DigestPost): number | null =>
  likes === null ? null : likes + (replies ?? 0) + (reposts ?? 0) + (quotes ?? 0);

/**
 * Figures of a digest as of a sighting.
 * @param anchorMs the sighting: it alone decides which posts count, never the time of the computation.
 */
export const postFiguresOf = (
  posts: Iterable<DigestPost>,
  followers: number | null,
  anchorMs: number,
): PostFigures => {
  const [likes, views, engagements, rates]: [number[], number[], number[], number[]] = [[], [], [], []];
  let published = 0;
  let first = anchorMs;
  for (const post of posts) {
    const { atMs } = post;
    if (atMs === null || atMs > anchorMs) continue;
    if (atMs < first) first = atMs;
    if (atMs < anchorMs - WINDOW_MS || post.kind === 'reply' || post.kind === 'repost') continue;
    published += 1;
    if (atMs > anchorMs - RIPE_MS) continue;
    const engagement = engagementOf(post);
    if (post.likes !== null) likes.push(post.likes);
    if (post.views !== null) views.push(post.views);
    if (engagement !== null) engagements.push(engagement);
    if (engagement !== null && post.views !== null && post.views > 0) rates.push(engagement / post.views);
  }
  const engagement = medianOf(engagements);
  // Where the digest begins within the window, it says nothing of the time before.
  const observedMs = Math.min(WINDOW_MS, Math.max(DAY_MS, anchorMs - first));
  return {
    likes: medianOf(likes),
    views: medianOf(views),
    engagement_followers:
      engagement === null || followers === null || followers === 0 ? null : engagement / followers,
    engagement_views: medianOf(rates),
    posts_per_week: published < MIN_POSTS ? null : (published * 7 * DAY_MS) / observedMs,
  };
};

export const METRICS = [
  'followers',
  'likes',
  'views',
  'engagement_followers',
  'engagement_views',
  'posts_per_week',
] as const;

export type Metric = (typeof METRICS)[number];

/** What an account adds to the distributions of its platform and size band. */
export interface Contribution {
  readonly band: number;
  readonly metric: Metric;
  readonly value: number;
}

/** Contributions of an account; none if it is gone, was never seen, or hides its followers. */
export const contributionsOf = (account: {
  readonly owner: Owner;
  readonly isGone: boolean;
  readonly followers: number | null;
  readonly observedMs: number;
  readonly digest: ReadonlyMap<string, DigestPost>;
}): readonly Contribution[] => {
  const { followers, observedMs, digest } = account;
  if (account.isGone || !account.owner.isSeen || followers === null) return [];
  const figures = { followers, ...postFiguresOf(digest.values(), followers, observedMs) };
  const band = sizeBandOf(followers);
  return METRICS.flatMap((metric) => {
    const value = figures[metric];
    return value === null ? [] : [{ band, metric, value }];
  });
};
