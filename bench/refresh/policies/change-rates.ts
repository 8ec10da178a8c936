import { median } from '../../support/rounds.ts';
import type { Reading } from './policy.ts';

/** Readings that the median of all accounts counts as. */
const PRIOR = 0.5;

/**
 * Changes a day of accounts, from whether readings found another number than the one before: the estimator of Cho and
 * Garcia-Molina, "Estimating frequency of change" (2003), with the same shrinkage to the median as ours.
 */
export const changeRates = (accounts: number) => {
  const readings = new Float64Array(accounts);
  const changed = new Float64Array(accounts);
  const days = new Float64Array(accounts);
  let typical = 0.1;
  let sinceMedian = 0;

  const of = (account: number): number => {
    const n = readings[account] as number;
    if (n === 0) return typical;
    const gap = (days[account] as number) / n;
    const expected = 1 - Math.exp(-typical * gap);
    const share = ((changed[account] as number) + PRIOR * expected) / (n + PRIOR);
    // A page that changed every time may change at any rate: half a reading without a change bounds it.
    return -Math.log(1 - Math.min(share, (n + PRIOR) / (n + PRIOR + 0.5))) / gap;
  };
  return {
    of,
    observe: (account: number, { days: gap, before, after }: Reading): void => {
      readings[account] = (readings[account] as number) + 1;
      changed[account] = (changed[account] as number) + (before === after ? 0 : 1);
      days[account] = (days[account] as number) + gap;
      sinceMedian++;
      if (sinceMedian < accounts) return;
      sinceMedian = 0;
      const known = Array.from({ length: accounts }, (_, n) => n).filter((n) => (readings[n] as number) > 0);
      typical = median(known.map(of));
    },
  };
};
