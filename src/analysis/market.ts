/** Prices of a marketplace: of posts and of accounts. */

import { median, medianAbsoluteDeviation } from 'simple-statistics';
import { type BinCount, quantileOf } from '../kernel/log-bins.ts';
import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import { predictionQuantile } from './growth-projection.ts';
import { type Estimate, Z95 } from './percentiles.ts';
import { dot, formOf, robustFit } from './regression.ts';
import { NORMAL_MAD } from './sample.ts';

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

/** Fewer comparables of a platform value no account of it. */
export const MIN_COMPARABLES = 10;
/** Chance with which a price is stated to be between the bounds. */
export const VALUE_LEVEL = 0.8;

/** What a price is explained by; null is unknown. */
export interface PricedAccount {
  readonly platform: Platform;
  /** At least one. */
  readonly followers: number;
  /** Years since it was created. */
  readonly ageYears: number | null;
  /** Median engagement of its posts by followers. */
  readonly engagementRate: number | null;
}

/** An account that was sold, or is offered, and its price in micro-dollars. */
export interface Comparable extends PricedAccount {
  readonly price: number;
}

export const FACTORS = ['followers', 'platform', 'age', 'engagement'] as const;

/** What a property of an account does to its price, beside the typical comparable. */
export interface PriceFactor {
  readonly factor: (typeof FACTORS)[number];
  /** Factor of the price; null if the property is unknown, or an engagement of 0, which has no logarithm: it has no effect. */
  readonly multiple: number | null;
}

export interface Value {
  readonly low: number;
  readonly mid: number;
  readonly high: number;
  /** Price of the typical comparable: the middle one is it, times all factors. */
  readonly typical: number;
  readonly factors: readonly PriceFactor[];
  /** Whether the account has more or fewer followers than every comparable of its platform. */
  readonly isBeyond: boolean;
}

interface Residuals {
  readonly all: readonly number[];
  readonly own: ReadonlyMap<Platform, readonly number[]>;
}

/** Prices as a law of what explains them. */
export interface PriceLaw {
  readonly n: number;
  readonly counts: ReadonlyMap<Platform, number>;
  readonly middles: Middles;
  readonly coefficients: readonly number[];
  /** Inverse of the penalized matrix of products. */
  readonly spread: readonly (readonly number[])[];
  readonly residuals: Residuals;
  /** Least and most followers of the comparables of a platform. */
  readonly reach: ReadonlyMap<Platform, readonly [number, number]>;
}

interface Middles {
  readonly lnFollowers: number;
  readonly ageYears: number;
  /** ln engagement rate by platform. */
  readonly lnRate: ReadonlyMap<Platform, number>;
}

/** Prior deviations of coefficients, all in ln price. A price is taken for proportional to followers until comparables say otherwise. */
const PRIOR = {
  /** Of the elasticity to followers around 1. */
  elasticity: 0.5,
  /** Of a platform's level around that of all. */
  platform: 1,
  /** A year of age. */
  age: 0.1,
  /** A unit of ln engagement rate. */
  engagement: 0.3,
} as const;

const NUMBERS = Object.fromEntries(PLATFORMS.map((platform, n) => [platform, n])) as Readonly<
  Record<Platform, number>
>;
const PLATFORM_AT = 4;
const COLUMNS = PLATFORM_AT + PLATFORMS.length;
const PENALTIES: readonly number[] = [
  0,
  PRIOR.elasticity ** -2,
  PRIOR.age ** -2,
  PRIOR.engagement ** -2,
  ...PLATFORMS.map(() => PRIOR.platform ** -2),
];

const middleOf = (values: readonly number[]): number => (values.length === 0 ? 0 : median([...values]));

const lnRateOf = ({ engagementRate }: PricedAccount): number | null =>
  engagementRate === null || engagementRate <= 0 ? null : Math.log(engagementRate);

const designOf = (account: PricedAccount, { lnFollowers, ageYears, lnRate }: Middles): readonly number[] => {
  const row = new Array<number>(COLUMNS).fill(0);
  const size = Math.log(account.followers) - lnFollowers;
  const rate = lnRateOf(account);
  const usual = lnRate.get(account.platform);
  row[0] = 1;
  row[1] = size;
  row[2] = account.ageYears === null ? 0 : account.ageYears - ageYears;
  row[3] = rate === null || usual === undefined ? 0 : rate - usual;
  row[PLATFORM_AT + NUMBERS[account.platform]] = 1;
  return row;
};

/** Deviations from the middle up to which a comparable's place counts in full: a far one would turn the law by itself. */
const FULL_PLACE = 3;

/** How far a value may be from the middle of all, in median deviations, to count in full. */
const placeWeights = (values: readonly (number | null)[]): readonly number[] => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return values.map(() => 1);
  const middle = median(known);
  const deviation = medianAbsoluteDeviation(known) / NORMAL_MAD;
  return values.map((value) =>
    value === null || deviation === 0 ? 1 : Math.min(1, (FULL_PLACE * deviation) / Math.abs(value - middle)),
  );
};

