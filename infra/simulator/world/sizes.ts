import { normalQuantile, normalTail } from '../../../src/kernel/distributions.ts';
import type { Platform } from '../simulated-platforms.ts';
import type { Parameters } from './parameters.ts';

/** From here the tail of followers is a power law. */
const KNEE = 100_000;
/** Above it the tail is compressed, so that the largest account is near the largest that exist. */
const CROWDED = 3e7;
export const LARGEST = 4e8;

export interface Sizes {
  /** Followers for a standard normal draw. */
  of(platform: Platform, z: number): number;
  /**
   * Followers after a change of their ln. Above the knee the draw behind them changes as it would below: changes of
   * ln followers themselves would carry the many below the knee over it, and the tail would become flatter every year.
   */
  moved(platform: Platform, size: number, by: number): number;
}

/**
 * Followers for a standard normal draw: a log-normal body, above the knee a Pareto tail that meets it.
 */
export const createSizes = ({ followers }: Parameters): Sizes => {
  const laws = new Map<Platform, { mu: number; sigma: number; tail: number; share: number; zKnee: number }>();
  for (const platform of Object.keys(followers.median) as Platform[]) {
    const mu = Math.log(followers.median[platform]);
    const sigma = followers.sigma[platform];
    const zKnee = (Math.log(KNEE) - mu) / sigma;
    laws.set(platform, { mu, sigma, tail: followers.tail[platform], share: normalTail(zKnee), zKnee });
  }
  const lawOf = (platform: Platform) => {
    const law = laws.get(platform);
    if (law === undefined) throw new RangeError(`no sizes of ${platform}`);
    return law;
  };

  const of = (platform: Platform, z: number): number => {
    const law = lawOf(platform);
    if (z <= law.zKnee) return Math.exp(law.mu + law.sigma * z);
    const size = KNEE * (normalTail(z) / law.share) ** (-1 / law.tail);
    return size <= CROWDED ? size : Math.min(LARGEST, CROWDED * (size / CROWDED) ** 0.25);
  };

  return {
    of,
    moved: (platform, size, by) => {
      const body = size * Math.exp(by);
      if (size <= KNEE && body <= KNEE) return body;
      const { mu, sigma, tail, share } = lawOf(platform);
      const free = size <= CROWDED ? size : CROWDED * (size / CROWDED) ** 4;
      const z =
        size <= KNEE ? (Math.log(size) - mu) / sigma : -normalQuantile(share * (free / KNEE) ** -tail);
      return of(platform, z + by / sigma);
    },
  };
};
