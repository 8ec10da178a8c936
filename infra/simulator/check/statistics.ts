import { quantileSorted } from 'simple-statistics';

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;

export const variance = (values: readonly number[]): number => {
  const middle = mean(values);
  return sum(values.map((value) => (value - middle) ** 2)) / Math.max(1, values.length - 1);
};
export const deviation = (values: readonly number[]): number => Math.sqrt(variance(values));

/** Sample quantile by linear interpolation; NaN of none. */
export const quantile = (values: readonly number[], q: number): number =>
  values.length === 0 ? NaN : quantileSorted(Float64Array.from(values).sort() as unknown as number[], q);
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Standard error of a median: 1.25 deviations by the root of n, with the deviation from the quartiles. */
export const medianError = (values: readonly number[]): number =>
  (1.2533 * (quantile(values, 0.75) - quantile(values, 0.25))) / 1.349 / Math.sqrt(values.length);

/** Standard error of a share. */
export const shareError = (share: number, n: number): number =>
  Math.sqrt(Math.max(share * (1 - share), 1 / n) / Math.max(1, n));

export const kurtosis = (values: readonly number[]): number => {
  const middle = mean(values);
  const second = mean(values.map((value) => (value - middle) ** 2));
  return mean(values.map((value) => (value - middle) ** 4)) / second ** 2;
};

/** Values without the mean of their group. */
export const centred = (values: readonly number[], groups: readonly (string | number)[]): number[] => {
  const sums = new Map<string | number, { sum: number; n: number }>();
  values.forEach((value, n) => {
    const group = groups[n] as string | number;
    const known = sums.get(group) ?? { sum: 0, n: 0 };
    known.sum += value;
    known.n++;
    sums.set(group, known);
  });
  return values.map((value, n) => {
    const known = sums.get(groups[n] as string | number) as { sum: number; n: number };
    return value - known.sum / known.n;
  });
};

export interface Line {
  readonly slope: number;
  /** Robust to unequal variances (White 1980). */
  readonly error: number;
  readonly residuals: readonly number[];
}

/** Least squares of y on x with an intercept for each group. */
export const regression = (
  x: readonly number[],
  y: readonly number[],
  groups: readonly (string | number)[] = x.map(() => 0),
): Line => {
  const [dx, dy] = [centred(x, groups), centred(y, groups)];
  const square = sum(dx.map((value) => value ** 2));
  const slope = sum(dx.map((value, n) => value * (dy[n] as number))) / square;
  const residuals = dy.map((value, n) => value - slope * (dx[n] as number));
  const error = Math.sqrt(sum(residuals.map((value, n) => (value * (dx[n] as number)) ** 2))) / square;
  return { slope, error, residuals };
};

/** Area under the ROC curve of a score for two classes: the probability that a positive has the higher one. */
export const area = (positives: readonly number[], negatives: readonly number[]): number => {
  const all = [
    ...positives.map((score) => ({ score, positive: true })),
    ...negatives.map((score) => ({ score, positive: false })),
  ].sort((a, b) => a.score - b.score);
  let ranks = 0;
  for (let n = 0; n < all.length; ) {
    let end = n;
    while (end < all.length && all[end]?.score === all[n]?.score) end++;
    const rank = (n + 1 + end) / 2;
    for (; n < end; n++) if (all[n]?.positive) ranks += rank;
  }
  const [p, q] = [positives.length, negatives.length];
  return (ranks - (p * (p + 1)) / 2) / (p * q);
};

/** Burstiness of intervals, unbiased in their number (Kim and Jo 2016). */
export const burstiness = (intervals: readonly number[]): number => {
  const n = intervals.length;
  const ratio = Math.sqrt(variance(intervals)) / mean(intervals);
  return (Math.sqrt(n + 1) * ratio - Math.sqrt(n - 1)) / ((Math.sqrt(n + 1) - 2) * ratio + Math.sqrt(n - 1));
};

/** Exponent of a power law between two bounds, by maximum likelihood. */
export const paretoExponent = (values: readonly number[], low: number, high: number) => {
  const logs = values.filter((value) => value >= low && value < high).map((value) => Math.log(value / low));
  const n = logs.length;
  const observed = sum(logs) / n;
  const width = Math.log(high / low);
  const expected = (a: number) => 1 / a - width / (Math.exp(a * width) - 1);
  let [from, to] = [0.01, 10];
  for (let step = 0; step < 60; step++) {
    const middle = (from + to) / 2;
    if (expected(middle) > observed) from = middle;
    else to = middle;
  }
  return { exponent: from, n };
};

/** Shannon entropy of counts, in bits. */
export const entropy = (counts: readonly number[]): number => {
  const whole = sum(counts);
  return -sum(counts.filter((n) => n > 0).map((n) => (n / whole) * Math.log2(n / whole)));
};
