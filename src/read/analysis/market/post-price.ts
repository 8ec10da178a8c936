import { type BinCount, quantileOf } from '../../../kernel/log-bins.ts';
import { type Estimate, Z95 } from '../median.ts';
import { predictionQuantile } from '../prediction-quantile.ts';

/** Fewer placements of a platform price no post. */
export const MIN_PLACEMENTS = 10;
/** Placements of accounts whose views were measured, from which on these make the price. */
export const MIN_MEASURED = 30;
/** Days of posts whose views are taken, unless a request has others: most accounts have too few in less. */
export const POST_PRICE_WINDOW_DAYS = 90;
/** Chance with which a price is stated to be between the bounds. */
export const POST_PRICE_LEVEL = 0.8;
/** Two-sided 80 % quantile of the standard normal distribution. */
const Z80 = 1.281552;

/** Placements of a platform, in micro-dollars a thousand views. */
export interface PlacementLaw {
  /** By the views that the offers state, in logarithmic bins, ascending. */
  readonly stated: readonly BinCount[];
  /** By the median views that posts of the same accounts were measured to have, ascending. */
  readonly measured: readonly number[];
}

/** Low, middle and high price in micro-dollars. */
interface Prices {
  readonly low: number;
  readonly mid: number;
  readonly high: number;
}

export interface PostPrice extends Prices {
  /** Price a thousand views: the median of the placements, and the bounds of `POST_PRICE_LEVEL` of them. */
  readonly cpm: Prices;
  /** Whose views the placements are divided by. */
  readonly basis: 'measured_views' | 'stated_views';
  /** Placements that it rests on. */
  readonly n: number;
}

const TAIL = (1 - POST_PRICE_LEVEL) / 2;

const pricesAt = (at: (chance: number) => number): Prices => ({
  low: at(TAIL),
  mid: at(0.5),
  high: at(1 - TAIL),
});

const byMeasured = (measured: readonly number[], thousands: number): PostPrice => {
  const cpm = pricesAt((chance) => predictionQuantile(measured, chance));
  // The error of a median of views is in those of the placements as it is in this one.
  const prices = { low: cpm.low * thousands, mid: cpm.mid * thousands, high: cpm.high * thousands };
  return { ...prices, cpm, basis: 'measured_views', n: measured.length };
};

const byStated = (
  stated: readonly BinCount[],
  n: number,
  views: Pick<Estimate, 'value' | 'low' | 'high'>,
): PostPrice | null => {
  // `quantileOf` ranks from 0 to n − 1.
  const cpm = pricesAt((chance) => quantileOf(stated, (chance * (n + 1) - 1) / (n - 1)) ?? 0);
  if (cpm.low <= 0) return null;
  const mid = (cpm.mid * views.value) / 1_000;
  const errorOf = (ratio: number): number => (Z80 * Math.log(Math.max(1, ratio))) / Z95;
  const reach = (ratio: number, error: number): number => Math.exp(Math.hypot(Math.log(ratio), error));
  return {
    low: mid / reach(cpm.mid / cpm.low, errorOf(views.value / Math.max(views.low, 0.5))),
    mid,
    high: mid * reach(cpm.high / cpm.mid, errorOf(views.high / views.value)),
    cpm,
    basis: 'stated_views',
    n,
  };
};

/**
 * What a paid post of an account would cost: the price a thousand views of the platform's placements times the median views
 * of the account's ripe posts.
 *
 * Where 30 placements are of accounts whose views the catalog has measured, their prices are divided by these views: what
 * offers state need not be what posts are measured to have. Otherwise they are divided by the views that they state, and the
 * error of the account's median, as its 95 % interval has it, is added in quadrature in logarithms. Bounds: quantiles of
 * rank p (n + 1). Assumption: the price a thousand views does not depend on the number of views, and the account is
 * exchangeable with those that offer placements.
 *
 * @param views median views of the account's posts.
 * @returns null for fewer than ten placements, or a median without views.
 */
export const postPriceOf = (
  { stated, measured }: PlacementLaw,
  views: Pick<Estimate, 'value' | 'low' | 'high'>,
): PostPrice | null => {
  const n = stated.reduce((sum, one) => sum + one.n, 0);
  if (views.value <= 0) return null;
  if (measured.length >= MIN_MEASURED) return byMeasured(measured, views.value / 1_000);
  return n < MIN_PLACEMENTS ? null : byStated(stated, n, views);
};
