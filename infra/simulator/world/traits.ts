import { normalQuantile } from '../../../src/kernel/distributions.ts';
import type { Platform } from '../simulated-platforms.ts';
import { DAY, type Kind } from './account.ts';
import { between, normal } from './draws.ts';
import { createEffects, type Effects } from './effects.ts';
import type { Engagement, EngagementTraits } from './engagement.ts';
import { unit } from './hash.ts';
import { keyOf, kindOf, personKey } from './identity.ts';
import type { Parameters } from './parameters.ts';
import type { Role } from './people.ts';
import type { Pace } from './posting-times.ts';
import { languageOf } from './profile.ts';
import { createSizes } from './sizes.ts';

/** What an account is for all time. */
export interface Traits {
  readonly platform: Platform;
  readonly index: number;
  readonly key: number;
  readonly kind: Kind;
  /** Whether the account belongs to a person who is on other platforms too. */
  readonly member: boolean;
  readonly role: Role | null;
  readonly createdAt: number;
  /** Followers at the anchor of growth. */
  readonly size: number;
  /** Deviation of ln followers a week. */
  readonly volatility: number;
  /** Trend of ln followers a day. */
  readonly trend: number;
  /** No posts from here on; Infinity for an active account. */
  readonly dormantFrom: number;
  /** Posts in a week that is not of a holiday. */
  readonly rate: number;
  /** Whole hours from UTC. */
  readonly zone: number;
  readonly language: string;
  readonly engagement: EngagementTraits;
  readonly effects: Effects;
  readonly pace: Pace;
}

const ZONES: Readonly<Record<string, readonly number[]>> = {
  en: [-8, -6, -5, -5, 0, 0, 1, 10],
  de: [1, 1, 2],
  es: [-6, -5, -3, 1, 1],
  pt: [-3, -3, 0],
  ru: [3, 4, 6],
  ja: [9],
  ar: [2, 3, 4],
  fr: [1, 1, -5],
  it: [1],
  nl: [1],
  pl: [1],
  tr: [3],
  hi: [5],
  ko: [9],
  zh: [8],
  id: [7, 8],
};
const DORMANT_BEFORE = Date.UTC(2025, 8, 1);
/** Standard normal quantile of 0.99. */
const Z99 = 2.3263;
const MONTH = 30.4;
/** Young accounts that pose as others are so many deviations smaller. */
const SMALLER = 1.5;

/** A draw with density 1 + c (1 - 2u) on [0, 1]. */
const slanted = (draw: number, c: number): number =>
  Math.abs(c) < 1e-6 ? draw : (1 + c - Math.sqrt((1 + c) ** 2 - 4 * c * draw)) / (2 * c);

export interface TraitsSource {
  readonly seed: number;
  readonly parameters: Parameters;
  readonly engagement: Engagement;
  isMember(platform: Platform, index: number): boolean;
  roleOf(platform: Platform, index: number): Role | null;
  createdAt(platform: Platform, index: number, key: number): number;
  /** Whether it poses as another account and is young. */
  isNewPoser(platform: Platform, index: number): boolean;
  paceOf(key: number, zone: number, createdAt: number): Pace;
}

export const createTraits = (source: TraitsSource) => {
  const { seed, parameters, engagement, isMember } = source;
  const { growth, dormancy, posting } = parameters;
  const sizes = createSizes(parameters);
  const effectsOf = createEffects(parameters);
  const spread = (growth.decades * Math.LN10) / (2 * Z99);
  const cache: (Traits | undefined)[] = new Array(1 << 15);

  const made = (platform: Platform, index: number): Traits => {
    const key = keyOf(seed, platform, index);
    const person = personKey(seed, index);
    const member = isMember(platform, index);
    const createdAt = source.createdAt(platform, index, key);
    const own = normal(key, 141);
    const draw = member ? 0.8 * normal(person, 140) + 0.6 * own : own;
    const size = sizes.of(platform, source.isNewPoser(platform, index) ? draw - SMALLER : draw);
    const share = dormancy.share[platform];
    const dormant = unit(key, 145) < share;
    // Dormant accounts are calmer, while all together have the given volatility.
    const slant = 0.8 * Math.min(1, (1 - share) / share);
    const calm = slanted(unit(key, 146), dormant ? slant : (-slant * share) / (1 - share));
    const language = languageOf(member ? person : key);
    const zones = ZONES[language] ?? [0];
    const dormantFrom = dormant
      ? createdAt < DORMANT_BEFORE
        ? between(createdAt, DORMANT_BEFORE, 0.1 + 0.9 * unit(key, 147))
        : createdAt + 60 * DAY * unit(key, 147)
      : Infinity;
    let role: Role | null | undefined;
    let engaged: EngagementTraits | undefined;
    let effects: Effects | undefined;
    let pace: Pace | undefined;
    const zone = zones[Math.floor(unit(member ? person : key, 151) * zones.length)] as number;
    return {
      platform,
      index,
      key,
      kind: kindOf(platform, key),
      member,
      get role() {
        if (role === undefined) role = source.roleOf(platform, index);
        return role;
      },
      createdAt,
      size,
      volatility: growth.volatility * Math.exp(spread * normalQuantile(Math.min(1 - 1e-7, calm + 1e-7))),
      trend: dormant ? (-dormancy.loss * unit(key, 148)) / MONTH : (0.02 + 0.04 * normal(key, 149)) / 365,
      dormantFrom,
      rate: 7 * Math.min(25, Math.max(0.01, posting.rate * Math.exp(posting.sigma * normal(key, 120)))),
      zone,
      language,
      // Most accounts are asked for their profile alone.
      get engagement() {
        if (engaged === undefined) engaged = engagement.traitsOf(platform, key, size);
        return engaged;
      },
      get pace() {
        if (pace === undefined) pace = source.paceOf(key, zone, createdAt);
        return pace;
      },
      get effects() {
        if (effects === undefined) effects = effectsOf(platform, key);
        return effects;
      },
    };
  };

  return (platform: Platform, index: number): Traits => {
    const slot = (index * 7 + platform.length * 3 + platform.charCodeAt(0)) & ((1 << 15) - 1);
    const known = cache[slot];
    if (known?.index === index && known.platform === platform) return known;
    const traits = made(platform, index);
    cache[slot] = traits;
    return traits;
  };
};
