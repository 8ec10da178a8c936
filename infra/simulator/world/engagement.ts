import type { Platform } from '../simulated-platforms.ts';
import { betweenLog, normal } from './draws.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';

/** An account's own figures of engagement. */
export interface EngagementTraits {
  /** Hidden median engagement of a post by followers; Telegram: views. */
  readonly rate: number;
  readonly commentsPerLike: number;
  readonly repostsPerLike: number;
  readonly quotesPerLike: number;
  readonly viewsPerLike: number;
}

export interface PostFigures {
  readonly likes: number;
  readonly replies: number;
  readonly reposts: number;
  readonly quotes: number;
  readonly views: number;
}

const SMALL = 20_000;
const MIDDLE = 100_000;
const HOUR = 3_600_000;
/** Terms of the streak that are counted; the rest is below a hundredth. */
const MEMORY = 9;

export interface Engagement {
  traitsOf(platform: Platform, key: number, size: number): EngagementTraits;
  /** Median rate of accounts of a platform by their number of followers. */
  medianRate(platform: Platform, size: number): number;
  /** ln of the streak factor of post `n`. */
  streakAt(key: number, n: number): number;
  /** Factor of an outlier; 1 for most posts. */
  outlierOf(postKey: number): number;
  /**
   * What is there at an age: whole numbers that never shrink with age.
   * @param total all reactions over all time; Telegram: views.
   * @param purged factor that purges left of them.
   */
  figuresAt(
    platform: Platform,
    traits: EngagementTraits,
    postKey: number,
    total: number,
    ageMs: number,
    purged: number,
  ): PostFigures;
}

export const createEngagement = ({ engagement, posts, parts, age }: Parameters): Engagement => {
  const lift = (size: number): number => {
    const s = Math.log(Math.max(1, size) / SMALL);
    const knee = Math.log(MIDDLE / SMALL);
    if (s < 0) return engagement.small * s;
    return engagement.middle * Math.min(s, knee) + engagement.large * Math.max(0, s - knee);
  };
  const weights = Array.from({ length: MEMORY + 1 }, (_, n) => posts.streak ** n).filter((w) => w > 0.005);
  const norm = posts.sigma / Math.sqrt(weights.reduce((sum, w) => sum + w * w, 0));
  /** Of all that there will be, at an age in half-lives. */
  const grown = (halfLives: number): number => (halfLives <= 0 ? 0 : 1 - 2 ** -(halfLives ** age.shape));

  const medianRate = (platform: Platform, size: number): number =>
    engagement.rate[platform] * Math.exp(lift(size));

  return {
    medianRate,
    traitsOf: (platform, key, size) => ({
      rate: medianRate(platform, size) * Math.exp(engagement.sigma * normal(key, 200)),
      commentsPerLike: parts.comments * Math.exp(parts.sigma * normal(key, 201)),
      repostsPerLike: parts.reposts * Math.exp(parts.sigma * normal(key, 202)),
      quotesPerLike: parts.quotes * Math.exp(parts.sigma * normal(key, 203)),
      viewsPerLike: parts.views[platform] * Math.exp(0.3 * normal(key, 204)),
    }),
    streakAt: (key, n) => {
      let sum = 0;
      for (let back = 0; back < weights.length; back++)
        sum += (weights[back] as number) * normal(key, 100_000 + n - back);
      return norm * sum;
    },
    outlierOf: (postKey) =>
      unit(postKey, 210) < posts.outliers ? betweenLog(10, 100, unit(postKey, 211)) : 1,
    figuresAt: (platform, traits, postKey, total, ageMs, purged) => {
      const noise = (salt: number, sigma: number) => Math.exp(sigma * normal(postKey, salt));
      const views = traits.viewsPerLike * noise(212, 0.25);
      const likes =
        platform === 'telegram'
          ? total / views
          : total / (1 + traits.commentsPerLike + traits.repostsPerLike + traits.quotesPerLike);
      const halfLife = age.halfLife[platform] * HOUR * noise(216, 0.2);
      const share = likes * grown(ageMs / halfLife) * purged;
      const allViews = platform === 'telegram' ? total : likes * Math.max(1, views);
      const rounding = mix(postKey, 217);
      const whole = (value: number, salt: number) => Math.floor(value + unit(rounding, salt));
      return {
        likes: whole(share, 1),
        replies: whole(share * traits.commentsPerLike * noise(213, 0.3), 2),
        reposts: whole(share * traits.repostsPerLike * noise(214, 0.3), 3),
        quotes: whole(share * traits.quotesPerLike * noise(215, 0.3), 4),
        views: whole(allViews * grown(ageMs / halfLife), 5),
      };
    },
  };
};
