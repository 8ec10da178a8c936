import { LuDecomposition, Matrix } from 'ml-matrix';
import { medianSorted } from 'simple-statistics';
import { NORMAL_MAD } from './sample.ts';

/** A fitted linear model. */
export interface Fit {
  readonly coefficients: readonly number[];
  /** Covariance of the coefficients. */
  readonly covariance: readonly (readonly number[])[];
  /** Degrees of freedom of the errors, and their variance. */
  readonly df: number;
  readonly variance: number;
}

export const dot = (a: readonly number[], b: readonly number[]): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};

/** xᵀ A x. */
export const formOf = (x: readonly number[], matrix: readonly (readonly number[])[]): number => {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const value = x[i] as number;
    if (value !== 0) sum += value * dot(x, matrix[i] as readonly number[]);
  }
  return sum;
};

/** Null for a matrix that is singular to within rounding. */
export const inverse = (matrix: readonly (readonly number[])[]): number[][] | null => {
  if (matrix.length === 0) return [];
  const parts = new LuDecomposition(matrix);
  const least = 1e-9 * Math.max(...matrix.flat().map(Math.abs));
  if (parts.upperTriangularMatrix.diagonal().some((pivot) => Math.abs(pivot) <= least)) return null;
  return parts.solve(Matrix.eye(matrix.length)).to2DArray();
};

/** Xᵀ W X and Xᵀ W y. Rows of a design have many zeros, which a product of matrices would not pass over. */
const productsOf = (
  rows: readonly (readonly number[])[],
  y: readonly number[],
  weights?: readonly number[],
) => {
  const p = rows[0]?.length ?? 0;
  const gram = Array.from({ length: p }, () => new Array<number>(p).fill(0));
  const moment = new Array<number>(p).fill(0);
  rows.forEach((row, t) => {
    for (let i = 0; i < p; i++) {
      const value = (row[i] as number) * (weights?.[t] ?? 1);
      if (value === 0) continue;
      moment[i] = (moment[i] as number) + value * (y[t] as number);
      const sums = gram[i] as number[];
      for (let j = 0; j < p; j++) sums[j] = (sums[j] as number) + value * (row[j] as number);
    }
  });
  return { gram, moment };
};

/** Ordinary least squares; null if columns depend on each other. */
export const leastSquares = (y: readonly number[], rows: readonly (readonly number[])[]): Fit | null => {
  const { gram, moment } = productsOf(rows, y);
  const unscaled = inverse(gram);
  if (unscaled === null) return null;
  const coefficients = unscaled.map((row) => dot(row, moment));
  const df = y.length - moment.length;
  const errors = y.reduce(
    (sum, value, t) => sum + (value - dot(rows[t] as readonly number[], coefficients)) ** 2,
    0,
  );
  const variance = errors / df;
  return {
    coefficients,
    covariance: unscaled.map((row) => row.map((value) => value * variance)),
    df,
    variance,
  };
};

/** Correlation of successive errors of the catalog counts as so many posts beside the account's own. */
const CATALOG_POSTS = 100;
const MOST_CORRELATION = 0.85;

/**
 * Least squares after the transformation of Prais and Winsten (1954). The correlation of successive errors is that of
 * the residuals of ordinary least squares, less their bias (Marriott and Pope 1954), shrunk towards the catalog's.
 * @param y in order of time.
 * @param rows of the design, with a column of ones.
 * @param correlation of successive errors in the catalog.
 * @returns null if columns depend on each other, or fewer than 8 degrees of freedom are left.
 */
export const autoregressiveFit = (
  y: readonly number[],
  rows: readonly (readonly number[])[],
  correlation: number,
): Fit | null => {
  const n = y.length;
  const p = rows[0]?.length ?? 0;
  if (n - p < 8) return null;
  const plain = leastSquares(y, rows);
  if (plain === null) return null;
  const errors = y.map((value, t) => value - dot(rows[t] as readonly number[], plain.coefficients));
  let [product, square] = [0, 0];
  for (let t = 0; t < n; t++) {
    square += (errors[t] as number) ** 2;
    if (t > 0) product += (errors[t] as number) * (errors[t - 1] as number);
  }
  const own = square === 0 ? 0 : product / square + (p + 3 * correlation) / n;
  const phi = Math.min(
    MOST_CORRELATION,
    Math.max(0, (CATALOG_POSTS * correlation + n * own) / (CATALOG_POSTS + n)),
  );
  const first = Math.sqrt(1 - phi * phi);
  return leastSquares(
    y.map((value, t) => (t === 0 ? first * value : value - phi * (y[t - 1] as number))),
    rows.map((row, t) =>
      t === 0
        ? row.map((value) => first * value)
        : row.map((value, i) => value - phi * (rows[t - 1]?.[i] as number)),
    ),
  );
};

