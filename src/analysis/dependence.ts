import { normalQuantile, normalTail, studentTail } from '../kernel/distributions.ts';

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

/** How strongly the posts of an account may depend on one another, and how probable that is. */
interface Strength {
  readonly weight: number;
  /** Correlation of posts k apart: `share` · `decay`^k. The rest of what varies is each post's own. */
  readonly share: number;
  readonly decay: number;
  /** Variance of a sample quantile by that of one of as many independent values. */
  readonly inflation: number;
  /** Degrees of freedom of what is known of the variance. */
  readonly df: number;
}

/** Strengths that an account may have of its own: streaks as short as the catalog's, campaigns, kinds of posts in blocks. */
const OWN = [0.4, 0.7, 1].flatMap((share) => [0.3, 0.5, 0.7, 0.85, 0.95].map((decay) => ({ share, decay })));
/** Probability, before its posts are seen, that an account's posts depend on one another as the catalog's do. */
const USUAL = 0.6;
/** The more of its posts a strength would cost an account, the rarer it is taken to be. */
const RARITY = OWN.map(({ share, decay }) => 1 + (2 * share * decay) / (1 - decay));
const TOTAL_RARITY = RARITY.reduce((sum, one) => sum + 1 / one, 0);

/** Fewer posts seldom show a strength of their own, so that the catalog decides. */
export const MIN_TELLING = 40;

/** ln of the probabilities of the catalog's strength and of own ones, before n posts are seen. */
const priorsOf = (n: number): readonly number[] => {
  const own = (1 - USUAL) * Math.min(1, n / MIN_TELLING);
  return [Math.log(1 - own), ...RARITY.map((one) => Math.log(own / (one * TOTAL_RARITY)))];
};

/** Share of a value that no law of neighbours predicts, for computing alone. */
const NUGGET = 1e-6;

/** Expected values of the order statistics of normal values, by rank (Blom 1958); equal values have equal ones. */
const normalScores = (values: readonly number[]): Float64Array => {
  const n = values.length;
  const order = values.map((_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number));
  const scores = new Float64Array(n);
  for (let from = 0; from < n; ) {
    let to = from + 1;
    while (to < n && values[order[to] as number] === values[order[from] as number]) to += 1;
    const score = normalQuantile(((from + to + 1) / 2 - 0.375) / (n + 0.25));
    for (const at of order.slice(from, to)) scores[at] = score;
    from = to;
  }
  return scores;
};

/**
 * The restricted logarithmic likelihood of a strength (Patterson and Thompson 1971), whose mean and variance are unknown, by
 * the filter of Kalman (1960) over a first-order autoregression that is seen with noise.
 */
const likelihoodOf = (scores: Float64Array, { share, decay }: Pick<Strength, 'share' | 'decay'>): number => {
  const noise = 1 - share + NUGGET;
  const step = share * (1 - decay ** 2);
  // What is expected of the next score, and of a constant in its place.
  let [expected, level, variance] = [0, 0, share];
  let [logs, scoreScore, scoreOne, oneOne] = [0, 0, 0, 0];
  for (const score of scores) {
    const total = variance + noise;
    const [off, offOne] = [score - expected, 1 - level];
    logs += Math.log(total);
    scoreScore += off ** 2 / total;
    scoreOne += (off * offOne) / total;
    oneOne += offOne ** 2 / total;
    const gain = variance / total;
    expected = decay * (expected + gain * off);
    level = decay * (level + gain * offOne);
    variance = decay ** 2 * variance * (1 - gain) + step;
  }
  const squares = scoreScore - scoreOne ** 2 / oneOne;
  return -((scores.length - 1) * Math.log(squares) + logs + Math.log(oneOne)) / 2;
};

/** 1 + 2 Σ (1 − k/n) ρ_k: that of a mean, which is more than a median's where values are normal, and not where they are of two kinds. */
const meanInflation = (n: number, { share, decay }: Pick<Strength, 'share' | 'decay'>): number =>
  1 + 2 * share * (decay / (1 - decay) - (decay * (1 - decay ** n)) / (n * (1 - decay) ** 2));

/** That of the mean of squares, which depend on one another by the square of their correlation. */
export const squareInflation = ({ share, decay }: Pick<Strength, 'share' | 'decay'>): number =>
  1 + (2 * (share * decay) ** 2) / (1 - decay ** 2);

/**
 * How strongly the values of an account may depend on one another: as the catalog's, or by a strength of its own, each with its
 * probability by the account's posts. Few posts say little of it, so that the catalog decides; many say all.
 * @param values in order of time.
 */
export const strengthsOf = (values: readonly number[], catalog: Persistence): readonly Strength[] => {
  const n = values.length;
  const near = toCorrelation(catalog.sign);
  const usual = { share: Math.min(1, near / Math.max(near, catalog.decay, NUGGET)), decay: catalog.decay };
  const scores = normalScores(values);
  if (scores.every((score) => score === scores[0]))
    return [{ ...usual, weight: 1, inflation: inflationOf(n, catalog), df: Number.POSITIVE_INFINITY }];
  const priors = priorsOf(n);
  const logs = [usual, ...OWN].map((one, i) => (priors[i] as number) + likelihoodOf(scores, one));
  const most = Math.max(...logs);
  const total = logs.reduce((sum, log) => sum + Math.exp(log - most), 0);
  return [usual, ...OWN].map((one, i) => {
    // What is known of the catalog is known of many accounts; the rest is as uncertain as so many independent values leave it.
    const inflation = i === 0 ? inflationOf(n, catalog) : meanInflation(n, one);
    const df = i === 0 ? Number.POSITIVE_INFINITY : Math.max(LEAST_DF, n / squareInflation(one) - 1);
    return { ...one, weight: Math.exp((logs[i] as number) - most) / total, inflation, df };
  });
};

const LEAST_DF = 2;

/** Share of the spread of all values that a sample shows, whose values are near one another (Bayley and Hammersley 1946). */
export const shownOf = (n: number, inflation: number): number => 1 - Math.min(0.8, (inflation - 1) / (n - 1));

/** How many standard errors of independent values a 95 % interval has to reach. */
export const reachOf = (n: number, strengths: readonly Strength[]): number => {
  const beyond = (reach: number): number =>
    strengths.reduce((sum, { weight, inflation, df }) => {
      const t = reach / Math.sqrt(inflation / shownOf(n, inflation));
      return sum + 2 * weight * (df === Number.POSITIVE_INFINITY ? normalTail(t) : studentTail(t, df));
    }, 0);
  let [low, high] = [0, 1];
  while (beyond(high) > 0.05) high *= 2;
  for (let k = 0; k < 30; k++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > 0.05) low = middle;
    else high = middle;
  }
  return high;
};

/** Probability that an account's strength is its own, and not the catalog's. */
export const ownness = ([usual]: readonly Strength[]): number => 1 - (usual?.weight ?? 1);

/** The mean over an account's possible strengths. */
export const meanOver = (strengths: readonly Strength[], of: (strength: Strength) => number): number =>
  strengths.reduce((sum, strength) => sum + strength.weight * of(strength), 0);
