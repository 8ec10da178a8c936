import { changeOfBin, UNAVAILABLE_BIN } from './change-bins.ts';
import { meanError } from './divergence.ts';
import { DAY_S, intervalOf, type RefreshSettings, thresholdOf } from './rule.ts';
import { classesOf, type PoolChanges } from './threshold.ts';

/** What a pool's settings lead to once every account has been read under them. */
export interface Forecast {
  readonly readingsPerDay: number;
  /** Ages of values in the catalog, seconds: of half of the accounts at most the first; null without accounts. */
  readonly ageP50S: number | null;
  readonly ageP95S: number | null;
  /** Mean error of the followers served, of available accounts; null without one. */
  readonly meanError: number | null;
}

interface Read {
  readonly seconds: number;
  readonly accounts: number;
}

/** A quantile of ages: at any time the age of an account is uniform between 0 and its interval. @param ascending intervals. */
const ageQuantile = (ascending: readonly Read[], q: number): number | null => {
  /** Accounts whose interval has passed, and readings a second of the others: the distribution is linear between intervals. */
  let passed = 0;
  let rate = ascending.reduce((sum, { accounts, seconds }) => sum + accounts / seconds, 0);
  const wanted = q * ascending.reduce((sum, { accounts }) => sum + accounts, 0);
  for (const { seconds, accounts } of ascending) {
    if (passed + rate * seconds >= wanted) return (wanted - passed) / rate;
    passed += accounts;
    rate -= accounts / seconds;
  }
  return ascending.at(-1)?.seconds ?? null;
};

/** What comes of a pool's settings: with those that it has, or with other ones before they are given to it. */
export const forecastOf = (settings: RefreshSettings, { accounts, median }: PoolChanges): Forecast => {
  const threshold = thresholdOf(settings, median);
  const classes = classesOf(accounts).map(({ bin, accounts: n }) => {
    const seconds = intervalOf(settings, threshold, bin);
    return { bin, accounts: n, seconds };
  });
  const ascending = classes.toSorted((a, b) => a.seconds - b.seconds);
  const available = classes.filter(({ bin }) => bin !== UNAVAILABLE_BIN);
  const counted = available.reduce((sum, { accounts: n }) => sum + n, 0);
  const errors = available.reduce(
    (sum, { bin, accounts: n, seconds }) => sum + n * meanError(changeOfBin(bin), seconds / DAY_S),
    0,
  );
  return {
    readingsPerDay: classes.reduce((sum, { accounts: n, seconds }) => sum + (n * DAY_S) / seconds, 0),
    ageP50S: ageQuantile(ascending, 0.5),
    ageP95S: ageQuantile(ascending, 0.95),
    meanError: counted === 0 ? null : errors / counted,
  };
};
