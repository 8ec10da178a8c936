import type { Measure } from '../../src/analysis/engagement.ts';
import type { DatedPost } from '../../src/analysis/sample.ts';
import { normalTail } from '../../src/kernel/distributions.ts';
import type { Platform } from '../simulator/simulated-platforms.ts';
import type { Parameters } from '../simulator/world/parameters.ts';
import type { World } from '../simulator/world/world.ts';
import type { Observed } from './observed.ts';

const HOUR = 3_600_000;
/** Deviations of the parts of engagement of a post around those of its account, as the world draws them. */
const PART = 0.3;
const VIEWS = 0.25;
/** ln of the factors of outliers, evenly. */
const OUTLIERS = [10, 100].map(Math.log) as [number, number];
const NODES = 5;

/** A log-normal law. */
interface Law {
  readonly median: number;
  readonly sigma: number;
}

/** The log-normal law with the mean and variance of a sum of independent parts (Fenton 1960). */
const sumOf = (constant: number, parts: readonly number[]): Law => {
  const grown = Math.exp(PART ** 2 / 2);
  const mean = constant + parts.reduce((sum, part) => sum + part * grown, 0);
  const variance = parts.reduce((sum, part) => sum + part ** 2 * (Math.exp(PART ** 2) - 1) * grown ** 2, 0);
  const sigma2 = Math.log(1 + variance / mean ** 2);
  return { median: mean / Math.exp(sigma2 / 2), sigma: Math.sqrt(sigma2) };
};

/** Median of a mixture of log-normal laws with equal weights; a share of the values is 10 to 100 times as large. */
export const medianOfMixture = (medians: readonly number[], sigma: number, outliers: number): number => {
  const logs = medians.map(Math.log);
  const below = (x: number): number => {
    let sum = 0;
    for (const log of logs) {
      const z = (x - log) / sigma;
      let part = (1 - outliers) * cumulativeNormal(z);
      if (outliers > 0)
        for (let k = 0; k < NODES; k++) {
          const shift = OUTLIERS[0] + ((k + 0.5) / NODES) * (OUTLIERS[1] - OUTLIERS[0]);
          part += (outliers / NODES) * cumulativeNormal(z - shift / sigma);
        }
      sum += part;
    }
    return sum / logs.length;
  };
  let [low, high] = [Math.min(...logs) - 4 * sigma - 1, Math.max(...logs) + 4 * sigma + 1];
  for (let n = 0; n < 40; n++) {
    const middle = (low + high) / 2;
    if (below(middle) < 0.5) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
};

const cumulativeNormal = (z: number): number => normalTail(-z);

/** Hidden medians of an account by measure, at the ages at which its ripe posts were read, before whole numbers. */
export const hiddenMedians = (
  world: World,
  platform: Platform,
  { traits, causes }: Observed,
  ripe: readonly DatedPost[],
): Readonly<Record<Measure, number>> => {
  const { posts: law, age }: Parameters = world.parameters;
  const { commentsPerLike: c, repostsPerLike: r, quotesPerLike: q, viewsPerLike } = traits.engagement;
  const likesShare = 1 / (1 + c + r + q);
  const all = sumOf(1, [c, r, q]);
  const bases = ripe.map((post) => {
    const halfLives = (post.observedMs - post.atMs) / (age.halfLife[platform] * HOUR);
    const grown = 1 - 2 ** -(halfLives ** age.shape);
    const purged = world.hidden.growth.purged(platform, post.atMs, post.observedMs);
    const base = (causes.get(post.id)?.base ?? 0) * grown * likesShare;
    return { likes: base * purged, unpurged: base, followers: post.followers ?? 0, purged };
  });
  const median = (values: readonly number[], extra: number, outliers = law.outliers): number =>
    medianOfMixture(values, Math.hypot(law.sigma, extra), outliers);
  const likes = bases.map((one) => one.likes);
  const scaled = (by: number) => likes.map((one) => one * by);
  return {
    likes: median(likes, 0),
    replies: median(scaled(c), PART),
    reposts: median(scaled(r), PART),
    quotes: median(scaled(q), PART),
    views: median(
      bases.map((one) => one.unpurged * Math.max(1, viewsPerLike)),
      VIEWS,
    ),
    engagement: median(scaled(all.median), all.sigma),
    engagement_rate_followers: median(
      bases.filter(({ followers }) => followers > 0).map((one) => (one.likes * all.median) / one.followers),
      all.sigma,
    ),
    // Streaks and outliers are in both of its parts.
    engagement_rate_views: medianOfMixture(
      bases.map((one) => (one.purged * all.median) / Math.max(1, viewsPerLike)),
      Math.hypot(VIEWS, all.sigma),
      0,
    ),
  };
};
