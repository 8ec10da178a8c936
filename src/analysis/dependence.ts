/**
 * Dependence of successive posts. Engagement has hot streaks (Garimella and West, "Hot streaks on social media",
 * ICWSM 2019), so n posts say less of a median than n independent ones: their signs about the median agree more often
 * than not, and the variance of a sample quantile is larger by 1 + 2 Σ (1 − k/n) r_k, with r_k the mean product of the
 * signs of posts k apart (Sen, "On the Bahadur representation of sample quantiles for sequences of φ-mixing random
 * variables", 1972). For a normal process r = (2/π) asin ρ (Sheppard 1899).
 */

/** Sums over pairs of posts of one account, or of many accounts: they add up. */
export interface Agreement {
  /** Pairs of successive posts, and the sum of the products of their signs. */
  readonly pairs: number;
  readonly agreeing: number;
  /** The same two posts apart. */
  readonly pairs2: number;
  readonly agreeing2: number;
  /** Σ pairs / n: signs about the sample's own median disagree by so much for each unit of variance. */
  readonly correction: number;
  readonly correction2: number;
}

/** How products of signs fall with distance. */
export interface Persistence {
  /** Mean product of the signs of successive posts. */
  readonly sign: number;
  /** Correlation two posts apart by that of successive ones. */
  readonly decay: number;
}

export const NO_AGREEMENT: Agreement = {
  pairs: 0,
  agreeing: 0,
  pairs2: 0,
  agreeing2: 0,
  correction: 0,
  correction2: 0,
};

/** Mean product of signs before anything is known of a catalog: a correlation of a quarter, for caution. */
const PRIOR_SIGN = 0.16;
/** Pairs that the prior counts as beside a catalog's. */
const PRIOR_PAIRS = 100;
/** Pairs that a catalog counts as beside an account's own: accounts differ by about a tenth in the mean product. */
const CATALOG_PAIRS = 100;
/** Fewer pairs of a catalog do not show how the correlation falls with distance. */
const DECAY_PAIRS = 3_000;
const [MOST_SIGN, MOST_DECAY] = [0.75, 0.9];
/** Terms of the sum; the rest is below a hundredth. */
const TERMS = 40;

/** Agreement of the signs of an account's values in order of time. */
export const agreementOf = (values: readonly number[], median: number): Agreement => {
  const n = values.length;
  let [pairs, agreeing, pairs2, agreeing2] = [0, 0, 0, 0];
  let [before, last] = [0, 0];
  for (const value of values) {
    const sign = Math.sign(value - median);
    if (sign !== 0 && last !== 0) {
      pairs += 1;
      agreeing += sign * last;
    }
    if (sign !== 0 && before !== 0) {
      pairs2 += 1;
      agreeing2 += sign * before;
    }
    [before, last] = [last, sign];
  }
  return { pairs, agreeing, pairs2, agreeing2, correction: pairs / n, correction2: pairs2 / n };
};

export const addAgreement = (a: Agreement, b: Agreement): Agreement => ({
  pairs: a.pairs + b.pairs,
  agreeing: a.agreeing + b.agreeing,
  pairs2: a.pairs2 + b.pairs2,
  agreeing2: a.agreeing2 + b.agreeing2,
  correction: a.correction + b.correction,
  correction2: a.correction2 + b.correction2,
});

const toCorrelation = (sign: number): number => Math.sin((Math.PI / 2) * sign);
const toSign = (correlation: number): number => (2 / Math.PI) * Math.asin(correlation);

/** Variance of a sample quantile by that of one of `n` independent values; at least 1. */
export const inflationOf = (n: number, { sign, decay }: Persistence): number => {
  if (sign <= 0) return 1;
  let sum = 0;
  let correlation = toCorrelation(sign);
  for (let k = 1; k < Math.min(n, TERMS); k++) {
    sum += (1 - k / n) * toSign(correlation);
    correlation *= decay;
  }
  return 1 + 2 * sum;
};

/** Persistence of a first-order autoregression. */
const autoregression = (sign: number): Persistence => {
  const bounded = Math.min(MOST_SIGN, Math.max(0, sign));
  return { sign: bounded, decay: Math.min(MOST_DECAY, toCorrelation(bounded)) };
};

const boundedMean = (agreeing: number, pairs: number): number => Math.min(MOST_SIGN, agreeing / pairs);

/** Persistence in a catalog, by the sums over its accounts. */
export const catalogPersistence = (catalog: Agreement): Persistence => {
  const pairs = PRIOR_PAIRS + catalog.pairs;
  const base = PRIOR_PAIRS * PRIOR_SIGN + catalog.agreeing;
  let persistence = autoregression(base / pairs);
  // The bias of the products depends on the persistence that is sought.
  for (let n = 0; n < 6; n++)
    persistence = autoregression(
      boundedMean(base + catalog.correction * inflationOf(TERMS, persistence), pairs),
    );
  if (catalog.pairs2 < DECAY_PAIRS || persistence.sign < 0.03) return persistence;
  const second = (catalog.agreeing2 + catalog.correction2 * inflationOf(TERMS, persistence)) / catalog.pairs2;
  const decay = toCorrelation(Math.min(MOST_SIGN, Math.max(0, second))) / toCorrelation(persistence.sign);
  return { sign: persistence.sign, decay: Math.min(MOST_DECAY, decay) };
};

/** Persistence of an account: its own pairs beside those of the catalog. */
export const persistenceOf = (own: Agreement, catalog: Persistence): Persistence => {
  const corrected = own.agreeing + own.correction * inflationOf(TERMS, catalog);
  const sign = (CATALOG_PAIRS * catalog.sign + corrected) / (CATALOG_PAIRS + own.pairs);
  const bounded = Math.min(MOST_SIGN, Math.max(0, sign));
  return {
    sign: bounded,
    decay: Math.max(catalog.decay, Math.min(MOST_DECAY, catalog.decay + bounded - catalog.sign)),
  };
};
