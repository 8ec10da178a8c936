import type { Platform } from '../simulated-platforms.ts';
import { DAY } from './account.ts';
import { marksIn } from './draws.ts';
import { bell, mix, unit } from './hash.ts';
import { platformNumber } from './identity.ts';
import type { Parameters } from './parameters.ts';
import { LARGEST, type Sizes } from './sizes.ts';

/** Sizes are drawn as of this day; growth extends in both directions. */
export const ANCHOR = Date.UTC(2026, 0, 1);
export const WEEK = 7 * DAY;
const YEAR = 365 * DAY;
/** Number of weeks on either side of the anchor for which the walk is known. */
const REACH = 512;

/**
 * A random walk since the anchor with deviation 1 a week, without a loop over the weeks: a Brownian bridge that is
 * halved twelve times. Below 64 weeks the variance is divided unevenly (a multiplicative cascade), so that quiet and
 * busy weeks alternate and weekly returns have a kurtosis of about 16.
 */
const walkAt = (key: number, weeks: number): number => {
  const side = mix(key, weeks < 0 ? 11 : 12);
  const target = Math.min(Math.abs(weeks), REACH - 0.001);
  let from = 0;
  let span = REACH;
  let variance = REACH;
  let low = 0;
  let high = bell(side, 1) * Math.sqrt(REACH);
  let node = 1;
  while (span > 0.125) {
    span /= 2;
    const salt = node * 8;
    const share = span >= 64 || span < 1 ? 0.5 : unit(side, salt + 5);
    const middle = low + (high - low) * share + Math.sqrt(variance * share * (1 - share)) * bell(side, salt);
    if (target < from + span) {
      high = middle;
      variance *= share;
      node *= 2;
    } else {
      from += span;
      low = middle;
      variance *= 1 - share;
      node = node * 2 + 1;
    }
  }
  return low + ((high - low) * (target - from)) / span;
};

export interface Jump {
  readonly at: number;
  /** Change of ln followers at its height. */
  readonly size: number;
}

const SMALLEST_JUMP = 0.05;
const LARGEST_JUMP = 3;
const RISE = 2 * DAY;
const FADE = 28 * DAY;
/** Share of a jump that stays. */
const KEPT = 0.5;

const heightOf = (at: number, size: number, now: number): number => {
  const since = now - at;
  if (since <= 0) return 0;
  return size * Math.min(1, since / RISE) * (KEPT + (1 - KEPT) * Math.exp(-since / FADE));
};

/** A loss of followers on a whole platform within a day. */
export interface Purge {
  readonly platform: Platform;
  readonly at: number;
  readonly loss: number;
}

const PURGE_YEARS = { from: 2014, to: 2042 };

/** What the followers of an account follow. */
export interface GrowthTraits {
  readonly key: number;
  /** Followers at the anchor, if the account was a year old by then. */
  readonly size: number;
  readonly createdAt: number;
  /** Deviation of ln followers a week. */
  readonly volatility: number;
  /** Trend of ln followers a day. */
  readonly trend: number;
}

export interface Growth {
  /** Followers of an account at a time, before rounding. */
  at(platform: Platform, traits: GrowthTraits, at: number): number;
  jumps(key: number, from: number, to: number): readonly Jump[];
  purges(platform: Platform, from: number, to: number): readonly Purge[];
  /** Share of its followers that an account loses at a purge. */
  lossAt(purge: Purge, key: number): number;
  /** Factor by which figures that existed at `from` have shrunk through purges by `to`. */
  purged(platform: Platform, from: number, to: number): number;
}

/** More of one platform in a year are beyond chance at any rate. */
const MOST_PURGES = 24;

/** A post loses less at a purge than its account. */
const OF_POSTS = 0.5;

