import { student95 } from '../../src/kernel/distributions.ts';
import { FIXED, ORACLE, OURS, type WorldResult } from './compare.ts';

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Mean errors of a policy, one a seed. */
export const errorsOf = ({ outcomes }: WorldResult, policy: string): readonly number[] =>
  (outcomes[policy] ?? []).map(({ meanError }) => meanError);

/** By how much the mean error is below that of fixed intervals, as a share of it. */
export const gainOf = (result: WorldResult, policy: string): number =>
  1 - mean(errorsOf(result, policy)) / mean(errorsOf(result, FIXED));

export interface Verdict {
  readonly gain: number;
  readonly oracleGain: number;
  /** Share of the oracle's gain, and its 95 % interval over seeds; the interval is null for fewer than three. */
  readonly share: number;
  readonly interval: readonly [number, number] | null;
}

/** The share of a ratio of means, with the standard error of the jackknife over seeds (Efron and Stein 1981). */
export const judge = (result: WorldResult): Verdict => {
  const [ours, oracle, fixed] = [OURS, ORACLE, FIXED].map((name) => errorsOf(result, name)) as [
    readonly number[],
    readonly number[],
    readonly number[],
  ];
  const shareWithout = (left: number | null): number => {
    const some = (values: readonly number[]) => mean(values.filter((_, n) => n !== left));
    return (some(fixed) - some(ours)) / (some(fixed) - some(oracle));
  };
  const share = shareWithout(null);
  const n = fixed.length;
  const verdict = { gain: gainOf(result, OURS), oracleGain: gainOf(result, ORACLE), share };
  if (n < 3) return { ...verdict, interval: null };
  const parts = fixed.map((_, left) => shareWithout(left));
  const middle = mean(parts);
  const error = Math.sqrt(((n - 1) / n) * parts.reduce((sum, part) => sum + (part - middle) ** 2, 0));
  const slack = student95(n - 1) * error;
  return { ...verdict, interval: [share - slack, share + slack] };
};

/** Share of the oracle's gain that the rule has to reach in every world. */
export const SHARE_BAR = 0.8;
/** The gain that it has to reach where the oracle reaches `ORACLE_REACHES`. */
export const GAIN_BAR = 0.3;
export const ORACLE_REACHES = 0.375;
