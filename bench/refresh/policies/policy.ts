/** A conclusive reading, as a crawler has it. */
export interface Reading {
  /** Since the reading before. */
  readonly days: number;
  readonly before: number;
  readonly after: number;
}

/** A policy at work on a population. */
export interface Schedule {
  /** Days until the account is read again. */
  interval(account: number): number;
  observe(account: number, reading: Reading): void;
  /** Adapts intervals, once a day, so that all accounts together take the given number of readings a day. */
  retune(readingsPerDay: number, day: number): void;
  /** The error of an account's followers a week after a reading, as estimated; absent if the policy does not estimate it. */
  weeklyError?(account: number): number;
}

/** @param readingsPerDay of all accounts together. */
export type Policy = (accounts: number, readingsPerDay: number) => Schedule;

/** Bounds of intervals in days, which every policy has. */
export const LEAST_DAYS = 0.25;
export const GREATEST_DAYS = 90;

export const bounded = (days: number): number => Math.min(GREATEST_DAYS, Math.max(LEAST_DAYS, days));

/** A factor on which a falling function has a value, by bisection of its logarithm. */
export const factorFor = (value: number, valueAt: (factor: number) => number): number => {
  let [low, high] = [1e-9, 1e9];
  for (let step = 0; step < 45; step++) {
    const middle = Math.sqrt(low * high);
    if (valueAt(middle) > value) low = middle;
    else high = middle;
  }
  return high;
};

/** Readings a day at given intervals. */
export const readingsAt = (accounts: number, interval: (account: number) => number): number => {
  let sum = 0;
  for (let account = 0; account < accounts; account++) sum += 1 / interval(account);
  return sum;
};
