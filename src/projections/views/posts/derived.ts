import {
  type AccountFigures,
  accountFiguresOf,
  FIGURES_WINDOW_DAYS,
} from '../../../analysis/account-figures.ts';
import { type Sample, sampleOf } from '../../../analysis/sample.ts';
import { viralScores } from '../../../analysis/viral.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { sizeBandOf } from '../../../kernel/size-bands.ts';
import type { AccountPosts } from './account-posts.ts';
import { type AccountFigureRow, LEAST_MULTIPLE, type SampleCountRow, type ViralPostRow } from './tables.ts';

/** A robust z from here on is an outlier (Iglewicz and Hoaglin, How to detect and handle outliers, 1993). */
const LEAST_SCORE = 3.5;
/** Viral posts of an account that lists have. */
const MAX_VIRAL = 3;

export type Metric = 'followers' | keyof AccountFigures;

/** What an account adds to the distributions of its platform and size band. */
export interface Contribution {
  readonly band: number;
  readonly metric: Metric;
  readonly value: number;
}

/** What follows from an account's posts as of its last sighting. */
export interface Derived {
  readonly contributions: readonly Contribution[];
  readonly counts: Omit<SampleCountRow, 'platform'> | null;
  readonly figures: AccountFigureRow | null;
  readonly viral: readonly ViralPostRow[];
}

export const NO_COUNTS: NonNullable<Derived['counts']> = {
  accounts: 0,
  with_posts: 0,
  with_figures: 0,
  posts: 0,
  sampled: 0,
  with_views: 0,
  ordered: 0,
};

const NOTHING: Derived = { contributions: [], counts: null, figures: null, viral: [] };

type Account = Pick<
  AccountPosts,
  'platform' | 'handle' | 'owner' | 'isGone' | 'followers' | 'observedMs' | 'digest' | 'span'
>;

const contributionsOf = (followers: number, figures: AccountFigures): readonly Contribution[] => {
  const band = sizeBandOf(followers);
  return (Object.entries({ followers, ...figures }) as [Metric, number | null][]).flatMap(
    ([metric, value]) => (value === null ? [] : [{ band, metric, value }]),
  );
};

const countsOf = ({ digest }: Account, { ripe }: Sample, hasFigures: boolean): Derived['counts'] => ({
  accounts: 1,
  with_posts: digest.size > 0 ? 1 : 0,
  with_figures: hasFigures ? 1 : 0,
  posts: digest.size,
  sampled: hasFigures ? ripe.length : 0,
  with_views: hasFigures ? ripe.filter(({ views }) => views !== null).length : 0,
  ordered: hasFigures ? ripe.filter(({ isOrdered }) => isOrdered).length : 0,
});

/** The posts furthest above the others of an account, by their robust z. */
const viralPostsOf = ({ platform, handle }: Account, sample: Sample): readonly ViralPostRow[] =>
  (viralScores(sample) ?? [])
    .flatMap(({ post, engagement, multiple, z: score }) =>
      multiple === null || score === null || multiple < LEAST_MULTIPLE || score < LEAST_SCORE
        ? []
        : [{ post, engagement, multiple, score }],
    )
    .sort((a, b) => b.score - a.score || (a.post.id < b.post.id ? -1 : 1))
    .slice(0, MAX_VIRAL)
    .map(({ post, engagement, multiple, score }) => ({
      platform,
      handle,
      post: post.id,
      at: isoOf(post.atMs),
      score,
      multiple,
      engagement,
      observed_at: isoOf(post.observedMs),
    }));

/**
 * What an account adds to its population; nothing if it is gone, was never seen, or hides its followers. A function of its
 * row, so that what it added before can be taken out again.
 */
export const derivedOf = (account: Account): Derived => {
  const { platform, handle, followers, observedMs, digest, span } = account;
  if (account.isGone || !account.owner.isSeen || followers === null) return NOTHING;
  const sample = sampleOf(digest.values(), {
    platform,
    anchorMs: observedMs,
    windowDays: FIGURES_WINDOW_DAYS,
    span,
  });
  const figures = accountFiguresOf(sample);
  const hasFigures = figures.median_likes !== null || figures.median_views !== null;
  return {
    contributions: contributionsOf(followers, figures),
    counts: countsOf(account, sample, hasFigures),
    figures: hasFigures
      ? { platform, handle, followers, posts: sample.ripe.length, ...figures, observed_at: isoOf(observedMs) }
      : null,
    viral: hasFigures ? viralPostsOf(account, sample) : [],
  };
};
