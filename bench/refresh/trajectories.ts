import { PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import type { Traits } from '../../infra/simulator/world/traits.ts';
import { createWorld } from '../../infra/simulator/world/world.ts';

export const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** The world's walks are straight between instants so far apart, so that nothing is lost between two of them. */
const GRID = WEEK / 16;
/** Steps of the simulation in a step of that grid. */
const SUBSTEPS = 3;
export const STEP = GRID / SUBSTEPS;
export const STEP_DAYS = STEP / DAY;
export const STEPS_A_WEEK = 16 * SUBSTEPS;

/** Accounts are at least a year old here: before, an account of the world grows by a law of its own, whatever it is like. */
export const BEGIN = Date.UTC(2026, 2, 1);
const YOUTH = 365 * DAY;

/** What followed an account in the world, step by step. */
export interface Trajectory {
  readonly platform: Platform;
  readonly traits: Traits;
  /** Followers at the beginning, before rounding down. */
  readonly size: number;
  /** ln(followers + 1). */
  readonly truth: Float64Array;
  /** Followers as the platform shows them. */
  readonly shown: Float64Array;
}

/** YouTube shows three digits; all other platforms have a surface that shows the exact number. */
const shownBy = (platform: Platform, followers: number): number => {
  if (platform !== 'youtube' || followers < 1_000) return followers;
  const unit = 10 ** (Math.floor(Math.log10(followers)) - 2);
  return Math.floor(followers / unit) * unit;
};

export interface PopulationOptions {
  readonly parameters: Parameters;
  readonly seed: number;
  readonly accounts: number;
  readonly weeks: number;
}

/** Accounts of all platforms whose youth has passed and that exist for the whole time, and their followers at every step. */
export const readPopulation = ({
  parameters,
  seed,
  accounts,
  weeks,
}: PopulationOptions): readonly Trajectory[] => {
  const world = createWorld({ seed, size: 50_000, parameters });
  const steps = weeks * STEPS_A_WEEK;
  const end = BEGIN + steps * STEP;

  const exists = (platform: Platform, index: number, at: number): boolean => {
    const { key, createdAt } = world.hidden.traits(platform, index);
    if (createdAt > BEGIN - YOUTH) return false;
    const status = world.hidden.lifecycle.statusAt(platform, key, createdAt, at);
    return status === 'active' || status === 'private';
  };
  const isCounted = (platform: Platform, index: number): boolean => {
    const { kind } = world.hidden.traits(platform, index);
    // Telegram shows no count of people and bots.
    return platform !== 'telegram' || (kind !== 'person' && kind !== 'bot');
  };

  const read = (platform: Platform, index: number): Trajectory => {
    const at = (n: number) => world.hidden.followers(platform, index, BEGIN + n * GRID);
    const truth = new Float64Array(steps);
    const shown = new Float64Array(steps);
    let [from, to] = [at(0), at(0)];
    for (let n = 0; n < steps; n++) {
      if (n % SUBSTEPS === 0) [from, to] = [to, at(n / SUBSTEPS + 1)];
      const followers = Math.floor(from + ((to - from) * (n % SUBSTEPS)) / SUBSTEPS);
      truth[n] = Math.log(followers + 1);
      shown[n] = shownBy(platform, followers);
    }
    return { platform, traits: world.hidden.traits(platform, index), size: at(0), truth, shown };
  };

  return PLATFORMS.flatMap((platform) => {
    const found: Trajectory[] = [];
    for (let index = 0; found.length < Math.ceil(accounts / PLATFORMS.length) && index < world.size; index++)
      if (isCounted(platform, index) && exists(platform, index, BEGIN) && exists(platform, index, end))
        found.push(read(platform, index));
    return found;
  });
};