/** Deviations up to which an error counts in full, up to which it counts as one of that size, and from which on not at all. */
const [PLAIN, FLAT, REJECTED] = [0.5, 1.25, 3.5] as const;

/** Hampel's ψ in three parts, and its derivative, of an error in deviations. */
const influenceOf = (error: number, isRedescending: boolean): readonly [value: number, slope: number] => {
  const size = Math.abs(error);
  const sign = Math.sign(error);
  if (size <= PLAIN) return [error, 1];
  if (!isRedescending || size <= FLAT) return [sign * PLAIN, 0];
  if (size >= REJECTED) return [0, 0];
  const slope = PLAIN / (REJECTED - FLAT);
  return [sign * slope * (REJECTED - size), -slope];
};

/** Rounds of reweighting: with an influence that only grows, whose solution is the only one, and from there with Hampel's. */
const [GROWING, REDESCENDING] = [20, 10] as const;
const LEAST_DEVIATION = 0.1;

export interface RobustFit {
  readonly coefficients: readonly number[];
  /** Covariance of the coefficients by the variance of the errors. */
  readonly spread: readonly (readonly number[])[];
  readonly errors: readonly number[];
  /** How much each row counts, by how much it would alone. */
  readonly weights: readonly number[];
}

/**
 * A regression with normal priors around zero, of which a minority of wrong rows move little: the M-estimator of
 * Hampel's ψ (Hampel, Ronchetti, Rousseeuw and Stahel, "Robust statistics", 1986, 2.6 and 6.3) by reweighting, with
 * the median absolute error as its scale, and less weight for rows far from the others (Mallows 1975).
 * @param penalties precisions of the priors.
 * @param leverage weights of the rows by their place among the others, 0 to 1.
 * @returns null if columns depend on each other.
 */
export const robustFit = (
  rows: readonly (readonly number[])[],
  y: readonly number[],
  penalties: readonly number[],
  leverage: readonly number[],
): RobustFit | null => {
  let weights: readonly number[] = leverage;
  let errors: readonly number[] = y;
  let coefficients: readonly number[] = [];
  let spread: readonly (readonly number[])[] = [];
  // Of the prior beside the rows: the variance of an estimate from one of them.
  let variance = 1;
  for (let round = 0; round < GROWING + REDESCENDING; round++) {
    const { gram, moment } = productsOf(rows, y, weights);
    const inverted = inverse(
      gram.map((row, i) =>
        row.map((value, j) => value + (i === j ? variance * (penalties[i] as number) + 1e-9 : 0)),
      ),
    );
    if (inverted === null) return null;
    coefficients = inverted.map((row) => dot(row, moment));
    errors = rows.map((row, t) => (y[t] as number) - dot(row, coefficients));
    const sizes = errors.map(Math.abs).sort((a, b) => a - b);
    const deviation = Math.max(LEAST_DEVIATION, medianSorted(sizes) / NORMAL_MAD);
    const found = errors.map((error) => influenceOf(error / deviation, round >= GROWING));
    let [square, slope, weight] = [0, 0, 0];
    weights = errors.map((error, t) => {
      const [value, own] = found[t] as readonly [number, number];
      square += value ** 2;
      slope += own;
      const counted = error === 0 ? 1 : (value * deviation) / error;
      weight += counted;
      return counted * (leverage[t] as number);
    });
    const relative = (square * weight) / Math.max(1, slope) ** 2;
    variance = Math.max(LEAST_DEVIATION ** 2, deviation ** 2 * relative);
    spread = inverted.map((row) => row.map((value) => value * relative));
  }
  return { coefficients, spread, errors, weights };
};

/** A linear combination of the coefficients with its standard error. */
export const contrastOf = (fit: Fit, weights: readonly number[]): { value: number; error: number } => ({
  value: dot(weights, fit.coefficients),
  error: Math.sqrt(Math.max(0, formOf(weights, fit.covariance))),
});

/** F statistic of the hypothesis that the coefficients of these columns are all zero; null if it can't be tested. */
export const jointF = (fit: Fit, columns: readonly number[]): number | null => {
  if (columns.length === 0) return null;
  const part = inverse(columns.map((i) => columns.map((j) => fit.covariance[i]?.[j] as number)));
  if (part === null) return null;
  const coefficients = columns.map((i) => fit.coefficients[i] as number);
  return formOf(coefficients, part) / columns.length;
};
