import { medianSorted } from 'simple-statistics';
import { type Measure, observationOf } from './engagement.ts';
import { type PaceInterval, type PaceLaw, paceInterval, type WindowCounts } from './pace.ts';
import { MIN_POSTS, type Sample } from './sample.ts';

const DAY_MS = 86_400_000;

/** The period before an account's last sighting that the figures of populations cover. */
export const FIGURES_WINDOW_DAYS = 30;

/** Figures of an account by which populations are compared; null if fewer than 8 ripe posts show one. */
export interface AccountFigures {
  readonly median_likes: number | null;
  readonly median_views: number | null;
  readonly engagement_rate_followers: number | null;
  readonly engagement_rate_views: number | null;
  readonly posts_per_week: number | null;
}

const NOTHING: AccountFigures = {
  median_likes: null,
  median_views: null,
  engagement_rate_followers: null,
  engagement_rate_views: null,
  posts_per_week: null,
};

const medianOf = (sample: Sample, measure: Measure): number | null => {
  const values: number[] = [];
  for (const post of sample.ripe) {
    const found = observationOf(post, measure);
    if (found !== null) values.push(found.count / found.per);
  }
  return values.length < MIN_POSTS ? null : medianSorted(values.sort((a, b) => a - b));
};

/** Length of the part of the window of which every post is known, at least a day. */
const spanOf = ({ knownFromMs, knownToMs }: Sample): number => Math.max(DAY_MS, knownToMs - knownFromMs);

/** Originals a week, counted; null where fewer than 8 are of the known part of the window. */
export const postsPerWeek = (sample: Sample): number | null =>
  sample.known.length < MIN_POSTS ? null : (sample.known.length * 7 * DAY_MS) / spanOf(sample);

/** The interval of the long run beside posts a week; null where these are, or without the law of a catalog. */
export const postsPerWeekInterval = (sample: Sample, law: PaceLaw | null): PaceInterval | null =>
  law === null || sample.known.length < MIN_POSTS
    ? null
    : paceInterval(sample.known.length, spanOf(sample), law);

/** Windows whose numbers of posts are compared have at least so many days. */
const LEAST_DAYS = 5;

/** Originals of both halves of the known part of a window; null if it is short, or has none. */
export const windowCountsOf = (sample: Sample): WindowCounts | null => {
  const windowMs = spanOf(sample) / 2;
  const { known, knownToMs } = sample;
  if (windowMs < LEAST_DAYS * DAY_MS || known.length === 0) return null;
  const now = known.filter(({ atMs }) => atMs > knownToMs - windowMs).length;
  return { now, before: known.length - now, weeks: windowMs / (7 * DAY_MS) };
};

/**
 * The medians of `engagementFigures` without their intervals, for folds: they are computed at each reading of an account.
 */
export const accountFiguresOf = (sample: Sample): AccountFigures => {
  if (sample.published.length < MIN_POSTS) return NOTHING;
  return {
    median_likes: medianOf(sample, 'likes'),
    median_views: medianOf(sample, 'views'),
    engagement_rate_followers: medianOf(sample, 'engagement_rate_followers'),
    engagement_rate_views: medianOf(sample, 'engagement_rate_views'),
    posts_per_week: postsPerWeek(sample),
  };
};
