import type { PoolTuning } from './pool.ts';

/**
 * The error of followers after a gap, and when an account is read again.
 *
 * The served number of followers is off by |ln((served + 1) / (true + 1))|, on average c·t^H after t days: independent relative
 * changes, of which growth consists (Gibrat's law), add up to H = 1/2. c is the account's *change coefficient*.
 *
 * Olston and Pandey, "Recrawl scheduling based on information longevity" (2008), minimize the mean error of all accounts
 * for a given number of readings: an account is read when t·e(t) - ∫e, the error that reading it would have saved, reaches a
 * threshold that all accounts share.
 */
const GROWTH_EXPONENT = 0.5;

const H = GROWTH_EXPONENT;

/** Mean error of followers over a gap. @param change coefficient, error after one day. @param days between readings. */
export const meanError = (change: number, days: number): number => (change * days ** H) / (1 + H);

/** Divergence that accumulates over a gap, t·e(t) - ∫e, in days. */
const divergence = (change: number, days: number): number => (change * days ** (1 + H) * H) / (1 + H);

/** Days until the divergence reaches a threshold: the inverse of `divergence`. */
const gapFor = (threshold: number, change: number): number =>
  ((threshold * (1 + H)) / (change * H)) ** (1 / (1 + H));

/**
 * Change coefficients in logarithmic bins. An account is treated as the middle of its bin, at most 9 % off: so sums by bin are
 * exact, whole numbers, and what an account's interval follows from.
 */
const BINS_AN_OCTAVE = 4;
/** 2^-25 a day, less than any account shows within a year, to 16 a day, more than any grows. */
const SMALLEST = -25 * BINS_AN_OCTAVE;
const LARGEST = 4 * BINS_AN_OCTAVE;

/** Bins are numbered from 0. */
export const CHANGE_BINS = LARGEST - SMALLEST + 1;

/** The bin of accounts that are unavailable, which are read at the greatest age. */
export const UNAVAILABLE_BIN = -1;

/** The coefficient in the middle of a bin. */
export const changeOfBin = (bin: number): number => 2 ** ((bin + SMALLEST) / BINS_AN_OCTAVE);

export const binOfChange = (change: number): number => {
  const bin = Math.round(Math.log2(change) * BINS_AN_OCTAVE);
  return Math.min(LARGEST, Math.max(SMALLEST, bin)) - SMALLEST;
};

/**
 * Coefficient of a pool of which nothing was measured: 1 % after a week. It counts as one account, so that it has no weight
 * beside those that were read twice.
 */
const INITIAL_BIN = binOfChange(0.01 / Math.sqrt(7));

/** The bin of a pool's median account. @param measured accounts by bin that have a coefficient of their own. */
export const medianBin = (measured: ArrayLike<number>): number => {
  let total = 1;
  for (let bin = 0; bin < CHANGE_BINS; bin++) total += measured[bin] as number;
  let below = 0;
  for (let bin = 0; bin < CHANGE_BINS; bin++) {
    below += (measured[bin] as number) + (bin === INITIAL_BIN ? 1 : 0);
    if (2 * below >= total) return bin;
  }
  return INITIAL_BIN;
};

export const DAY_S = 86_400;

/** What an account's interval follows from, besides its bin. */
export type RefreshSettings = Pick<
  PoolTuning,
  'refresh' | 'refresh_min_s' | 'refresh_max_s' | 'refresh_factor' | 'refresh_threshold'
>;

/**
 * The threshold of a pool that has none: its median account is read at the geometric mean of the pool's bounds, so that as many
 * accounts may be read more often as less often.
 */
const defaultThreshold = ({ refresh_min_s, refresh_max_s }: RefreshSettings, median: number): number =>
  divergence(changeOfBin(median), Math.sqrt(refresh_min_s * refresh_max_s) / DAY_S);

/** The threshold that a pool has. @param median bin of its median account. */
const thresholdOf = (settings: RefreshSettings, median: number): number =>
  settings.refresh_threshold ?? defaultThreshold(settings, median);

/** Seconds between readings of a pool whose interval does not depend on changes. */
const fixedInterval = ({ refresh_min_s, refresh_factor }: RefreshSettings): number =>
  refresh_min_s * refresh_factor;

/** Seconds until the divergence of an account of a bin reaches a threshold, without the pool's bounds. */
const unboundedInterval = ({ refresh_factor }: RefreshSettings, threshold: number, bin: number): number =>
  refresh_factor * gapFor(threshold, changeOfBin(bin)) * DAY_S;

/** Seconds between readings of the accounts of a bin. */
export const intervalOf = (settings: RefreshSettings, threshold: number, bin: number): number => {
  if (settings.refresh === 'fixed') return fixedInterval(settings);
  const { refresh_min_s, refresh_max_s } = settings;
  if (bin === UNAVAILABLE_BIN) return refresh_max_s;
  return Math.min(refresh_max_s, Math.max(refresh_min_s, unboundedInterval(settings, threshold, bin)));
};

/** Intervals by bin, in whole seconds: computed once a change of settings or of the median, not for each reading. */
export const intervalTable = (settings: RefreshSettings, median: number): Int32Array => {
  const threshold = thresholdOf(settings, median);
  return Int32Array.from({ length: CHANGE_BINS }, (_, bin) =>
    Math.round(intervalOf(settings, threshold, bin)),
  );
};

/** Threshold at which an account of a bin has an interval, the bounds apart. */
const thresholdAt = ({ refresh_factor }: RefreshSettings, seconds: number, bin: number): number =>
  divergence(changeOfBin(bin), seconds / refresh_factor / DAY_S);

/** Intervals are proportional to this power of the threshold. */
export const INTERVAL_POWER = 1 / (1 + GROWTH_EXPONENT);