export const createGrowth = (seed: number, parameters: Parameters, sizes: Sizes): Growth => {
  const { growth, purges: law } = parameters;
  const quiet = Math.exp(-growth.jumps);
  const purges = new Map<Platform, readonly Purge[]>();
  const purgesOf = (platform: Platform): readonly Purge[] => {
    const known = purges.get(platform);
    if (known) return known;
    const key = mix(mix(seed, 500), platformNumber(platform));
    const made: Purge[] = [];
    for (let year = PURGE_YEARS.from; year < PURGE_YEARS.to; year++) {
      for (let n = marksIn(key, year, law.rate, MOST_PURGES); n > 0; n--) {
        const own = mix(key, year * 32 + n);
        const at = Date.UTC(year, 0, 1) + Math.floor(unit(own, 1) * 365) * DAY;
        made.push({ platform, at, loss: law.least * (law.most / law.least) ** unit(own, 2) });
      }
    }
    made.sort((a, b) => a.at - b.at);
    purges.set(platform, made);
    return made;
  };

  const lossOf = (loss: number, scale: number): number =>
    Math.min(law.most, Math.max(law.least, loss * scale));
  /** An account loses 0.6 to 1.4 times what its platform does. */
  const scaleOf = (key: number): number => 0.6 + 0.8 * unit(key, 14);

  /** ln of what purges left between two instants. */
  const purgedBy = (platform: Platform, from: number, to: number, scale: number): number => {
    let sum = 0;
    const all = purgesOf(platform);
    // The last ones first: most questions are about recent times.
    for (let n = all.length - 1; n >= 0; n--) {
      const { at, loss } = all[n] as Purge;
      if (at >= to) continue;
      if (at + DAY <= from) break;
      const left = Math.log(1 - lossOf(loss, scale));
      const done = (when: number) => Math.min(1, Math.max(0, (when - at) / DAY));
      sum += left * (done(to) - done(from));
    }
    return sum;
  };

  /** Years since the anchor with jumps are few: `each` is called for every jump of years `from` to `to`. */
  const forJumps = (
    key: number,
    from: number,
    to: number,
    each: (at: number, size: number) => void,
  ): void => {
    const own = mix(key, 13);
    for (let year = from; year <= to; year++) {
      if (unit(own, year * 8 + 1) < quiet) continue;
      for (let n = marksIn(own, year, growth.jumps); n > 0; n--) {
        const at = ANCHOR + (year + unit(own, year * 64 + n * 4 + 32)) * YEAR;
        const raw = SMALLEST_JUMP * (1 - unit(own, year * 64 + n * 4 + 33)) ** (-1 / growth.jumpExponent);
        const up = unit(own, year * 64 + n * 4 + 34) < 0.7;
        each(at, Math.min(LARGEST_JUMP, raw) * (up ? 1 : -0.5));
      }
    }
  };
  const yearOf = (at: number): number => Math.floor((at - ANCHOR) / YEAR);

  return {
    jumps: (key, from, to) => {
      const made: Jump[] = [];
      forJumps(key, yearOf(from), yearOf(to), (at, size) => {
        if (at > from && at <= to) made.push({ at, size });
      });
      return made;
    },
    purges: (platform, from, to) => purgesOf(platform).filter(({ at }) => at > from && at <= to),
    lossAt: ({ loss }, key) => lossOf(loss, scaleOf(key)),
    purged: (platform, from, to) => (to > from ? Math.exp(OF_POSTS * purgedBy(platform, from, to, 1)) : 1),
    at: (platform, { key, size, createdAt, volatility, trend }, at) => {
      if (at <= createdAt) return 0;
      const days = (at - ANCHOR) / DAY;
      // Jumps of the last year before the earlier instant still fade; older ones cancel out.
      let jumped = 0;
      forJumps(key, yearOf(Math.min(at, ANCHOR)) - 1, yearOf(Math.max(at, ANCHOR)), (when, size) => {
        jumped += heightOf(when, size, at) - heightOf(when, size, ANCHOR);
      });
      const wandered = volatility * walkAt(key, days / 7);
      const purged =
        at >= ANCHOR
          ? purgedBy(platform, ANCHOR, at, scaleOf(key))
          : -purgedBy(platform, at, ANCHOR, scaleOf(key));
      const drifted = trend * (days / (1 + Math.abs(days) / 3000));
      const youth = Math.min(1, (at - createdAt) / YEAR) ** 1.5;
      return Math.min(
        LARGEST,
        youth * sizes.moved(platform, size, drifted + wandered + jumped) * Math.exp(purged),
      );
    },
  };
};

/** Accounts that the account says it follows, before they vary with time. */
export const followingBase = (key: number): number => 10 ** (1.4 + unit(key, 18) * 1.9);

export const followingAt = (key: number, at: number): number => {
  const turn = Math.sin((at / (400 * DAY) + unit(key, 19)) * 2 * Math.PI);
  return Math.floor(followingBase(key) * (1 + 0.03 * turn));
};
