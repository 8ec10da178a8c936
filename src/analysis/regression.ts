/** A linear model of ln engagement whose errors are those of a first-order autoregression. */

export interface Fit {
  readonly coefficients: readonly number[];
  /** Covariance of the coefficients. */
  readonly covariance: readonly (readonly number[])[];
  /** Degrees of freedom of the errors, and their variance. */
  readonly df: number;
  readonly variance: number;
}

/** Gauss–Jordan elimination with pivots; null for a matrix that is singular to within rounding. */
export const inverse = (matrix: readonly (readonly number[])[]): number[][] | null => {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  const scale = Math.max(...matrix.flat().map(Math.abs));
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++)
      if (Math.abs(rows[r]?.[i] as number) > Math.abs(rows[pivot]?.[i] as number)) pivot = r;
    [rows[i], rows[pivot]] = [rows[pivot] as number[], rows[i] as number[]];
    const head = rows[i] as number[];
    const by = head[i] as number;
    if (Math.abs(by) <= 1e-9 * scale) return null;
    for (let c = 0; c < 2 * n; c++) head[c] = (head[c] as number) / by;
    for (let r = 0; r < n; r++) {
      const row = rows[r] as number[];
      const factor = row[i] as number;
      if (r === i || factor === 0) continue;
      for (let c = i; c < 2 * n; c++) row[c] = (row[c] as number) - factor * (head[c] as number);
    }
  }
  return rows.map((row) => row.slice(n));
};

/** Ordinary least squares; null if columns depend on each other. */
export const leastSquares = (y: readonly number[], rows: readonly (readonly number[])[]): Fit | null => {
  const p = rows[0]?.length ?? 0;
  const gram = Array.from({ length: p }, () => new Array<number>(p).fill(0));
  const moment = new Array<number>(p).fill(0);
  rows.forEach((row, t) => {
    for (let i = 0; i < p; i++) {
      const value = row[i] as number;
      if (value === 0) continue;
      moment[i] = (moment[i] as number) + value * (y[t] as number);
      const sums = gram[i] as number[];
      for (let j = i; j < p; j++) sums[j] = (sums[j] as number) + value * (row[j] as number);
    }
  });
  for (let i = 0; i < p; i++) for (let j = 0; j < i; j++) (gram[i] as number[])[j] = gram[j]?.[i] as number;
  const unscaled = inverse(gram);
  if (unscaled === null) return null;
  const coefficients = unscaled.map((row) =>
    row.reduce((sum, value, j) => sum + value * (moment[j] as number), 0),
  );
  const df = y.length - p;
  const errors = y.reduce(
    (sum, value, t) => sum + (value - predicted(rows[t] as number[], coefficients)) ** 2,
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

const predicted = (row: readonly number[], coefficients: readonly number[]): number =>
  row.reduce((sum, value, i) => sum + value * (coefficients[i] as number), 0);

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
  const errors = y.map((value, t) => value - predicted(rows[t] as number[], plain.coefficients));
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
export const contrastOf = (fit: Fit, weights: readonly number[]): { value: number; error: number } => {
  let variance = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    if (weight === 0) continue;
    for (let j = 0; j < weights.length; j++)
      variance += weight * (weights[j] as number) * (fit.covariance[i]?.[j] as number);
  }
  return { value: predicted(weights, fit.coefficients), error: Math.sqrt(Math.max(0, variance)) };
};

/** F statistic of the hypothesis that the coefficients of these columns are all zero; null if it can't be tested. */
export const jointF = (fit: Fit, columns: readonly number[]): number | null => {
  const part = inverse(columns.map((i) => columns.map((j) => fit.covariance[i]?.[j] as number)));
  if (part === null) return null;
  let sum = 0;
  columns.forEach((i, a) => {
    columns.forEach((j, b) => {
      sum += (fit.coefficients[i] as number) * (part[a]?.[b] as number) * (fit.coefficients[j] as number);
    });
  });
  return sum / columns.length;
};
