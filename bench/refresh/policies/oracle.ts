import { createGrowth } from '../../../infra/simulator/world/growth.ts';
import { mix, unit } from '../../../infra/simulator/world/hash.ts';
import type { Parameters } from '../../../infra/simulator/world/parameters.ts';
import { createSizes } from '../../../infra/simulator/world/sizes.ts';
import { BEGIN, DAY, STEP_DAYS, type Trajectory } from '../trajectories.ts';
import { bounded, factorFor, type Policy, readingsAt } from './policy.ts';

/** Gaps in days at which errors are tabulated. */
export const GAPS: readonly number[] = Array.from({ length: 24 }, (_, n) => 0.25 * 720 ** (n / 23));
const DRAWS = 600;

/** Draws of what happens to ln followers over each gap: of the walk with deviation 1 a week, and of jumps and purges. */
export interface Densities {
  readonly walk: readonly Float64Array[];
  readonly shocks: readonly Float64Array[];
}

/** Draws from the densities of a document, of accounts and worlds that are in no population. */
export const drawDensities = (parameters: Parameters): Densities => {
  const sizes = createSizes(parameters);
  const calm: Parameters = {
    ...parameters,
    growth: { ...parameters.growth, jumps: 0 },
    purges: { ...parameters.purges, rate: 0 },
  };
  const walking = createGrowth(1, calm, sizes);
  const walk = GAPS.map(() => new Float64Array(DRAWS));
  const shocks = GAPS.map(() => new Float64Array(DRAWS));
  // Small, so that the account is below the knee of sizes at any time.
  const SMALL = 0.001;
  for (let draw = 0; draw < DRAWS; draw++) {
    const key = mix(977_777, draw);
    const traits = { key, size: 1_000, createdAt: Date.UTC(2000, 0, 1), trend: 0 };
    const from = BEGIN + unit(key, 1) * 365 * DAY;
    const shocked = createGrowth(5_000_000 + draw, parameters, sizes);
    const walked = (at: number) => Math.log(walking.at('x', { ...traits, volatility: SMALL }, at)) / SMALL;
    const jumped = (at: number) => Math.log(shocked.at('x', { ...traits, volatility: 0 }, at));
    const [a, b] = [walked(from), jumped(from)];
    for (const [n, gap] of GAPS.entries()) {
      (walk[n] as Float64Array)[draw] = walked(from + gap * DAY) - a;
      (shocks[n] as Float64Array)[draw] = jumped(from + gap * DAY) - b;
    }
  }
  return { walk, shocks };
};

/** The expected error of each account after each gap, by its own volatility, trend and size. */
export const expectedErrors = (
  parameters: Parameters,
  { walk, shocks }: Densities,
  population: readonly Trajectory[],
): readonly Float64Array[] => {
  const sizes = createSizes(parameters);
  return population.map(({ platform, traits: { size: anchor, volatility, trend }, size }) => {
    // Above the knee a change of the draw behind a size is a smaller one of the size; the error is that of followers + 1.
    const [less, more] = [sizes.moved(platform, anchor, -0.05), sizes.moved(platform, anchor, 0.05)];
    const slope = ((Math.log(more / less) / 0.1) * size) / (size + 1);
    return Float64Array.from(GAPS, (gap, n) => {
      const [steps, jumps] = [walk[n] as Float64Array, shocks[n] as Float64Array];
      let sum = 0;
      for (let draw = 0; draw < DRAWS; draw++)
        sum += Math.abs(volatility * (steps[draw] as number) + trend * gap + (jumps[draw] as number));
      return (slope * sum) / DRAWS;
    });
  });
};

/** The mean error of each account after each gap that its own future will have, from a step on: no policy can know it. */
export const futureErrors = (population: readonly Trajectory[], from: number): readonly Float64Array[] =>
  population.map(({ truth }) => {
    let least = 0;
    return Float64Array.from(GAPS, (gap) => {
      const lag = Math.max(1, Math.round(gap / STEP_DAYS));
      let [sum, n] = [0, 0];
      for (let at = from; at + lag < truth.length; at += 5) {
        sum += Math.abs((truth[at + lag] as number) - (truth[at] as number));
        n++;
      }
      least = n === 0 ? least : Math.max(least, sum / n);
      return least;
    });
  });

/** Days until t·e(t) - ∫e reaches a threshold. @param errors after each of the gaps. */
const gapUntil = (errors: Float64Array, threshold: number): number => {
  let [area, day, error, reached] = [0, 0, 0, 0];
  for (const [n, gap] of GAPS.entries()) {
    const next = errors[n] as number;
    area += ((gap - day) * (next + error)) / 2;
    const divergence = gap * next - area;
    if (divergence >= threshold) return day + ((gap - day) * (threshold - reached)) / (divergence - reached);
    [day, error, reached] = [gap, next, divergence];
  }
  return Number.POSITIVE_INFINITY;
};

/** The expected error after any gap. */
const errorAfter = (errors: Float64Array, days: number): number => {
  const next = GAPS.findIndex((gap) => gap >= days);
  if (next <= 0) return ((errors[0] as number) * days) / (GAPS[0] as number);
  const [from, to] = [GAPS[next - 1] as number, GAPS[next] as number];
  const [a, b] = [errors[next - 1] as number, errors[next] as number];
  return a + ((b - a) * (days - from)) / (to - from);
};

/** Of earlier readings, so that the factor follows the weeks in which an account is livelier than it is on average. */
const KEPT = 1 - 1 / 12;
const PRIOR_READINGS = 0.5;

/**
 * The threshold rule with known errors. @param learns whether it corrects them by what its readings showed: walks have calm and
 * lively weeks, and an account may have had no jump for years.
 */
export const knowing =
  (errors: readonly Float64Array[], { learns = false }: { readonly learns?: boolean } = {}): Policy =>
  (accounts) => {
    const intervals = new Float64Array(accounts);
    const moved = new Float64Array(accounts);
    const expected = new Float64Array(accounts);
    const factors = new Float64Array(accounts).fill(1);
    let threshold = 0;
    const plan = (account: number) =>
      bounded(gapUntil(errors[account] as Float64Array, threshold / (factors[account] as number)));
    let [planned, sincePlan] = [0, 0];
    return {
      interval: (account) => (learns ? plan(account) : (intervals[account] as number)),
      observe: (account, { days, before, after }) => {
        if (!learns) return;
        const own = errors[account] as Float64Array;
        const change = Math.abs(Math.log((after + 1) / (before + 1)));
        moved[account] = (moved[account] as number) * KEPT + change;
        expected[account] = (expected[account] as number) * KEPT + errorAfter(own, days);
        // A reading can show no less than a follower.
        const prior = PRIOR_READINGS * (errorAfter(own, days) + Math.log1p(1 / (after + 1)));
        factors[account] = Math.max(
          1e-3,
          (prior + (moved[account] as number)) / (prior + (expected[account] as number)),
        );
      },
      retune: (rate) => {
        sincePlan++;
        const isCurrent = learns ? sincePlan < 7 : true;
        if (isCurrent && Math.abs(rate / planned - 1) < 0.002) return;
        [planned, sincePlan] = [rate, 0];
        factorFor(rate, (by) => {
          threshold = by;
          for (let account = 0; account < accounts; account++) intervals[account] = plan(account);
          return readingsAt(accounts, (account) => intervals[account] as number);
        });
      },
    };
  };
