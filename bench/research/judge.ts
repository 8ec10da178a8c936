import { student95 } from '../../src/kernel/distributions.ts';
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

/** The ratio of each seed's pair, whose worlds are the same; the interval is Student's. */
const ratioOf = (ours: readonly number[], theirs: readonly number[]): Ratio => {
  const ratios = ours.map((value, n) => value / (theirs[n] as number));
  const mean = ratios.reduce((a, b) => a + b, 0) / ratios.length;
  if (ratios.length < 3) return { mean, low: mean };
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
  return { mean, low: mean - student95(ratios.length - 1) * Math.sqrt(variance / ratios.length) };
};

export const judge = (result: WorldResult): Verdict => ({
  ofEqual: ratioOf(totalsOf(result, OURS), totalsOf(result, EQUAL)),
  ofOracle: ratioOf(totalsOf(result, OURS), totalsOf(result, ORACLE)),
});
