import type { Labelled, Population } from '../../infra/calibrate/people/population.ts';
import type { Candidate } from '../../src/write/people/account.ts';
import type { Clustering, Comparison } from '../../src/write/people/cluster.ts';
import type { Weights } from '../../src/write/people/log-odds.ts';
import { SIGNAL_NAMES, type SignalName, type Signals } from '../../src/write/people/signals.ts';

export interface Example {
  readonly signals: Signals;
  readonly isSame: boolean;
  readonly logOdds: number;
}

/** Of whom most accounts of a group are. */
const ownerOf = ({ byKey }: Population, group: readonly Candidate[]): number => {
  const counts = Map.groupBy(group, ({ key }) => (byKey.get(key) as Labelled).person);
  return [...counts].toSorted((a, b) => b[1].length - a[1].length || a[0] - b[0])[0]?.[0] as number;
};

export const examplesOf = (population: Population, results: readonly Clustering[]): readonly Example[] =>
  results.flatMap(({ merged, apart }) =>
    [...merged, ...apart].map(({ a, b, signals, logOdds }: Comparison) => ({
      signals,
      logOdds,
      isSame: ownerOf(population, a) === ownerOf(population, b),
    })),
  );

const solve = (matrix: number[][], right: number[]): number[] => {
  const n = right.length;
  const a = matrix.map((row, i) => [...row, right[i] as number]);
  for (let i = 0; i < n; i++) {
    let p = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(a[r]?.[i] as number) > Math.abs(a[p]?.[i] as number)) p = r;
    [a[i], a[p]] = [a[p] as number[], a[i] as number[]];
    const pivot = a[i] as number[];
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const row = a[r] as number[];
      const f = (row[i] as number) / (pivot[i] as number);
      if (f !== 0) for (let c = i; c <= n; c++) row[c] = (row[c] as number) - f * (pivot[c] as number);
    }
  }
  return a.map((row, i) => (row[n] as number) / (row[i] as number));
};

/** Prior deviation of a weight: half an example of either outcome moves it hardly, a hundred do. */
const RIDGE = 0.1;

/** Logistic regression by Newton's method, with a ridge. */
export const fit = (examples: readonly Example[]): Weights => {
  const k = SIGNAL_NAMES.length;
  let weights = new Array<number>(k).fill(0);
  const rows = examples.map(({ signals, isSame }) => {
    const x: [number, number][] = [];
    SIGNAL_NAMES.forEach((name, i) => {
      const value = signals[name] ?? 0;
      if (value !== 0) x.push([i, value]);
    });
    return { x, y: isSame ? 1 : 0 };
  });
  for (let step = 0; step < 25; step++) {
    const hessian = Array.from({ length: k }, (_, i) => {
      const row = new Array<number>(k).fill(0);
      row[i] = RIDGE;
      return row;
    });
    const gradient = weights.map((weight) => -RIDGE * weight);
    for (const { x, y } of rows) {
      const p = 1 / (1 + Math.exp(-x.reduce((sum, [i, value]) => sum + (weights[i] as number) * value, 0)));
      for (const [i, value] of x) {
        gradient[i] = (gradient[i] as number) + (y - p) * value;
        const row = hessian[i] as number[];
        for (const [j, other] of x) row[j] = (row[j] as number) + p * (1 - p) * value * other;
      }
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight + Math.max(-2, Math.min(2, change[i] as number)));
    if (Math.max(...change.map(Math.abs)) < 1e-4) break;
  }
  return Object.fromEntries(
    SIGNAL_NAMES.map((name, i) => [name, Number((weights[i] as number).toFixed(2))]),
  ) as Record<SignalName, number>;
};
