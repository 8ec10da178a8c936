import { progress } from './targets.ts';

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/**
 * Runs the contestants in turn (A B A B …), so that what else the machine does falls on all of them alike.
 * @returns the results of each contestant, by its name, in the order of the rounds.
 */
export const interleave = async <Result, Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Result>>>,
  show: (result: Result) => string,
): Promise<Record<Name, Result[]>> => {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const result = await contestants[name]();
      results[name].push(result);
      progress(`  round ${round + 1} of ${rounds}: ${name} ${show(result)}`);
    }
  }
  return results;
};

/** Median of the rounds' ratios: each round's pair ran side by side, so drift from round to round cancels out. */
export const medianRatio = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, i) => value / (theirs[i] ?? Number.NaN)));

/** Whole numbers with separators, small ones with two digits. */
export const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
