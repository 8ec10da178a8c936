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

/** A gap between readings of an account. */
export interface Gap {
  readonly seconds: number;
  /** Share of the time that lies in such gaps. */
  readonly share: number;
}

/** Gaps between readings of an account that is due after so many seconds. */
export type GapsOf = (intervalS: number) => readonly Gap[];

const AT_ONCE: GapsOf = (seconds) => [{ seconds, share: 1 }];

interface Spaced extends Read {
  readonly bin: number;
}

const spaced = (
  settings: RefreshSettings,
  { accounts, median }: PoolChanges,
  gapsOf: GapsOf,
): readonly Spaced[] => {
  const threshold = thresholdOf(settings, median);
  return classesOf(accounts).flatMap(({ bin, accounts: n }) =>
    gapsOf(intervalOf(settings, threshold, bin)).map(({ seconds, share }) => ({
      bin,
      accounts: n * share,
      seconds,
    })),
  );
};

const readingsOf = (reads: readonly Read[], waitS = 0): number =>
  reads.reduce((sum, { accounts, seconds }) => sum + (accounts * DAY_S) / (seconds + waitS), 0);

/** Halvings of the range in which a wait is sought: exact to a millionth of a second. */
const HALVINGS = 60;

/**
 * Seconds that accounts wait where a pool has fewer readings than it wants: the same for each, because the account that is due
 * the longest is read first.
 */
export const waitFor = (
  settings: RefreshSettings,
  changes: PoolChanges,
  readingsPerDay: number,
  gapsOf: GapsOf = AT_ONCE,
): number => {
  const reads = spaced(settings, changes, gapsOf);
  if (readingsOf(reads) <= readingsPerDay) return 0;
  let [least, most] = [0, (reads.reduce((sum, { accounts }) => sum + accounts, 0) * DAY_S) / readingsPerDay];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (least + most) / 2;
    if (readingsOf(reads, middle) > readingsPerDay) least = middle;
    else most = middle;
  }
  return most;
};

/**
 * What comes of a pool's settings: with those that it has, or with other ones before they are given to it.
 * @param gapsOf by default accounts are read as soon as they are due.
 */
export const forecastOf = (
  settings: RefreshSettings,
  changes: PoolChanges,
  gapsOf: GapsOf = AT_ONCE,
): Forecast => {
  const reads = spaced(settings, changes, gapsOf);
  const ascending = reads.toSorted((a, b) => a.seconds - b.seconds);
  const available = reads.filter(({ bin }) => bin !== UNAVAILABLE_BIN);
  const counted = available.reduce((sum, { accounts: n }) => sum + n, 0);
  const errors = available.reduce(
    (sum, { bin, accounts: n, seconds }) => sum + n * meanError(changeOfBin(bin), seconds / DAY_S),
    0,
  );
  return {
    readingsPerDay: readingsOf(reads),
    ageP50S: ageQuantile(ascending, 0.5),
    ageP95S: ageQuantile(ascending, 0.95),
    meanError: counted === 0 ? null : errors / counted,
  };
};
