import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/kernel/random.ts';
import {
  binOfChange,
  CHANGE_BINS,
  changeOfBin,
  forecastOf,
  intervalOf,
  meanError,
  type PoolAccounts,
  type RefreshSettings,
  thresholdFor,
  UNAVAILABLE_BIN,
  waitFor,
} from '../../../../src/write/pools/refresh.ts';

const DAY_S = 86_400;

const settings = (more: Partial<RefreshSettings> = {}): RefreshSettings => ({
  refresh: 'by_change',
  refresh_min_s: 60,
  refresh_max_s: 10 * 365 * DAY_S,
  refresh_factor: 1,
  refresh_threshold: null,
  ...more,
});

/** Accounts whose coefficients are log-normal over three decades. */
const poolOf = (seed: number, accounts: number, unavailable = 0): PoolAccounts => {
  const random = seededRandom(seed);
  const byBin = new Array<number>(CHANGE_BINS).fill(0);
  for (let n = 0; n < accounts; n++) {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const bin = binOfChange(0.002 * Math.exp(1.5 * normal));
    byBin[bin] = (byBin[bin] as number) + 1;
  }
  return { byBin, unavailable };
};

const intervals = (pool: RefreshSettings, threshold: number, { byBin }: PoolAccounts) =>
  byBin.flatMap((n, bin) => (n === 0 ? [] : [{ n, bin, days: intervalOf(pool, threshold, bin) / DAY_S }]));

describe('the threshold of a pool', () => {
  it.each([
    ['without bounds', settings()],
    ['with a greatest age that many accounts have', settings({ refresh_max_s: 10 * DAY_S })],
    ['with a least age that many accounts have', settings({ refresh_min_s: 5 * DAY_S })],
    ['between narrow bounds', settings({ refresh_min_s: 6 * DAY_S, refresh_max_s: 9 * DAY_S })],
    ['with a factor', settings({ refresh_factor: 3, refresh_max_s: 30 * DAY_S })],
  ])('meets the wanted rate within 1 %% %s', (_, pool) => {
    for (const seed of [1, 2, 3]) {
      const accounts = poolOf(seed, 5_000, 100);
      const wanted = 5_100 / 7;
      const { threshold, readingsPerDay } = thresholdFor(pool, accounts, wanted);
      const counted =
        intervals(pool, threshold, accounts).reduce((sum, { n, days }) => sum + n / days, 0) +
        100 / (pool.refresh_max_s / DAY_S);
      expect(Math.abs(counted / wanted - 1)).toBeLessThan(0.01);
      expect(readingsPerDay).toBeCloseTo(counted, 6);
    }
  });

  it('reads at the bounds if the wanted rate is beyond them, and reports the resulting rate', () => {
    const pool = settings({ refresh_min_s: DAY_S, refresh_max_s: 10 * DAY_S });
    const accounts = poolOf(4, 1_000);
    expect(thresholdFor(pool, accounts, 1).readingsPerDay).toBeCloseTo(100, 6);
    expect(thresholdFor(pool, accounts, 1e6).readingsPerDay).toBeCloseTo(1_000, 6);
  });

  it('gives a smaller mean error than any shift of readings between two classes of accounts', () => {
    const pool = settings();
    const accounts = poolOf(5, 2_000);
    const { threshold } = thresholdFor(pool, accounts, 2_000 / 7);
    const classes = intervals(pool, threshold, accounts);
    const errorOf = (shifted: typeof classes) =>
      shifted.reduce((sum, { n, bin, days }) => sum + n * meanError(changeOfBin(bin), days), 0);
    const best = errorOf(classes);
    const random = seededRandom(6);
    for (let trial = 0; trial < 200; trial++) {
      const [from, to] = [random.int(classes.length), random.int(classes.length)];
      const [a, b] = [classes[from], classes[to]];
      if (a === undefined || b === undefined || from === to) continue;
      const rate = (random.next() * 0.5 * a.n) / a.days;
      const shifted = [
        ...classes.filter((one) => one !== a && one !== b),
        { ...a, days: a.n / (a.n / a.days - rate) },
        { ...b, days: b.n / (b.n / b.days + rate) },
      ];
      expect(errorOf(shifted)).toBeGreaterThanOrEqual(best * (1 - 1e-12));
    }
  });

  it('reads no account less often than one that changes less', () => {
    const pool = settings({ refresh_min_s: DAY_S, refresh_max_s: 30 * DAY_S });
    const accounts = poolOf(7, 1_000);
    const { threshold } = thresholdFor(pool, accounts, 1_000 / 7);
    const days = intervals(pool, threshold, accounts).map((one) => one.days);
    expect(days).toEqual(days.toSorted((a, b) => b - a));
    expect(Math.max(...days)).toBe(30);
    expect(Math.min(...days)).toBe(1);
    expect(intervalOf(pool, threshold, UNAVAILABLE_BIN)).toBe(30 * DAY_S);
  });

  it('depends on no other pool: one changed weight changes one threshold', () => {
    const pools = [poolOf(8, 500), poolOf(9, 1_500)] as const;
    const thresholds = (rates: readonly [number, number]) =>
      pools.map((accounts, i) => thresholdFor(settings(), accounts, rates[i] as number).threshold);
    const [before, after] = [thresholds([70, 200]), thresholds([140, 200])];
    expect(after[1]).toBe(before[1]);
    // Twice the rate halves the intervals of all accounts.
    expect((before[0] as number) / (after[0] as number)).toBeCloseTo(2 ** 1.5, 6);
  });
});

