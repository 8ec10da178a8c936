import { hashOf, type Parameters } from '../../infra/simulator/world/parameters.ts';
import { drawDensities, expectedErrors, futureErrors, knowing } from './policies/oracle.ts';
import { ours } from './policies/ours.ts';
import { azar, fixed, lambdaCrawl, nutch, proportional, stormCrawler } from './policies/peers.ts';
import type { Policy } from './policies/policy.ts';
import { crawl, type Outcome } from './simulate.ts';
import { readPopulation, STEPS_A_WEEK, type Trajectory } from './trajectories.ts';

export interface Conditions {
  readonly accounts: number;
  /** Mean days between requests for an account. */
  readonly gapDays: number;
  /** Weeks in which policies learn, and weeks that count. */
  readonly learnWeeks: number;
  readonly weeks: number;
}

/** The name that the rule has in tables. */
export const OURS = 'by change';
export const ORACLE = 'oracle';
export const FIXED = 'fixed';
/** Knows each account's errors of the time that counts: no bar, as no policy can reach it. */
export const FUTURE = 'own future known';

const PEERS: Readonly<Record<string, Policy>> = {
  [FIXED]: fixed,
  proportional,
  'Nutch adaptive (0.2)': nutch,
  'StormCrawler adaptive (0.5)': stormCrawler,
  'Azar et al. 2018': azar,
  'LambdaCrawl 2019': lambdaCrawl,
  [OURS]: ours,
};

export interface WorldResult {
  readonly hash: string;
  /** Outcomes by policy, one a seed. */
  readonly outcomes: Readonly<Record<string, readonly Outcome[]>>;
  readonly seeds: number;
}

/** Policies crawl the populations of a document, one of each seed. @param only those named, and not all. */
export const compare = (
  parameters: Parameters,
  seeds: readonly number[],
  { accounts, gapDays, learnWeeks, weeks }: Conditions,
  { done, only }: { readonly done?: (seed: number) => void; readonly only?: readonly string[] } = {},
): WorldResult => {
  const densities = drawDensities(parameters);
  const from = learnWeeks * STEPS_A_WEEK;
  const policies = (population: readonly Trajectory[]): Readonly<Record<string, Policy>> => ({
    ...PEERS,
    [ORACLE]: knowing(expectedErrors(parameters, densities, population), { learns: true }),
    [FUTURE]: knowing(futureErrors(population, from)),
  });
  const outcomes: Record<string, Outcome[]> = {};
  for (const seed of seeds) {
    const population = readPopulation({ parameters, seed, accounts, weeks: learnWeeks + weeks });
    for (const [name, policy] of Object.entries(policies(population))) {
      if (only?.includes(name) === false) continue;
      const all = outcomes[name] ?? [];
      outcomes[name] = all;
      all.push(crawl(policy, { population, seed, gapDays, from }));
    }
    done?.(seed);
  }
  return { hash: hashOf(parameters), outcomes, seeds: seeds.length };
};
