import { PART_NAMES, type Parts } from '../../../src/write/people/impersonation/parts.ts';

/** Suspects that show the same: how many of them are impersonators, and how many are not. */
export interface Pattern {
  readonly values: readonly number[];
  readonly right: number;
  readonly wrong: number;
}

const valuesOf = (parts: Parts): readonly number[] => PART_NAMES.map((name) => parts[name] ?? 0);

/** Counts of what suspects show: there are fewer patterns than suspects by far. */
export const patternsOf = (
  examples: readonly { readonly parts: Parts; readonly is: boolean }[],
): readonly Pattern[] => {
  const found = new Map<string, { values: readonly number[]; right: number; wrong: number }>();
  for (const { parts, is } of examples) {
    const values = valuesOf(parts);
    const pattern = found.getOrInsertComputed(values.join(), () => ({ values, right: 0, wrong: 0 }));
    if (is) pattern.right += 1;
    else pattern.wrong += 1;
  }
  return [...found.values()];
};

/** Numbers of weights, each with its factor. */
type Terms = readonly (readonly [number, number])[];

/** Terms of a pattern: one, its parts, and the products of two of them, where they are not 0. */
const termsOf = (values: readonly number[], hasProducts: boolean): Terms => {
  const n = values.length;
  const terms: [number, number][] = [[0, 1]];
  values.forEach((value, i) => {
    if (value !== 0) terms.push([i + 1, value]);
  });
  if (!hasProducts) return terms;
  let at = n + 1;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++, at++) {
      const value = (values[i] as number) * (values[j] as number);
      if (value !== 0) terms.push([at, value]);
    }
  return terms;
};

/** Solves a symmetric positive definite system in the memory of its matrix (Cholesky). */
const solve = (matrix: readonly Float64Array[], right: Float64Array): Float64Array => {
  const n = right.length;
  for (let i = 0; i < n; i++) {
    const row = matrix[i] as Float64Array;
    for (let j = 0; j <= i; j++) {
      const other = matrix[j] as Float64Array;
      let sum = row[j] as number;
      for (let k = 0; k < j; k++) sum -= (row[k] as number) * (other[k] as number);
      row[j] = i === j ? Math.sqrt(sum) : sum / (other[j] as number);
    }
  }
  const found = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    const row = matrix[i] as Float64Array;
    for (let k = 0; k < i; k++) found[i] = (found[i] as number) - (row[k] as number) * (found[k] as number);
    found[i] = (found[i] as number) / (row[i] as number);
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++)
      found[i] = (found[i] as number) - ((matrix[k] as Float64Array)[i] as number) * (found[k] as number);
    found[i] = (found[i] as number) / ((matrix[i] as Float64Array)[i] as number);
  }
  return found;
};

const STEPS = 25;
const CLOSE = 1e-3;
/** No step is shorter than this part of Newton's. */
const LEAST_SHARE = 2 ** -20;

/** A sum of weights over what a suspect shows: the log odds that it is an impersonator. */
export interface Fitted {
  /** That of no part, then of each part, in their order. */
  readonly weights: readonly number[];
  logOdds(parts: Parts): number;
}

const sumOf = (terms: Terms, weights: Float64Array): number =>
  terms.reduce((sum, [i, value]) => sum + (weights[i] as number) * value, 0);

/** ln(1 + exp(x)), without overflow. */
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/**
 * Logistic regression by Newton's method. A step that makes the weights less probable is halved: far from the maximum the
 * method would swing about it.
 * @param ridge 1 / variance of a weight's normal prior; the weight of no part has none.
 * @param expected means of the priors, of no part and of each part, with which the search begins: 0 if there are none.
 * @param hasProducts whether products of two parts have weights too, whose priors have the mean 0.
 */
export const estimate = (
  patterns: readonly Pattern[],
  ridge: number,
  {
    expected = [],
    hasProducts = false,
  }: { readonly expected?: readonly number[]; readonly hasProducts?: boolean } = {},
): Fitted => {
  const n = PART_NAMES.length;
  const size = 1 + n + (hasProducts ? (n * (n - 1)) / 2 : 0);
  const rows = patterns.map((pattern) => ({ ...pattern, terms: termsOf(pattern.values, hasProducts) }));
  const means = Float64Array.from({ length: size }, (_, i) => expected[i] ?? 0);
  const precisions = means.map((_, i) => (i === 0 ? 0 : ridge));
  /** Logarithm of the posterior density, but for a constant. */
  const densityOf = (weights: Float64Array): number => {
    let sum = 0;
    for (const { terms, right, wrong } of rows) {
      const odds = sumOf(terms, weights);
      sum -= right * softplus(-odds) + wrong * softplus(odds);
    }
    for (let i = 0; i < size; i++)
      sum -= ((precisions[i] as number) * ((weights[i] as number) - (means[i] as number)) ** 2) / 2;
    return sum;
  };
  let weights = means;
  let density = densityOf(weights);
  for (let step = 0; step < STEPS; step++) {
    const hessian = Array.from(precisions, (precision, i) => {
      const row = new Float64Array(size);
      row[i] = Math.max(1e-6, precision);
      return row;
    });
    const gradient = weights.map((weight, i) => (precisions[i] as number) * ((means[i] as number) - weight));
    for (const { terms, right, wrong } of rows) {
      const p = 1 / (1 + Math.exp(-sumOf(terms, weights)));
      const [slope, curve] = [right - (right + wrong) * p, (right + wrong) * p * (1 - p)];
      for (const [i, value] of terms) {
        gradient[i] = (gradient[i] as number) + slope * value;
        const row = hessian[i] as Float64Array;
        for (const [j, other] of terms) row[j] = (row[j] as number) + curve * value * other;
      }
    }
    const change = solve(hessian, gradient);
    const from = weights;
    const moved = (share: number) => from.map((weight, i) => weight + share * (change[i] as number));
    weights = moved(1);
    if (change.every((by) => Math.abs(by) < CLOSE)) break;
    for (let share = 1; densityOf(weights) < density && share > LEAST_SHARE; share /= 2)
      weights = moved(share / 2);
    density = densityOf(weights);
  }
  const found = weights;
  return { weights: [...found], logOdds: (parts) => sumOf(termsOf(valuesOf(parts), hasProducts), found) };
};
