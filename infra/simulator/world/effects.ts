import type { Platform } from '../simulated-platforms.ts';
import { between, betweenLog } from './draws.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';
import { HOURS } from './posting-times.ts';

export const FEATURES = ['media', 'hashtags', 'links', 'length'] as const;
export type Feature = (typeof FEATURES)[number];

/** How the engagement of an account's posts depends on when and what it posts. */
export interface Effects {
  /** Null if neither hour nor weekday matters. */
  readonly timing: {
    /** Local hour of the week, 0 (Monday 0:00) to 167. */
    readonly bestCell: number;
    /** Factor of the best cell; that of the worst is 1. */
    readonly best: number;
  } | null;
  /** Factor of a post with the feature; 1 without an effect. */
  readonly factor: Readonly<Record<Feature, number>>;
  /** Features that are more frequent at some hours and in newer posts. */
  readonly confounded: Readonly<Record<Feature, boolean>>;
  /** Share of posts with the feature. */
  readonly frequency: Readonly<Record<Feature, number>>;
}

const VIDEO_ONLY: ReadonlySet<Platform> = new Set(['tiktok', 'youtube']);
const USUAL: Readonly<Record<Feature, readonly [number, number]>> = {
  media: [0.25, 0.75],
  hashtags: [0.1, 0.6],
  links: [0.05, 0.4],
  length: [0.2, 0.6],
};

export const createEffects =
  ({ timing, content }: Parameters) =>
  (platform: Platform, key: number): Effects => {
    const bestOf = (draw: number): number =>
      draw < 0.5
        ? betweenLog(timing.least, timing.middle, draw * 2)
        : betweenLog(timing.middle, timing.most, draw * 2 - 1);
    const factor = {} as Record<Feature, number>;
    const confounded = {} as Record<Feature, boolean>;
    const frequency = {} as Record<Feature, number>;
    FEATURES.forEach((feature, n) => {
      const own = mix(key, 180 + n);
      const varies = feature !== 'media' || !VIDEO_ONLY.has(platform);
      const has = varies && unit(own, 1) < content.share;
      factor[feature] = has ? betweenLog(content.least, content.most, unit(own, 2)) : 1;
      confounded[feature] = has && unit(own, 3) < content.confounded;
      frequency[feature] = between(...USUAL[feature], unit(own, 4));
    });
    return {
      timing:
        unit(key, 170) < timing.share
          ? { bestCell: Math.floor(unit(key, 171) * HOURS), best: bestOf(unit(key, 172)) }
          : null,
      factor,
      confounded,
      frequency,
    };
  };

/** Factor of an hour of the week: the best cell has the whole effect, the opposite hour of other days none. */
export const timingFactor = ({ timing }: Effects, cell: number): number => {
  if (timing === null) return 1;
  const hour = (1 + Math.cos(((cell - timing.bestCell) / 24) * 2 * Math.PI)) / 2;
  const days = Math.abs(Math.floor(cell / 24) - Math.floor(timing.bestCell / 24));
  const weekday = 1 - Math.min(days, 7 - days) / 3;
  return Math.exp(Math.log(timing.best) * (0.6 * hour + 0.4 * weekday));
};

/** Whether a post has a feature: with a confounded one it depends on the hour and on how new the post is. */
export const hasFeature = (
  { frequency, confounded }: Effects,
  feature: Feature,
  postKey: number,
  cell: number,
  years: number,
): boolean => {
  const draw = unit(postKey, 190 + FEATURES.indexOf(feature));
  if (!confounded[feature]) return draw < frequency[feature];
  const hour = cell % 24;
  const evening = hour >= 17 && hour < 23 ? 1.6 : 0.8;
  const newer = Math.min(1.5, Math.max(0.5, 1 + years * 0.3));
  return draw < Math.min(0.95, frequency[feature] * evening * newer);
};
