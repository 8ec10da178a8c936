import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import { ours } from './policies/ours.ts';
import { epsilonGreedy, equalShares, lastYield, oracle } from './policies/peers.ts';
import type { Policy } from './policies/policy.ts';
import { createPools, POOLS } from './world.ts';

export interface Conditions {
  readonly hours: number;
  readonly requestsPerHour: number;
}

export const OURS = 'Thompson, discounted';
export const ORACLE = 'oracle';
export const EQUAL = 'equal shares';

const POLICIES: Readonly<Record<string, Policy>> = {
  [EQUAL]: equalShares,
  'last yield': lastYield,
  'epsilon-greedy (0.1)': epsilonGreedy(0.1),
  [OURS]: ours(),
  [ORACLE]: oracle,
};

/** New accounts found until the end of each hour. */
export type Course = readonly number[];

/** A policy at work on the pools of a seed, in virtual time. What is left of a request is carried over. */
const crawl = (policy: Policy, parameters: Parameters, seed: number, conditions: Conditions): Course => {
  const { hours, requestsPerHour } = conditions;
  const world = createPools(parameters, seed, hours);
  const allocation = policy(POOLS, seed, world.yields);
  const left = new Array<number>(POOLS).fill(0);
  const course: number[] = [];
  for (let hour = 0; hour < hours; hour++) {
    const shares = allocation.shares(hour);
    const sum = shares.reduce((a, b) => a + b, 0);
    const found = shares.map((share, n) => {
      const due = (left[n] as number) + (requestsPerHour * share) / sum;
      const requests = Math.floor(due + 1e-9);
      left[n] = due - requests;
      return { requests, discovered: world.read(n, requests) };
    });
    allocation.observe(hour, found);
    course.push((course.at(-1) ?? 0) + found.reduce((total, { discovered }) => total + discovered, 0));
    world.next();
  }
  return course;
};

/** Courses by policy, one a seed. */
export type WorldResult = Readonly<Record<string, readonly Course[]>>;

export const compare = (
  parameters: Parameters,
  seeds: readonly number[],
  conditions: Conditions,
  done: (seed: number) => void = () => undefined,
): WorldResult => {
  const courses: Record<string, Course[]> = {};
  for (const seed of seeds) {
    for (const [name, policy] of Object.entries(POLICIES)) {
      const all = courses[name] ?? [];
      courses[name] = all;
      all.push(crawl(policy, parameters, seed, conditions));
    }
    done(seed);
  }
  return courses;
};
