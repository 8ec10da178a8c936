import { EQUAL, ORACLE, OURS, type WorldResult } from './simulate.ts';

/** What the policy has to reach in every world, at the lower end of the 95 % interval over seeds. */
export const EQUAL_BAR = 1.5;
export const ORACLE_BAR = 0.75;

/** New accounts that a policy found, one figure a seed. */
export const totalsOf = (result: WorldResult, policy: string): readonly number[] =>
  (result[policy] ?? []).map((course) => course.at(-1) ?? 0);

export interface Ratio {
  readonly mean: number;
  /** Lower end of the two-sided 95 % interval; the mean itself for fewer than three seeds. */
  readonly low: number;
}

export interface Verdict {
  readonly ofEqual: Ratio;
  readonly ofOracle: Ratio;
}

/** Two-sided 95 % quantiles of Student's t by degrees of freedom, from 2 on. */
const T95 = [
  4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09,
];

/** The ratio of each seed's pair, whose worlds are the same; the interval is Student's. */
const ratioOf = (ours: readonly number[], theirs: readonly number[]): Ratio => {
  const ratios = ours.map((value, n) => value / (theirs[n] as number));
  const mean = ratios.reduce((a, b) => a + b, 0) / ratios.length;
  if (ratios.length < 3) return { mean, low: mean };
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
  return { mean, low: mean - (T95[ratios.length - 3] ?? 2.09) * Math.sqrt(variance / ratios.length) };
};

export const judge = (result: WorldResult): Verdict => ({
  ofEqual: ratioOf(totalsOf(result, OURS), totalsOf(result, EQUAL)),
  ofOracle: ratioOf(totalsOf(result, OURS), totalsOf(result, ORACLE)),
});
