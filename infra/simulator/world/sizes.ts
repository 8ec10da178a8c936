import type { Platform } from '../../../src/kernel/platform.ts';
import { normalTail } from './draws.ts';
import type { Parameters } from './parameters.ts';

/** From here the tail of followers is a power law. */
const KNEE = 100_000;
/** Above it the tail is compressed, so that the largest account is near the largest that exist. */
const CROWDED = 3e7;
const LARGEST = 4e8;

/**
 * Followers for a standard normal draw: a log-normal body, above the knee a Pareto tail that meets it.
 */
export const createSizes = ({ followers }: Parameters) => {
  const laws = new Map<Platform, { mu: number; sigma: number; tail: number; share: number; zKnee: number }>();
  for (const platform of Object.keys(followers.median) as Platform[]) {
    const mu = Math.log(followers.median[platform]);
    const sigma = followers.sigma[platform];
    const zKnee = (Math.log(KNEE) - mu) / sigma;
    laws.set(platform, { mu, sigma, tail: followers.tail[platform], share: normalTail(zKnee), zKnee });
  }
  return (platform: Platform, z: number): number => {
    const law = laws.get(platform);
    if (law === undefined) throw new RangeError(`no sizes of ${platform}`);
    if (z <= law.zKnee) return Math.exp(law.mu + law.sigma * z);
    const size = KNEE * (normalTail(z) / law.share) ** (-1 / law.tail);
    return size <= CROWDED ? size : Math.min(LARGEST, CROWDED * (size / CROWDED) ** 0.25);
  };
};
