import {
  binOfChange,
  CHANGE_BINS,
  type ChangeEvidence,
  changeOfBin,
  DAY_S,
  estimated,
  type Forecast,
  forecastOf,
  intervalTable,
  medianBin,
  NO_EVIDENCE,
  type PoolAccounts,
  type RefreshSettings,
  thresholdFor,
} from '../../../src/write/pools/refresh.ts';
import { GREATEST_DAYS, LEAST_DAYS, type Schedule } from './policy.ts';

const BOUNDS: RefreshSettings = {
  refresh: 'by_change',
  refresh_min_s: LEAST_DAYS * DAY_S,
  refresh_max_s: GREATEST_DAYS * DAY_S,
  refresh_factor: 1,
  refresh_threshold: null,
};

/** One pool, with the functions by which the frontier's fold estimates and schedules. */
export const ours = (accounts: number): Schedule & { readonly forecast: () => Forecast } => {
  const evidence = new Array<ChangeEvidence>(accounts).fill(NO_EVIDENCE);
  const bins = new Int32Array(accounts).fill(-1);
  const measured = new Array<number>(CHANGE_BINS).fill(0);
  let median = medianBin(measured);
  let settings = BOUNDS;
  let intervals = intervalTable(settings, median);
  const binOf = (account: number): number => {
    const bin = bins[account] as number;
    return bin < 0 ? median : bin;
  };
  const counted = (): PoolAccounts => {
    const byBin = [...measured];
    const unmeasured = bins.reduce((sum, bin) => sum + (bin < 0 ? 1 : 0), 0);
    byBin[median] = (byBin[median] as number) + unmeasured;
    return { byBin, unavailable: 0 };
  };
  return {
    interval: (account) => (intervals[binOf(account)] as number) / DAY_S,
    observe: (account, reading) => {
      const known = { change: changeOfBin(binOf(account)), median: changeOfBin(median) };
      const after = estimated(evidence[account] as ChangeEvidence, known, reading);
      evidence[account] = after.evidence;
      const [from, to] = [bins[account] as number, binOfChange(after.change)];
      if (from >= 0) measured[from] = (measured[from] as number) - 1;
      measured[to] = (measured[to] as number) + 1;
      bins[account] = to;
    },
    retune: (readingsPerDay) => {
      median = medianBin(measured);
      const { threshold } = thresholdFor(BOUNDS, counted(), readingsPerDay);
      settings = { ...BOUNDS, refresh_threshold: threshold };
      intervals = intervalTable(settings, median);
    },
    forecast: () => forecastOf(settings, { accounts: counted(), median }),
    weeklyError: (account) => changeOfBin(binOf(account)) * Math.sqrt(7),
  };
};
