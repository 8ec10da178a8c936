import { inverse } from '../regression.ts';

export const linear = (weights: readonly number[], row: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (row[i] as number), 0);

/** Penalty on squared weights, but for the first: it keeps weights finite where traits separate the classes. */
const RIDGE = 1;
const MOST_ROUNDS = 30;

/**
 * Weights of a logistic regression with a ridge penalty, by iteratively reweighted least squares (le Cessie and
 * van Houwelingen 1992).
 * @param rows of the design, with a column of ones first.
 * @returns a weight a column: log-odds of `is` a unit of it.
 */
export const logisticWeights = (
  rows: readonly (readonly number[])[],
  is: readonly boolean[],
): readonly number[] => {
  const p = rows[0]?.length ?? 0;
  let weights = new Array<number>(p).fill(0);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -RIDGE * weight));
    const information = weights.map((_, i) => weights.map((__, j) => (i === j && i > 0 ? RIDGE : 0)));
    rows.forEach((row, n) => {
      const chance = 1 / (1 + Math.exp(-linear(weights, row)));
      const error = (is[n] === true ? 1 : 0) - chance;
      const spread = Math.max(1e-6, chance * (1 - chance));
      for (let i = 0; i < p; i++) {
        const value = row[i] as number;
        gradient[i] = (gradient[i] as number) + value * error;
        const sums = information[i] as number[];
        for (let j = 0; j < p; j++) sums[j] = (sums[j] as number) + spread * value * (row[j] as number);
      }
    });
    const covariance = inverse(information);
    if (covariance === null) return weights;
    const steps = covariance.map((row) => linear(row, gradient));
    weights = weights.map((weight, i) => weight + (steps[i] as number));
    if (steps.every((step) => Math.abs(step) < 1e-8)) return weights;
  }
  return weights;
};

/** Where a score separates two classes best: the largest sum of sensitivity and specificity (Youden 1950). */
export const youdenThreshold = (scores: readonly number[], is: readonly boolean[]): number => {
  const order = scores
    .map((score, n) => ({ score, is: is[n] === true }))
    .toSorted((a, b) => b.score - a.score);
  const positives = order.filter((one) => one.is).length;
  const negatives = order.length - positives;
  let [hits, alarms, best, threshold] = [0, 0, -1, 0];
  order.forEach((one, n) => {
    if (one.is) hits += 1;
    else alarms += 1;
    const next = order[n + 1]?.score ?? one.score - 1;
    const gain = hits / positives - alarms / negatives;
    if (next < one.score && gain > best) [best, threshold] = [gain, (one.score + next) / 2];
  });
  return threshold;
};
