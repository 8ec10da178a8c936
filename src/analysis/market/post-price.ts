import { type BinCount, quantileOf } from '../../kernel/log-bins.ts';
import { type Estimate, Z95 } from '../median.ts';

/** Fewer placements of a platform price no post. */
export const MIN_PLACEMENTS = 10;
/** Placements of accounts whose views were measured, from which on stated views are held against these. */
const MIN_MEASURED = 20;
/** Days of posts whose views are taken, unless a request has others: most accounts have too few in less. */
export const POST_PRICE_WINDOW_DAYS = 90;
/** Chance with which a price is stated to be between the bounds. */
export const POST_PRICE_LEVEL = 0.8;
/** Two-sided 80 % quantile of the standard normal distribution. */
const Z80 = 1.281552;

/** Low, middle and high price in micro-dollars. */
interface Prices {
  readonly low: number;
  readonly mid: number;
  readonly high: number;
}

/** What placements of a platform say of the price of a thousand views. */
export interface PlacementLaw {
  /** Placements that it rests on. */
  readonly n: number;
  /** Price a thousand views: the median, and the bounds of `POST_PRICE_LEVEL`. */
  readonly cpm: Prices;
  /** Placements whose stated views are held against measured ones; 0 if too few are for the price to be of measured views. */
  readonly measured: number;
}

export interface PostPrice extends Prices {
  /** Whose views the price a thousand views is of. */
  readonly basis: 'measured_views' | 'stated_views';
}

const TAIL = (1 - POST_PRICE_LEVEL) / 2;

/** The chance of the order statistic of rank p (n + 1), of ranks from 0 to 1. */
const ofRank = (chance: number, n: number): number =>
  Math.min(1, Math.max(0, (chance * (n + 1) - 1) / (n - 1)));

const pricesAt = (at: (chance: number) => number, n: number): Prices => ({
  low: at(ofRank(TAIL, n)),
  mid: at(0.5),
  high: at(ofRank(1 - TAIL, n)),
});

/** Values at evenly spaced ranks stand for a distribution. */
const STEPS = 200;
const evenly = <T>(n: number, at: (share: number) => T): readonly T[] => {
  const steps = Math.min(n, STEPS);
  return Array.from({ length: steps }, (_, k) => at((k + 0.5) / steps));
};

/**
 * The price a thousand views of a platform's placements.
 *
 * Offers state views that need not be those that posts are measured to have. Where 20 placements are of accounts whose
 * views the catalog has measured, the law is of measured views: of the products of the price a thousand stated views and the
 * views stated by those measured, each pair of them being as likely. So the many placements say what views cost, and the
 * fewer measured ones what a stated view is. Bounds: quantiles of rank p (n + 1).
 *
 * @param stated placements by micro-dollars a thousand stated views, in logarithmic bins, ascending.
 * @param ratios views that placements state by the median views of posts of the same accounts, above 0, in any order.
 * @returns null for fewer than ten placements.
 */
export const placementLaw = (stated: readonly BinCount[], ratios: readonly number[]): PlacementLaw | null => {
  const n = stated.reduce((sum, one) => sum + one.n, 0);
  if (n < MIN_PLACEMENTS) return null;
  const statedAt = (chance: number): number => quantileOf(stated, chance) ?? 0;
  if (ratios.length < MIN_MEASURED) return { n, cpm: pricesAt(statedAt, n), measured: 0 };
  const sorted = ratios.toSorted((a, b) => a - b);
  const shares = evenly(sorted.length, (share) => sorted[Math.floor(share * sorted.length)] as number);
  const products = Float64Array.from(
    evenly(n, statedAt).flatMap((cpm) => shares.map((share) => cpm * share)),
  ).sort();
  const at = (chance: number) => products[Math.round(chance * (products.length - 1))] as number;
  return { n, cpm: pricesAt(at, Math.min(n, sorted.length)), measured: sorted.length };
};

/**
 * What a paid post of an account would cost: the price a thousand views times the median views of its ripe posts. Where
 * that price is of stated views, the error of the account's median, as its 95 % interval has it, is added in quadrature in
 * logarithms; the ratios of stated to measured views have it in them. Assumption: the price a thousand views does not depend
 * on the number of views, and the account is exchangeable with those that offer placements.
 *
 * @param views median views of the account's posts.
 * @returns null for a median without views.
 */
export const postPriceOf = (
  { cpm, measured }: PlacementLaw,
  views: Pick<Estimate, 'value' | 'low' | 'high'>,
): PostPrice | null => {
  if (views.value <= 0 || cpm.low <= 0) return null;
  const thousands = views.value / 1_000;
  const mid = cpm.mid * thousands;
  if (measured > 0)
    return { low: cpm.low * thousands, mid, high: cpm.high * thousands, basis: 'measured_views' };
  const errorOf = (ratio: number): number => (Z80 * Math.log(Math.max(1, ratio))) / Z95;
  const reach = (ratio: number, error: number): number => Math.exp(Math.hypot(Math.log(ratio), error));
  return {
    low: mid / reach(cpm.mid / cpm.low, errorOf(views.value / Math.max(views.low, 0.5))),
    mid,
    high: mid * reach(cpm.high / cpm.mid, errorOf(views.high / views.value)),
    basis: 'stated_views',
  };
};
