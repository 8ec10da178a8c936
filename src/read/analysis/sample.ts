import type { Platform } from '../../kernel/platform.ts';
import { FIGURES } from '../../write/accounts/post.ts';
import { ripeMsOf } from '../../write/accounts/ripe-age.ts';
import type { AnalyzedPost, DatedPost } from './post.ts';
import { digitsOf } from './rounding.ts';

const DAY_MS = 86_400_000;

/**
 * Fewer ripe posts carry no median with an interval: with streaks of a usual strength (`dependence.ts`) the 95 % interval of
 * seven posts reaches beyond the least and the largest of them.
 */
export const MIN_POSTS = 8;

/** What a reader of the figures has to know of the sample. */
export type SampleWarning = 'posts_not_ripe' | 'order_unknown' | 'counts_rounded' | 'window_not_covered';

export interface SampleOptions {
  readonly platform: Platform;
  /** The last sighting of the account: it alone decides which posts count, never the time of the computation. */
  readonly anchorMs: number;
  readonly windowDays: number;
  /** Age of a ripe post, if it is not the platform's. */
  readonly ripeMs?: number;
}

export interface Sample {
  readonly fromMs: number;
  readonly anchorMs: number;
  readonly ripeMs: number;
  /** Originals of the window by time. */
  readonly published: readonly DatedPost[];
  /** Those of them whose figures were read at a ripe age. */
  readonly ripe: readonly DatedPost[];
  /** How many were read too young. */
  readonly unripe: number;
  /** How many only surfaces of unknown order listed. */
  readonly unordered: number;
  readonly isOrdered: boolean;
  /** Whether a post older than the window is known: otherwise the window may begin before what is recorded. */
  readonly isCovered: boolean;
  readonly warnings: readonly SampleWarning[];
}

/** What a figure had and what it needs. */
export interface Lack {
  readonly had: number;
  readonly needs: number;
}

/**
 * The posts that figures of an account are made of. Whether a post is ripe is decided by the age at which its figures
 * were read: a post without a reading since it was new is not ripe, however old it is.
 */
export const sampleOf = (posts: Iterable<AnalyzedPost>, options: SampleOptions): Sample => {
  const { platform, anchorMs, windowDays, ripeMs = ripeMsOf(platform) } = options;
  const fromMs = anchorMs - windowDays * DAY_MS;
  const published: DatedPost[] = [];
  let isCovered = false;
  for (const post of posts) {
    const { atMs } = post;
    if (atMs === null || atMs > anchorMs) continue;
    if (atMs <= fromMs) isCovered = true;
    else if (post.kind === 'original') published.push(post as DatedPost);
  }
  published.sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  const ripe = published.filter(({ atMs, observedMs }) => observedMs - atMs >= ripeMs);
  const unripe = published.length - ripe.length;
  const unordered = published.filter(({ isOrdered }) => !isOrdered).length;
  const isRounded = FIGURES.some((figure) => digitsOf(ripe.map((post) => post[figure])) !== null);
  const warnings: SampleWarning[] = [
    ...(unripe > 0 ? ['posts_not_ripe' as const] : []),
    ...(unordered > 0 ? ['order_unknown' as const] : []),
    ...(isRounded ? ['counts_rounded' as const] : []),
    ...(isCovered ? [] : ['window_not_covered' as const]),
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
    isCovered,
    warnings,
  };
};

/** What a sample lacks for medians; null if it has enough. */
export const lackOf = ({ ripe }: Sample): Lack | null =>
  ripe.length >= MIN_POSTS ? null : { had: ripe.length, needs: MIN_POSTS };
