import { CholeskyDecomposition, Matrix } from 'ml-matrix';

/** A row of a design: its columns that are not 0. */
export type Terms = readonly { readonly column: number; readonly value: number }[];

export const termsOf = (row: readonly number[]): Terms =>
  row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }]));

export const sumOf = (terms: Terms, weights: readonly number[]): number =>
  terms.reduce((sum, { column, value }) => sum + (weights[column] as number) * value, 0);

/** How often what is asked was so, and was not, with the same row of the design. */
export interface Trials {
  readonly terms: Terms;
  readonly hits: number;
  readonly misses: number;
}

/** The normal prior of a weight; a precision of 0 is that of none. */
export interface Prior {
  readonly mean: number;
  /** 1 / variance. */
  readonly precision: number;
}

/** ln(1 + exp(x)), without overflow. */
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** Logarithm of the posterior density of weights, but for a constant. */
const densityOf = (
  trials: readonly Trials[],
  priors: readonly Prior[],
  weights: readonly number[],
): number => {
  let density = 0;
  for (const { terms, hits, misses } of trials) {
    const odds = sumOf(terms, weights);
    density += hits * odds - (hits + misses) * softplus(odds);
  }
  priors.forEach(({ mean, precision }, i) => {
    density -= (precision * ((weights[i] as number) - mean) ** 2) / 2;
  });
  return density;
};

/** Keeps the matrix regular where a weight has no prior and the classes are separated. */
const LEAST_PRECISION = 1e-6;

/** Newton's step from weights. */
const stepFrom = (
  trials: readonly Trials[],
  priors: readonly Prior[],
  weights: readonly number[],
): readonly number[] => {
  const information = priors.map(({ precision }, i) => {
    const row = new Float64Array(priors.length);
    row[i] = Math.max(LEAST_PRECISION, precision);
    return row;
  });
  const gradient = priors.map(({ mean, precision }, i) => precision * (mean - (weights[i] as number)));
  for (const { terms, hits, misses } of trials) {
    const p = 1 / (1 + Math.exp(-sumOf(terms, weights)));
    const [slope, curve] = [hits - (hits + misses) * p, (hits + misses) * p * (1 - p)];
    for (const { column, value } of terms) {
      gradient[column] = (gradient[column] as number) + slope * value;
      const row = information[column] as Float64Array;
      for (const other of terms)
        row[other.column] = (row[other.column] as number) + curve * (value * other.value);
    }
  }
  return new CholeskyDecomposition(information).solve(Matrix.columnVector(gradient)).to1DArray();
};

const [MOST_STEPS, CLOSE] = [30, 1e-6];
/** No step is shorter than this part of Newton's. */
const LEAST_SHARE = 2 ** -20;

/**
 * Weights of a logistic regression with normal priors (le Cessie and van Houwelingen 1992), by Newton's method. A step that makes the
 * weights less probable is halved: far from the maximum the method would swing about it. Priors keep weights finite where the columns
 * separate the classes.
 * @returns a weight a prior: the log-odds a unit of its column.
 */
export const logisticWeights = (trials: readonly Trials[], priors: readonly Prior[]): readonly number[] => {
  let weights: readonly number[] = priors.map(({ mean }) => mean);
  let density = densityOf(trials, priors, weights);
  for (let n = 0; n < MOST_STEPS; n++) {
    const from = weights;
    const step = stepFrom(trials, priors, from);
    const moved = (share: number) => from.map((weight, i) => weight + share * (step[i] as number));
    weights = moved(1);
    if (step.every((by) => Math.abs(by) < CLOSE)) break;
    const before = density;
    density = densityOf(trials, priors, weights);
    for (let share = 0.5; density < before && share > LEAST_SHARE; share /= 2) {
      weights = moved(share);
      density = densityOf(trials, priors, weights);
    }
  }
  return weights;
};
