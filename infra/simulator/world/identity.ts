import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import type { Kind, Quirk } from './account.ts';
import { mix, unit } from './hash.ts';

/** Fraction of persons with an account on the platform under one identity. */
export const MEMBERSHIP: Readonly<Record<Platform, number>> = {
  x: 0.8,
  instagram: 0.85,
  tiktok: 0.7,
  youtube: 0.7,
  telegram: 0.65,
  bluesky: 0.6,
  linkedin: 0.75,
};

const NUMBERS = Object.fromEntries(PLATFORMS.map((platform, n) => [platform, n])) as Record<Platform, number>;

export const platformNumber = (platform: Platform): number => NUMBERS[platform];

export const keyOf = (seed: number, platform: Platform, index: number): number =>
  mix(mix(seed, platformNumber(platform) + 1), index);

/** Key shared by all accounts of one person. */
export const personKey = (seed: number, index: number): number => mix(mix(seed, 99), index);

export const kindOf = (platform: Platform, key: number): Kind => {
  if (platform === 'youtube') return 'channel';
  if (platform !== 'telegram') return 'person';
  const draw = unit(key, 20);
  if (draw < 0.7) return 'channel';
  return draw < 0.83 ? 'group' : draw < 0.94 ? 'person' : 'bot';
};

export const quirksOf = (platform: Platform, key: number): ReadonlySet<Quirk> => {
  const has = (quirk: Quirk, share: number, salt: number): Quirk[] =>
    unit(key, salt) < share ? [quirk] : [];
  switch (platform) {
    case 'instagram':
      return new Set(has('gated', 0.015, 30));
    case 'tiktok':
      return new Set(has('region', 0.005, 31));
    case 'youtube':
      return new Set([...has('age_gate', 0.01, 32), ...has('hidden_count', 0.02, 33)]);
    case 'telegram':
      return new Set(has('no_feed', 0.08, 34));
    case 'bluesky':
      return new Set(has('opted_out', 0.03, 35));
    case 'linkedin':
      return new Set(has('country_host', 0.35, 36));
    case 'x':
      return new Set();
  }
};
