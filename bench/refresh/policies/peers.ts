import { changeRates } from './change-rates.ts';
import { bounded, factorFor, LEAST_DAYS, type Policy, readingsAt } from './policy.ts';

/** Every account as often. */
export const fixed: Policy = (accounts, readingsPerDay) => {
  let interval = accounts / readingsPerDay;
  return {
    interval: () => interval,
    observe: () => undefined,
    retune: (rate) => {
      interval = accounts / rate;
    },
  };
};

/**
 * Intervals that shrink by a rate with each change and grow by it without one, as Nutch's AdaptiveFetchSchedule and
 * StormCrawler's AdaptiveScheduler have them. Neither keeps to a number of requests: all intervals are scaled to it here, which is
 * more than they do.
 */
const adaptive =
  (rate: number): Policy =>
  (accounts, readingsPerDay) => {
    const days = new Float64Array(accounts).fill(accounts / readingsPerDay);
    return {
      interval: (account) => bounded(days[account] as number),
      observe: (account, { before, after }) => {
        days[account] = bounded((days[account] as number) * (before === after ? 1 + rate : 1 - rate));
      },
      retune: (wanted) => {
        const factor = factorFor(wanted, (by) =>
          readingsAt(accounts, (n) => bounded((days[n] as number) * by)),
        );
        for (let account = 0; account < accounts; account++)
          days[account] = bounded((days[account] as number) * factor);
      },
    };
  };

export const nutch = adaptive(0.2);
export const stormCrawler = adaptive(0.5);

/** A policy that gives an account no reading leaves it alone, and none reads an account more often than all others may. */
const intervalAt = (readings: number): number => 1 / Math.min(1 / LEAST_DAYS, Math.max(1e-6, readings));

/** Policies by a Poisson rate of changes: readings a day of an account, for a multiplier. */
const byChangeRate =
  (readingsOf: (changes: number, multiplier: number) => number): Policy =>
  (accounts, readingsPerDay) => {
    const rates = changeRates(accounts);
    const days = new Float64Array(accounts).fill(accounts / readingsPerDay);
    return {
      interval: (account) => days[account] as number,
      observe: rates.observe,
      retune: (wanted) => {
        const changes = Float64Array.from(days, (_, account) => rates.of(account));
        const intervals = (multiplier: number) => (account: number) =>
          intervalAt(readingsOf(changes[account] as number, multiplier));
        const multiplier = factorFor(wanted, (by) => readingsAt(accounts, intervals(by)));
        for (let account = 0; account < accounts; account++) days[account] = intervals(multiplier)(account);
      },
    };
  };

/** As often in proportion to how often an account changes (Cho and Garcia-Molina 2003 name it as the naive policy). */
export const proportional = byChangeRate((changes, multiplier) => changes / multiplier);

/**
 * Azar, Horvitz, Lubetzky, Peres and Shahaf, "Tractable near-optimal policies for crawling", PNAS 2018: the most pages that are up to
 * date. Of all the accounts that change at a rate d, sqrt(d / m) - d readings: none where changes are too frequent.
 */
export const azar = byChangeRate((changes, multiplier) =>
  Math.max(0, Math.sqrt(changes / multiplier) - changes),
);

/**
 * Kolobov, Peres, Lu and Horvitz, "Staying up to date with online content changes using reinforcement learning for scheduling"
 * (LambdaCrawl), NeurIPS 2019, for changes that are seen at readings only: harmonic penalty of missed changes.
 */
export const lambdaCrawl = byChangeRate(
  (changes, multiplier) => (Math.sqrt(changes ** 2 + (4 * changes) / multiplier) - changes) / 2,
);
