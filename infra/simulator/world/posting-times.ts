import { DAY } from './account.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';

const WEEK = 7 * DAY;
/** A Monday. */
const EPOCH = Date.UTC(1970, 0, 5);
/** Weeks of an account's own year. */
const YEAR = 52;
/** Posts of a block: two to the power of the halvings of the cascade that draws their intervals. */
const BLOCK = 128;
const HALVINGS = 7;

export const HOURS = 168;

/** What an account's posts follow in time. */
export interface PostingTraits {
  readonly key: number;
  readonly createdAt: number;
  /** No posts from here on; may be Infinity. */
  readonly dormantFrom: number;
  /** Posts a week. */
  readonly rate: number;
  /** Whole hours from UTC. */
  readonly zone: number;
  readonly pace: Pace;
}

/** When an account posts, drawn once. */
export interface Pace {
  /** Cumulated activity over the hours of a week, UTC. */
  readonly rhythm: Float64Array;
  /** Weeks of activity from the epoch to the account's creation. */
  readonly begun: number;
}

export interface PostingTimes {
  paceOf(key: number, zone: number, createdAt: number): Pace;
  /** Time of post `n`, whole seconds. */
  timeOf(traits: PostingTraits, n: number): number;
  /** Number of posts until a time. */
  countAt(traits: PostingTraits, at: number): number;
}

/** Local hour of the week, 0 (Monday 0:00) to 167. */
export const hourOfWeek = (at: number, zone: number): number => {
  const hours = Math.floor((at - EPOCH) / 3_600_000) + zone;
  return ((hours % HOURS) + HOURS) % HOURS;
};

/**
 * Times of posts without a list. Intervals are those of a multiplicative cascade over blocks of 128 posts, whose
 * spread gives the burstiness B = (r - 1) / (r + 1) of Goh and Barabási with r the coefficient of variation; weeks of
 * holidays are left out, and each week is stretched by the hours and weekdays of the account.
 */
