import { medianSorted } from 'simple-statistics';
import type { Platform } from '../kernel/platform.ts';
import { UTC, weekHour } from './local-time.ts';
import { Z95 } from './median.ts';
import { type AnalyzedPost, engagementOf } from './post.ts';
import { MIN_MEDIAN } from './response.ts';
import { MIN_POSTS, sampleOf } from './sample.ts';

const WEEK_HOURS = 168;

/** Fewer authors say nothing of an hour. */
export const MIN_AUTHORS = 30;

/** An account whose posts are sampled. */
export interface SampledAuthor {
  readonly posts: Iterable<AnalyzedPost>;
  /** Its last sighting. */
  readonly anchorMs: number;
}

export interface PopulationCell {
  /** Hour of the week, from Monday 00:00 UTC. */
  readonly hour: number;
  readonly n: number;
  readonly authors: number;
  /** Median over authors of their posts' engagement by their own median, with its 95 % interval; null for few authors, or equal ones. */
  readonly effect: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface PopulationPatterns {
  readonly authors: number;
  readonly posts: number;
  readonly cells: readonly PopulationCell[];
}

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** Engagement of an author's posts in each hour, relative to the author's own median; null for few posts or reactions. */
const ratiosOf = (
  { posts, anchorMs }: SampledAuthor,
  platform: Platform,
  windowDays: number,
): ReadonlyMap<number, readonly number[]> | null => {
  const { ripe } = sampleOf(posts, { platform, anchorMs, windowDays });
  const known = ripe.flatMap((post) => {
    const engagement = engagementOf(post);
    return engagement === null || !post.isOrdered
      ? []
      : [{ engagement, hour: Math.floor(weekHour(post.atMs, UTC)) }];
  });
  if (known.length < MIN_POSTS) return null;
  const median = medianSorted([...ascending(known.map(({ engagement }) => engagement))]);
  // Ratios of counts that are 0 or 1 are 1, whatever the hour.
  if (median < MIN_MEDIAN) return null;
  const byHour = new Map<number, number[]>();
  for (const { engagement, hour } of known)
    byHour.set(hour, [...(byHour.get(hour) ?? []), engagement / median]);
  return byHour;
};

const NO_EFFECT = { effect: null, low: null, high: null } as const;

/**
 * Order statistics of independent values (Campbell and Gardner, BMJ 1988); nothing if all between them are equal: an
 * interval of no width is no certainty.
 */
const medianWithInterval = (values: readonly number[]) => {
  const sorted = ascending(values) as number[];
  const n = sorted.length;
  const reach = (Z95 / 2) * Math.sqrt(n);
  const low = sorted[Math.max(0, Math.floor(n / 2 - reach))] as number;
  const high = sorted[Math.min(n - 1, Math.ceil(n / 2 + reach) - 1)] as number;
  return low === high ? NO_EFFECT : { effect: medianSorted(sorted), low, high };
};

/**
 * Engagement by hour of the week over the authors of a population, whatever their own level: an hour's effect is the
 * median over authors of the median ratio of their posts of that hour. Authors are independent, and count once an hour;
 * those with a median below 5 reactions do not.
 */
export const populationPatterns = (
  accounts: readonly SampledAuthor[],
  platform: Platform,
  windowDays: number,
): PopulationPatterns => {
  const hours: { posts: number; ratios: number[] }[] = Array.from({ length: WEEK_HOURS }, () => ({
    posts: 0,
    ratios: [],
  }));
  let authors = 0;
  for (const account of accounts) {
    const own = ratiosOf(account, platform, windowDays);
    if (own === null) continue;
    authors += 1;
    for (const [hour, ratios] of own) {
      const found = hours[hour] as (typeof hours)[number];
      found.posts += ratios.length;
      found.ratios.push(medianSorted([...ascending(ratios)]));
    }
  }
  const cells = hours.flatMap(({ posts, ratios }, hour) =>
    ratios.length === 0
      ? []
      : [
          {
            hour,
            n: posts,
            authors: ratios.length,
            ...(ratios.length < MIN_AUTHORS ? NO_EFFECT : medianWithInterval(ratios)),
          },
        ],
  );
  return { authors, posts: cells.reduce((sum, { n }) => sum + n, 0), cells };
};
