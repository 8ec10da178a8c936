import { mix, unit } from '../../infra/simulator/world/hash.ts';
import type { Policy } from './policies/policy.ts';
import { STEP_DAYS, type Trajectory } from './trajectories.ts';

export interface CrawlOptions {
  readonly population: readonly Trajectory[];
  readonly seed: number;
  /** Mean days between requests for an account. */
  readonly gapDays: number;
  /** The step from which on errors are counted; policies learn before. */
  readonly from: number;
}

export interface Outcome {
  /** Of |ln((served + 1) / (true + 1))|, over accounts and time. */
  readonly meanError: number;
  readonly errorP95: number;
  readonly agesDays: { readonly p50: number; readonly p95: number };
  /** Share of accounts without a request in the time that counts. */
  readonly neverRead: number;
  readonly requests: number;
  /** Median of |ln estimate - ln error| of the error a week after a reading; null if the policy does not estimate it. */
  readonly estimateError: number | null;
}

/** Readings without a result, such as time-outs: they cost a request, and show nothing. */
const INCONCLUSIVE = 0.03;
const STEPS_A_DAY = Math.round(1 / STEP_DAYS);
/** Jitter of intervals, ±10 %, as the frontier's. */
const SPREAD = 0.2;
/** Bins of errors, logarithmic, for their quantiles. */
const BINS_A_UNIT = 40;
const FIRST_BIN = 16 * BINS_A_UNIT;

const quantile = (counts: Float64Array, q: number): number => {
  let left = counts.reduce((a, b) => a + b, 0) * q;
  for (const [bin, n] of counts.entries()) {
    left -= n;
    if (left <= 0) return bin;
  }
  return counts.length - 1;
};

/** The error of followers a week after a reading, from a step on. */
const weeklyErrorOf = ({ truth }: Trajectory, from: number): number => {
  const lag = Math.round(7 / STEP_DAYS);
  let [sum, n] = [0, 0];
  for (let at = from; at + lag < truth.length; at += 3, n++)
    sum += Math.abs((truth[at + lag] as number) - (truth[at] as number));
  return sum / n;
};

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
};

/** A crawl of a population in virtual time with a fixed number of requests. Policies see only what readings show. */
export const crawl = (policy: Policy, { population, seed, gapDays, from }: CrawlOptions): Outcome => {
  const accounts = population.length;
  const steps = population[0]?.truth.length ?? 0;
  const perDay = accounts / gapDays;
  const schedule = policy(accounts, perDay);
  const served = Float64Array.from(population, ({ shown }) => shown[0] as number);
  const readAt = new Int32Array(accounts);
  const requests = new Int32Array(accounts);
  const queue = Array.from({ length: steps }, (): number[] => []);
  const errors = new Float64Array(FIRST_BIN + 4 * BINS_A_UNIT);
  const ages = new Float64Array(steps);
  let [errorSum, tokens, waiting] = [0, 0, [] as number[]];

  const put = (account: number, step: number): void => {
    queue[Math.max(0, Math.ceil(step))]?.push(account);
  };
  /** Counts the errors of an account until it is read again. */
  const settle = (account: number, until: number): void => {
    const { truth } = population[account] as Trajectory;
    const ln = Math.log((served[account] as number) + 1);
    const begun = readAt[account] as number;
    for (let step = Math.max(from, begun); step < until; step++) {
      const error = Math.abs(ln - (truth[step] as number));
      errorSum += error;
      const bin = error === 0 ? 0 : Math.max(0, Math.ceil(Math.log(error) * BINS_A_UNIT) + FIRST_BIN);
      errors[bin] = (errors[bin] as number) + 1;
      ages[step - begun] = (ages[step - begun] as number) + 1;
    }
  };
  /** Records a conclusive reading. */
  const record = (account: number, step: number): void => {
    settle(account, step);
    const [before, after] = [served[account] as number, population[account]?.shown[step] as number];
    const days = (step - (readAt[account] as number)) * STEP_DAYS;
    schedule.observe(account, { days, before, after });
    served[account] = after;
    readAt[account] = step;
  };
  const request = (account: number, step: number): void => {
    if (step >= from) requests[account] = (requests[account] as number) + 1;
    const isConclusive = unit(mix(seed + account, step), 9) >= INCONCLUSIVE;
    if (isConclusive) record(account, step);
    const spread = 1 - SPREAD / 2 + SPREAD * unit(account, 5);
    put(account, step + (isConclusive ? (schedule.interval(account) * spread) / STEP_DAYS : STEPS_A_DAY));
  };

  schedule.retune(perDay * (1 - INCONCLUSIVE), 0);
  for (let account = 0; account < accounts; account++)
    put(account, 1 + (unit(account, 3) * gapDays) / STEP_DAYS);
  for (let step = 1; step < steps; step++) {
    if (step % STEPS_A_DAY === 0) schedule.retune(perDay * (1 - INCONCLUSIVE), step * STEP_DAYS);
    // A day's requests at most are saved up.
    tokens = Math.min(tokens + perDay * STEP_DAYS, Math.max(1, perDay));
    waiting.push(...(queue[step] as number[]));
    const now = waiting.slice(0, Math.floor(tokens));
    waiting = waiting.slice(now.length);
    tokens -= now.length;
    for (const account of now) request(account, step);
  }
  for (let account = 0; account < accounts; account++) settle(account, steps);

  const counted = accounts * (steps - from);
  const estimates = schedule.weeklyError;
  return {
    meanError: errorSum / counted,
    errorP95: Math.exp((quantile(errors, 0.95) - FIRST_BIN) / BINS_A_UNIT),
    agesDays: { p50: quantile(ages, 0.5) * STEP_DAYS, p95: quantile(ages, 0.95) * STEP_DAYS },
    neverRead: requests.filter((n) => n === 0).length / accounts,
    requests: requests.reduce((a, b) => a + b, 0),
    estimateError:
      estimates === undefined
        ? null
        : medianOf(
            population.flatMap((each, account) => {
              const error = weeklyErrorOf(each, from);
              return error > 0 ? [Math.abs(Math.log(estimates(account) / error))] : [];
            }),
          ),
  };
};
