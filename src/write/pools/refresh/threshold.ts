import { CHANGE_BINS, UNAVAILABLE_BIN } from './change-bins.ts';
import { DAY_S, INTERVAL_POWER, intervalOf, type RefreshSettings, thresholdAt } from './rule.ts';

/** The accounts of a pool, counted by what their intervals follow from. */
export interface PoolAccounts {
  /** Available accounts by bin of their change coefficient; those that were not read twice are in the median's. */
  readonly byBin: readonly number[];
  /** Unavailable ones, which are read at the greatest age. */
  readonly unavailable: number;
}

/** How fast the accounts of a pool change. */
export interface PoolChanges {
  readonly accounts: PoolAccounts;
  /** Bin of the median account, as which those count that were not read twice. */
  readonly median: number;
}

export interface Threshold {
  /** The threshold T, in days. */
  readonly threshold: number;
  /** Readings a day at it: those wanted, unless the bounds of the pool forbid it. */
  readonly readingsPerDay: number;
}

/** Accounts that are read alike. */
export interface Class {
  readonly bin: number;
  readonly accounts: number;
}

export const classesOf = ({ byBin, unavailable }: PoolAccounts): readonly Class[] =>
  [
    ...byBin.slice(0, CHANGE_BINS).map((accounts, bin) => ({ bin, accounts })),
    { bin: UNAVAILABLE_BIN, accounts: unavailable },
  ].filter(({ accounts }) => accounts > 0);

/** Readings a day of accounts at a threshold. */
const readingsOf = (settings: RefreshSettings, threshold: number, classes: readonly Class[]): number =>
  classes.reduce(
    (sum, { bin, accounts }) => sum + (accounts * DAY_S) / intervalOf(settings, threshold, bin),
    0,
  );

/** Ascending thresholds at which a class reaches one of the bounds: readings have a closed form between two of them. */
const breakpointsOf = (settings: RefreshSettings, classes: readonly Class[]): readonly number[] =>
  classes
    .filter(({ bin }) => bin !== UNAVAILABLE_BIN)
    .flatMap(({ bin }) =>
      [settings.refresh_min_s, settings.refresh_max_s].map((bound) => thresholdAt(settings, bound, bin)),
    )
    .sort((a, b) => a - b);

/**
 * The threshold at which a pool is read so often. Intervals are proportional to T^(1/(1+H)), so between two breakpoints T
 * follows from two sums over the bins: the readings of accounts at a bound, and those of the others at any threshold there.
 * @param readingsPerDay wanted.
 */
export const thresholdFor = (
  pool: RefreshSettings,
  accounts: PoolAccounts,
  readingsPerDay: number,
): Threshold => {
  const settings: RefreshSettings = { ...pool, refresh: 'by_change' };
  const classes = classesOf(accounts);
  const breakpoints = breakpointsOf(settings, classes);
  const readings = (threshold: number) => readingsOf(settings, threshold, classes);
  const next = breakpoints.findIndex((threshold) => readings(threshold) <= readingsPerDay);
  const [first = 1, last = 1] = [breakpoints[0], breakpoints.at(-1)];
  // All accounts at their least or at their greatest age.
  if (next <= 0) {
    const threshold = next === 0 ? first : last;
    return { threshold, readingsPerDay: readings(threshold) };
  }
  const [from, to] = [breakpoints[next - 1] as number, breakpoints[next] as number];
  const middle = Math.sqrt(from * to);
  const isFree = ({ bin }: Class) => {
    const interval = intervalOf(settings, middle, bin);
    return interval > settings.refresh_min_s && interval < settings.refresh_max_s;
  };
  const bounded = readingsOf(
    settings,
    middle,
    classes.filter((one) => !isFree(one)),
  );
  const free = readingsOf(settings, middle, classes.filter(isFree));
  const threshold = middle * (free / (readingsPerDay - bounded)) ** (1 / INTERVAL_POWER);
  return { threshold, readingsPerDay: readings(threshold) };
};