export const createPostingTimes = ({ posting }: Parameters): PostingTimes => {
  // Fitted to the unbiased estimator of Kim and Jo (2016) on the newest 128 posts.
  const aim = posting.burstiness * 0.95;
  const ratio = (1 + aim) / (1 - aim);
  const swing = Math.min(0.499, Math.sqrt(((1 + ratio ** 2) ** (1 / HALVINGS) - 1) / 2));
  const shareOf = (key: number, node: number): number => {
    const draw = unit(key, node) * 2 - 1;
    return 0.5 + Math.sign(draw) * swing * Math.sqrt(Math.abs(draw));
  };

  const rhythms = new Map<number, Float64Array>();
  /** Cumulated activity over the hours of a week, UTC. */
  const rhythmOf = (key: number, zone: number): Float64Array => {
    const peak = 9 + Math.floor(unit(key, 131) * 14);
    const strength = Math.floor(unit(key, 132) * 3);
    const weekend = Math.floor(unit(key, 133) * 3);
    const start = (((peak - zone) % 24) + 24) % 24;
    const number = ((zone + 24) * 24 + start) * 9 + strength * 3 + weekend;
    const known = rhythms.get(number);
    if (known) return known;
    const sums = new Float64Array(HOURS + 1);
    for (let hour = 0; hour < HOURS; hour++) {
      const local = (hour + zone + HOURS) % HOURS;
      const days = local >= 120 ? ([0.6, 1, 1.4][weekend] as number) : 1;
      const swings = Math.cos(((hour - start) / 24) * 2 * Math.PI);
      sums[hour + 1] =
        (sums[hour] as number) + days * Math.exp((0.5 + 0.5 * strength) * posting.rhythm * swings);
    }
    const whole = sums[HOURS] as number;
    for (let hour = 0; hour <= HOURS; hour++) sums[hour] = (sums[hour] as number) / whole;
    rhythms.set(number, sums);
    return sums;
  };
  const toActivity = (sums: Float64Array, part: number): number => {
    const hour = Math.min(HOURS - 1, Math.floor(part * HOURS));
    const [low, high] = [sums[hour] as number, sums[hour + 1] as number];
    return low + (high - low) * (part * HOURS - hour);
  };
  const toClock = (sums: Float64Array, part: number): number => {
    let [low, high] = [0, HOURS - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((sums[middle] as number) <= part) low = middle;
      else high = middle - 1;
    }
    const [from, to] = [sums[low] as number, sums[low + 1] as number];
    return (low + (part - from) / (to - from)) / HOURS;
  };

  const holidayOf = (key: number, year: number) => {
    const length = unit(key, 134) < posting.holidays ? 1 + Math.floor(unit(key, 135) * 2) : 0;
    return { length, start: Math.floor(unit(mix(key, 136), year) * (YEAR - length)) };
  };
  const withoutHolidays = (key: number, weeks: number): number => {
    const year = Math.floor(weeks / YEAR);
    const { length, start } = holidayOf(key, year);
    const week = weeks - year * YEAR;
    const kept = week < start ? week : week < start + length ? start : week - length;
    return year * (YEAR - length) + kept;
  };
  const withHolidays = (key: number, active: number): number => {
    const { length } = holidayOf(key, 0);
    const year = Math.floor(active / (YEAR - length));
    const rest = active - year * (YEAR - length);
    return year * YEAR + (rest < holidayOf(key, year).start ? rest : rest + length);
  };

  /** Weeks of activity since the epoch. */
  const activeAt = (key: number, rhythm: Float64Array, at: number): number => {
    const weeks = (at - EPOCH) / WEEK;
    const whole = Math.floor(weeks);
    return withoutHolidays(key, whole + toActivity(rhythm, weeks - whole));
  };
  const clockAt = ({ key, pace }: PostingTraits, active: number): number => {
    const weeks = withHolidays(key, active);
    const whole = Math.floor(weeks);
    return EPOCH + (whole + toClock(pace.rhythm, weeks - whole)) * WEEK;
  };

  const offsetOf = (key: number, n: number): number => {
    const block = Math.floor(n / BLOCK);
    const own = mix(mix(key, 121), block);
    let [from, span, node] = [0, BLOCK, 1];
    for (let level = HALVINGS - 1; level >= 0; level--) {
      const first = span * shareOf(own, node);
      if (((n >> level) & 1) === 0) {
        span = first;
        node *= 2;
      } else {
        from += first;
        span -= first;
        node = node * 2 + 1;
      }
    }
    return block * BLOCK + from;
  };
  const numberAt = (key: number, offset: number): number => {
    const block = Math.floor(offset / BLOCK);
    const own = mix(mix(key, 121), block);
    let [from, span, node] = [block * BLOCK, BLOCK, 1];
    for (let level = 0; level < HALVINGS; level++) {
      const first = span * shareOf(own, node);
      if (offset < from + first) {
        span = first;
        node *= 2;
      } else {
        from += first;
        span -= first;
        node = node * 2 + 1;
      }
    }
    return block * BLOCK + node - BLOCK;
  };
  const phaseOf = (key: number): number => unit(key, 137);

  return {
    paceOf: (key, zone, createdAt) => {
      const rhythm = rhythmOf(key, zone);
      return { rhythm, begun: activeAt(key, rhythm, createdAt) };
    },
    timeOf: (traits, n) => {
      const active = traits.pace.begun + (offsetOf(traits.key, n) + phaseOf(traits.key)) / traits.rate;
      return Math.floor(clockAt(traits, active) / 1000) * 1000;
    },
    countAt: (traits, at) => {
      const until = Math.min(at, traits.dormantFrom);
      if (until <= traits.createdAt) return 0;
      const { rhythm, begun } = traits.pace;
      const offset = (activeAt(traits.key, rhythm, until) - begun) * traits.rate - phaseOf(traits.key);
      return offset < 0 ? 0 : numberAt(traits.key, offset) + 1;
    },
  };
};