describe('the forecast of a pool', () => {
  it('has the rate, ages and error of simulated accounts', () => {
    const pool = settings({ refresh_min_s: DAY_S, refresh_max_s: 40 * DAY_S });
    const accounts = poolOf(10, 3_000, 200);
    const { threshold } = thresholdFor(pool, accounts, 3_200 / 7);
    const random = seededRandom(11);
    const ages: number[] = [];
    for (const { n, days } of [
      ...intervals(pool, threshold, accounts),
      { n: accounts.unavailable, days: 40 },
    ])
      for (let i = 0; i < n * 20; i++) ages.push(random.next() * days * DAY_S);
    ages.sort((a, b) => a - b);
    const forecast = forecastOf({ ...pool, refresh_threshold: threshold }, { accounts, median: 0 });
    expect(forecast.readingsPerDay).toBeCloseTo(3_200 / 7, 6);
    const quantile = (q: number) => ages[Math.floor(q * ages.length)] as number;
    expect(Math.abs((forecast.ageP50S as number) / quantile(0.5) - 1)).toBeLessThan(0.03);
    expect(Math.abs((forecast.ageP95S as number) / quantile(0.95) - 1)).toBeLessThan(0.03);
    const errors = intervals(pool, threshold, accounts).map(
      ({ n, bin, days }) => n * meanError(changeOfBin(bin), days),
    );
    expect(forecast.meanError).toBeCloseTo(errors.reduce((a, b) => a + b) / 3_000, 9);
  });

  it('has the median account at the geometric mean of the bounds without a threshold', () => {
    const pool = settings({ refresh_min_s: 3_600, refresh_max_s: 400 * 3_600 });
    const byBin = new Array<number>(CHANGE_BINS).fill(0);
    byBin[50] = 10;
    const forecast = forecastOf(pool, { accounts: { byBin, unavailable: 0 }, median: 50 });
    expect(forecast.readingsPerDay).toBeCloseTo((10 * 24) / 20, 6);
  });

  it('makes all accounts wait alike if there are fewer readings than wanted', () => {
    const byBin = new Array<number>(CHANGE_BINS).fill(0);
    [byBin[30], byBin[60], byBin[90]] = [40, 100, 70];
    const changes = { accounts: { byBin, unavailable: 20 }, median: 60 };
    const wanted = forecastOf(settings(), changes).readingsPerDay;
    expect(waitFor(settings(), changes, wanted)).toBe(0);
    const wait = waitFor(settings(), changes, wanted / 3);
    const late = forecastOf(settings(), changes, (intervalS) => [{ seconds: intervalS + wait, share: 1 }]);
    expect(late.readingsPerDay).toBeCloseTo(wanted / 3, 6);
  });

  it('has no ages and no error without accounts', () => {
    const empty = { byBin: new Array<number>(CHANGE_BINS).fill(0), unavailable: 0 };
    expect(forecastOf(settings(), { accounts: empty, median: 50 })).toEqual({
      readingsPerDay: 0,
      ageP50S: null,
      ageP95S: null,
      meanError: null,
    });
  });
});
