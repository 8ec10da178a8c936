import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import { DAY } from './account.ts';
import { between, exponential, normal } from './draws.ts';
import { keyFor, mix, type Permutation, permutation, unit } from './hash.ts';
import { LAST_NAMES } from './name-parts.ts';
import type { Parameters } from './parameters.ts';

/** Price of an account at an instant, in millionths of a US dollar. */
export interface AskingPrice {
  readonly at: number;
  readonly microUsd: number;
}

/** An account offered for sale. */
export interface Listing {
  readonly number: number;
  readonly platform: Platform;
  readonly index: number;
  readonly seller: string;
  readonly listedAt: number;
  /** Asking prices, the first at `listedAt`. */
  readonly prices: readonly AskingPrice[];
  readonly soldAt: number | null;
  readonly soldMicroUsd: number | null;
  readonly withdrawnAt: number | null;
  /** Number of the former offer of the same account. */
  readonly relistedFrom: number | null;
  /** Terms of ln price in dollars. */
  readonly model: {
    readonly followers: number;
    readonly platform: number;
    readonly age: number;
    readonly engagement: number;
    readonly noise: number;
  };
}

/** A paid post. */
export interface Placement {
  readonly number: number;
  readonly platform: Platform;
  readonly index: number;
  readonly at: number;
  readonly views: number;
  readonly cpmUsd: number;
  readonly priceMicroUsd: number;
}

export interface Market {
  /** Numbers of listings are below; some have no listing. */
  readonly listings: number;
  readonly placements: number;
  /** Null if the number has no listing, or not yet. */
  listing(number: number, at: number): Listing | null;
  placement(number: number, at: number): Placement | null;
}

const OPENED = Date.UTC(2025, 5, 1);
const SPAN = 3 * 365 * DAY;
const YEAR = 365 * DAY;
const REPRICED_EVERY = 30 * DAY;
/** Dollars of an account with 10,000 followers. */
const BASE = 150;
const ON: Readonly<Record<Platform, number>> = {
  x: 0,
  instagram: 0.2,
  tiktok: -0.1,
  youtube: 0.8,
  telegram: -0.2,
  bluesky: -0.6,
  linkedin: 0.1,
};
const AGE_A_YEAR = 0.05;
const ENGAGEMENT = 0.2;

const micro = (usd: number): number => Math.round(usd * 100) * 10_000;

export interface MarketSource {
  readonly seed: number;
  readonly size: number;
  readonly parameters: Parameters;
  followers(platform: Platform, index: number, at: number): number;
  createdAt(platform: Platform, index: number): number;
  /** Engagement of an account by the median of its platform. */
  engagement(platform: Platform, index: number): number;
  views(platform: Platform, index: number, at: number): number;
}

/** A marketplace of accounts and of paid posts; all of it is a function of numbers and time. */
export const createMarket = (source: MarketSource): Market => {
  const { seed, size } = source;
  const law = source.parameters.market;
  const offered = Math.max(1, Math.round(size * law.listed));
  const shuffles = new Map<Platform, Permutation>(
    PLATFORMS.map((platform, n) => [platform, permutation(size, mix(mix(seed, 800), n))]),
  );
  const sellers = Math.max(3, Math.round(offered * 0.8));
  // Who sells posts is drawn apart from who is for sale.
  const posting = new Map<Platform, Permutation>(
    PLATFORMS.map((platform) => [platform, permutation(size, keyFor(seed, `placements on ${platform}`))]),
  );
  const accountOf = (slot: number, among: ReadonlyMap<Platform, Permutation>) => {
    const platform = PLATFORMS[slot % PLATFORMS.length] as Platform;
    const index = (among.get(platform) as Permutation).apply(Math.floor(slot / PLATFORMS.length) % size);
    return { platform, index };
  };

  const drawn = (slot: number, again: boolean, from: number): Listing => {
    const { platform, index } = accountOf(slot, shuffles);
    const first = mix(mix(seed, 801), slot);
    const key = again ? mix(first, 1) : first;
    const followers = Math.max(1, source.followers(platform, index, from));
    const model = {
      followers: law.elasticity * Math.log(followers / 10_000),
      platform: ON[platform],
      age: (AGE_A_YEAR * Math.max(0, from - source.createdAt(platform, index))) / YEAR,
      engagement: ENGAGEMENT * Math.log(source.engagement(platform, index)),
      noise: law.noise * normal(key, 1),
    };
    const asked =
      BASE * Math.exp(model.followers + model.platform + model.age + model.engagement + model.noise);
    const sells = unit(key, 2) >= law.unsold;
    const lasts = sells ? (5 + 55 * exponential(key, 3)) * DAY : between(30, 300, unit(key, 3)) * DAY;
    const end = Math.floor((from + Math.min(lasts, YEAR)) / 1000) * 1000;
    const prices: AskingPrice[] = [{ at: from, microUsd: Math.max(10_000, micro(asked)) }];
    for (let at = from + REPRICED_EVERY, n = 0; at < end; at += REPRICED_EVERY, n++) {
      if (unit(key, 10 + n) < 0.5) continue;
      const { microUsd } = prices.at(-1) as AskingPrice;
      const lower = between(0.85, 0.98, unit(key, 30 + n));
      prices.push({ at, microUsd: Math.max(10_000, micro((microUsd / 1e6) * lower)) });
    }
    const last = (prices.at(-1) as AskingPrice).microUsd;
    const seller = Math.floor(sellers * unit(first, 4) ** 2.5);
    return {
      number: slot * 2 + (again ? 1 : 0),
      platform,
      index,
      seller: `${LAST_NAMES[seller % LAST_NAMES.length]}-accounts-${seller}`,
      listedAt: from,
      prices,
      soldAt: sells ? end : null,
      soldMicroUsd: sells ? Math.max(10_000, micro((last / 1e6) * between(0.5, 1, unit(key, 5)))) : null,
      withdrawnAt: sells ? null : end,
      relistedFrom: again ? slot * 2 : null,
      model,
    };
  };
  const startOf = (slot: number): number =>
    Math.floor((OPENED + unit(mix(mix(seed, 802), slot), 0) * SPAN) / 1000) * 1000;

  return {
    listings: offered * PLATFORMS.length * 2,
    placements: offered * PLATFORMS.length,
    listing: (number, at) => {
      const slot = number >> 1;
      if (number < 0 || slot >= offered * PLATFORMS.length || startOf(slot) > at) return null;
      const first = drawn(slot, false, startOf(slot));
      if ((number & 1) === 0) return first;
      const key = mix(mix(seed, 803), slot);
      if (unit(key, 1) >= law.relisted) return null;
      const ended = first.soldAt ?? first.withdrawnAt ?? 0;
      const from = Math.floor((ended + between(20, 200, unit(key, 2)) * DAY) / 1000) * 1000;
      return from > at ? null : drawn(slot, true, from);
    },
    placement: (number, at) => {
      const key = mix(mix(seed, 804), number);
      const when = Math.floor((OPENED + unit(key, 1) * SPAN) / 1000) * 1000;
      if (number < 0 || number >= offered * PLATFORMS.length || when > at) return null;
      const { platform, index } = accountOf(number, posting);
      const views = Math.max(1, Math.round(source.views(platform, index, when)));
      const cpmUsd = law.cpm[platform] * Math.exp(law.cpmSigma * normal(key, 2));
      return {
        number,
        platform,
        index,
        at: when,
        views,
        cpmUsd,
        priceMicroUsd: Math.max(1, Math.round(cpmUsd * views * 1000)),
      };
    },
  };
};