/**
 * Prices of accounts as a law of their followers, platform, age and engagement.
 *
 * Model: ln price is linear in ln followers, years of age and ln engagement rate (against the middle of the platform), with
 * a level of the platform that is drawn towards that of all platforms: a regression with normal priors (Lindley and Smith,
 * "Bayes estimates for the linear model", 1972), whose weight follows from the variance of the errors. It is robust
 * (`robustFit`), since anybody can offer and sell what is worth nothing. The elasticity is one for all platforms: a
 * platform's own is what a few invented sales of large accounts would buy. An unknown age or rate counts as the middle.
 * Rosen, "Hedonic prices and implicit markets", 1974, has the kind of model. Bounds: quantiles of the errors that the
 * comparables have when each is predicted from all others (Barber, Candès, Ramdas and Tibshirani, "Predictive inference
 * with the jackknife+", 2021), each by its own standard error.
 *
 * Assumption: the account is exchangeable with the comparables, given what explains prices. Comparables of a marketplace
 * are offers of its sellers and no random sample of accounts.
 *
 * @param comparables prices paid, or prices asked: never both.
 * @returns null for fewer than ten.
 */
export const fitPrices = (comparables: readonly Comparable[]): PriceLaw | null => {
  const n = comparables.length;
  if (n < MIN_COMPARABLES) return null;
  const ofPlatform = Map.groupBy(comparables, ({ platform }) => platform);
  const middles: Middles = {
    lnFollowers: middleOf(comparables.map(({ followers }) => Math.log(followers))),
    ageYears: middleOf(comparables.flatMap(({ ageYears }) => ageYears ?? [])),
    lnRate: new Map(
      [...ofPlatform].flatMap(([platform, own]) => {
        const rates = own.flatMap((one) => lnRateOf(one) ?? []);
        return rates.length === 0 ? [] : [[platform, middleOf(rates)] as const];
      }),
    ),
  };
  const rows = comparables.map((one) => designOf(one, middles));
  // Per follower, so that no prior effect of the size is a price in proportion to it.
  const y = comparables.map(({ price, followers }) => Math.log(price / followers));
  const places = [
    placeWeights(comparables.map(({ followers }) => Math.log(followers))),
    placeWeights(comparables.map(({ ageYears }) => ageYears)),
    placeWeights(rows.map((row) => (row[3] === 0 ? null : (row[3] as number)))),
  ];
  const fit = robustFit(
    rows,
    y,
    PENALTIES,
    rows.map((_, t) => Math.min(...places.map((weights) => weights[t] as number))),
  );
  if (fit === null) return null;
  const { coefficients, spread, weights } = fit;
  const errors = fit.errors.map(
    (error, t) =>
      error /
      Math.sqrt(Math.max(1e-6, 1 - (weights[t] as number) * formOf(rows[t] as readonly number[], spread))),
  );
  const own = Map.groupBy(
    comparables.map(({ platform }, t) => ({ platform, error: errors[t] as number })),
    ({ platform }) => platform,
  );
  const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);
  return {
    n,
    counts: new Map([...ofPlatform].map(([platform, some]) => [platform, some.length])),
    middles,
    coefficients,
    spread,
    residuals: {
      all: ascending(errors),
      own: new Map([...own].map(([platform, some]) => [platform, ascending(some.map(({ error }) => error))])),
    },
    reach: new Map(
      [...ofPlatform].map(([platform, some]) => {
        const sizes = some.map(({ followers }) => followers);
        return [platform, [Math.min(...sizes), Math.max(...sizes)] as const];
      }),
    ),
  };
};

/** Comparables of a platform from which on the errors of these alone make the bounds. */
const OWN_ERRORS = 100;

/**
 * What an account would be sold or offered for, in micro-dollars, with the bounds between which `VALUE_LEVEL` of such
 * prices are. Null with fewer than ten comparables of its platform: other platforms say nothing of its level.
 */
export const valueAccount = (law: PriceLaw, account: PricedAccount): Value | null => {
  if ((law.counts.get(account.platform) ?? 0) < MIN_COMPARABLES) return null;
  const { middles, coefficients, spread, residuals } = law;
  const row = designOf(account, middles);
  const own = residuals.own.get(account.platform) ?? [];
  const errors = own.length >= OWN_ERRORS ? own : residuals.all;
  const error = Math.sqrt(1 + formOf(row, spread));
  const quantile = (chance: number) => error * predictionQuantile(errors, chance);
  const tail = (1 - VALUE_LEVEL) / 2;
  const centre = dot(row, coefficients) + Math.log(account.followers);
  const coefficient = (at: number) => coefficients[at] as number;
  const size = row[1] as number;
  const [least, most] = law.reach.get(account.platform) ?? [0, 0];
  const effects: Readonly<Record<PriceFactor['factor'], number | null>> = {
    followers: size * (1 + coefficient(1)),
    platform: coefficient(PLATFORM_AT + NUMBERS[account.platform]),
    age: account.ageYears === null ? null : (row[2] as number) * coefficient(2),
    engagement: lnRateOf(account) === null ? null : (row[3] as number) * coefficient(3),
  };
  const low = Math.exp(centre + Math.min(0, quantile(tail)));
  const high = Math.exp(centre + Math.max(0, quantile(1 - tail)));
  // Sales that contradict each other put an account so far from them that no number says its price.
  if (!(low > 0 && Number.isFinite(high))) return null;
  return {
    low,
    mid: Math.exp(centre),
    high,
    typical: Math.exp(coefficient(0) + middles.lnFollowers),
    factors: FACTORS.map((factor) => {
      const effect = effects[factor];
      return { factor, multiple: effect === null ? null : Math.exp(effect) };
    }),
    isBeyond: account.followers < least || account.followers > most,
  };
};
