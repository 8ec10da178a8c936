import { LuDecomposition, Matrix } from 'ml-matrix';

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

/** Xᵀ X and Xᵀ y. Rows of a design have many zeros, which a product of matrices would not pass over. */
export const productsOf = (rows: readonly (readonly number[])[], y: readonly number[]) => {
  const p = rows[0]?.length ?? 0;
  const gram = Array.from({ length: p }, () => new Array<number>(p).fill(0));
  const moment = new Array<number>(p).fill(0);
  rows.forEach((row, t) => {
    for (let i = 0; i < p; i++) {
      const value = row[i] as number;
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
