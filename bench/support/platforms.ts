import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { serve } from './child.ts';

/** The simulated platforms, in a process of their own: `size` starts them, null asks what they were sent so far. */
export type PlatformsQuestion = { readonly size: number; readonly seed: number } | null;

export interface PlatformsAnswer {
  readonly url: string;
  readonly requests: number;
  /** Those of one platform. */
  readonly requestsOf: Readonly<Record<Platform, number>>;
  readonly seeds: Readonly<Record<Platform, readonly string[]>>;
}

const SEEDS = 200;

let simulator: Simulator | undefined;
let seeds: PlatformsAnswer['seeds'];

const answer = async (question: PlatformsQuestion): Promise<PlatformsAnswer> => {
  if (question !== null) {
    await simulator?.close();
    simulator = await startSimulator(question);
    const { world } = simulator;
    const named = PLATFORMS.map((platform) => [platform, seedsOf(world, platform, SEEDS, Date.now())]);
    seeds = Object.fromEntries(named) as typeof seeds;
  }
  if (simulator === undefined) throw new Error('the platforms were not started');
  const requests = Object.values(simulator.requests).reduce((sum, { total }) => sum + total, 0);
  const requestsOf = Object.fromEntries(
    Object.entries(simulator.requests).map(([platform, { total }]) => [platform, total]),
  ) as PlatformsAnswer['requestsOf'];
  return { url: simulator.url, requests, requestsOf, seeds };
};

if (import.meta.main) serve(answer, async () => simulator?.close());