/**
 * What readings showed of how fast an account's followers change. Whole numbers, so that a row that is read again is the one
 * that was written.
 */
export interface ChangeEvidence {
  /** Sum of |Δ ln followers|, in millionths. */
  readonly moved: number;
  /** Sum of days^H between readings, in thousandths. */
  readonly exposure: number;
}

export const NO_EVIDENCE: ChangeEvidence = { moved: 0, exposure: 0 };

/** Two numbers of followers that were shown so many days after each other. */
export interface FollowerChange {
  readonly before: number;
  readonly after: number;
  readonly days: number;
}

const PPM = 1e6;
const MILLI = 1e3;
/** Weight that evidence keeps with each further reading, as accounts become calmer or livelier: that of some 12 readings. */
const KEPT = 1 - 1 / 12;
/** Readings that the median of the pool counts as. */
const PRIOR_READINGS = 0.5;
/** A reading counts as at most so many times the expected change: a misread number has no lasting effect. */
const MAX_SURPRISE = 8;

/**
 * The step in which a number is shown: 1,230,000 is "1.23M", in steps of 10,000. One exact number in a hundred ends in two
 * zeros by chance, and counts as less exact than it is.
 */
const stepOf = (count: number): number => {
  let step = 1;
  while (count % (step * 10) === 0 && step * 100 <= count) step *= 10;
  return step >= 100 ? step : 1;
};

/** |Δ ln followers|, nothing if the coarser of two numbers can't show it, and the least change that it can show. */
const movement = ({ before, after }: FollowerChange): { readonly by: number; readonly step: number } => {
  const step = Math.max(stepOf(before), stepOf(after));
  const by = Math.abs(after - before) < step ? 0 : Math.abs(Math.log((after + 1) / (before + 1)));
  return { by, step: Math.log1p(step / (Math.min(before, after) + 1)) };
};

/** What a reading adds to the sum of changes, in millionths. @param change coefficient before it. */
const countedMove = (change: number, reading: FollowerChange): number => {
  const { by, step } = movement(reading);
  return Math.round(Math.min(by, MAX_SURPRISE * change * reading.days ** GROWTH_EXPONENT + step) * PPM);
};

/**
 * Adds a reading that came too soon to be one of its own: its change counts with the next one, which has the whole gap. However
 * many there are, together they count as at most so many times the expected change.
 */
export const withMove = (
  { moved, exposure }: ChangeEvidence,
  change: number,
  reading: FollowerChange,
): ChangeEvidence => {
  const most = MAX_SURPRISE * change * (exposure / MILLI) + movement(reading).step;
  const added = moved + countedMove(change, reading);
  return { moved: Math.max(moved, Math.min(added, Math.round(most * PPM))), exposure };
};

/**
 * Adds a reading, and estimates the change coefficient of the account with shrinkage to the median of its pool.
 *
 * The mean of |Δ| is unbiased however coarsely numbers are shown: a step is rarer by as much as it is larger than the change. So
 * the estimate is a ratio of sums, as that of a Poisson rate, with a prior of the same kind (Gamma; Gelman et al., Bayesian Data
 * Analysis, 2.6): readings as long as this one, and as long as the median account takes for a step. An account that shows no
 * change is then as calm as its readings could have shown it to be, and no calmer.
 * @param known.change the coefficient before the reading; `median`, that of the pool's median account.
 */
export const estimated = (
  evidence: ChangeEvidence,
  known: { readonly change: number; readonly median: number },
  reading: FollowerChange,
): { readonly evidence: ChangeEvidence; readonly change: number } => {
  const exposed = reading.days ** GROWTH_EXPONENT;
  const moved = Math.round(evidence.moved * KEPT) + countedMove(known.change, reading);
  const exposure = Math.round(evidence.exposure * KEPT + exposed * MILLI);
  const prior = PRIOR_READINGS * (exposed + movement(reading).step / known.median);
  const change = (known.median * prior + moved / PPM) / (prior + exposure / MILLI);
  return { evidence: { moved, exposure }, change };
};

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

const classesOf = ({ byBin, unavailable }: PoolAccounts): readonly Class[] =>
  [
    ...byBin.slice(0, CHANGE_BINS).map((accounts, bin) => ({ bin, accounts })),
    { bin: UNAVAILABLE_BIN, accounts: unavailable },
  ].filter(({ accounts }) => accounts > 0);

/** Readings a day of accounts at a threshold. */
const readingsAtThreshold = (
  settings: RefreshSettings,
  threshold: number,
  classes: readonly Class[],
): number =>
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
  const readings = (threshold: number) => readingsAtThreshold(settings, threshold, classes);
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
  const bounded = readingsAtThreshold(
    settings,
    middle,
    classes.filter((one) => !isFree(one)),
  );
  const free = readingsAtThreshold(settings, middle, classes.filter(isFree));
  const threshold = middle * (free / (readingsPerDay - bounded)) ** (1 / INTERVAL_POWER);
  return { threshold, readingsPerDay: readings(threshold) };
};

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

const totalReadings = (reads: readonly Read[], waitS = 0): number =>
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
  if (totalReadings(reads) <= readingsPerDay) return 0;
  let [least, most] = [0, (reads.reduce((sum, { accounts }) => sum + accounts, 0) * DAY_S) / readingsPerDay];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (least + most) / 2;
    if (totalReadings(reads, middle) > readingsPerDay) least = middle;
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
    readingsPerDay: totalReadings(reads),
    ageP50S: ageQuantile(ascending, 0.5),
    ageP95S: ageQuantile(ascending, 0.95),
    meanError: counted === 0 ? null : errors / counted,
  };
};
