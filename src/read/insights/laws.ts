import { type Dependence, type Persistences, persistencesOf } from '../../analysis/engagement.ts';
import { type PaceLaw, USUAL_PACE } from '../../analysis/pace.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Population, PopulationReads } from './populations.ts';

/** What figures of an account take from its population. */
export interface Laws {
  /** Null before it was computed. */
  readonly population: Population | null;
  readonly persistences: Persistences;
  readonly pace: PaceLaw;
}

const PUBLISHED: Laws = { population: null, persistences: persistencesOf(), pace: USUAL_PACE };

/** By population: it is read again every few seconds, and is another one a few times a day. */
const known = new WeakMap<Population, Laws>();

const lawsIn = (population: Population): Laws => {
  const before = known.get(population);
  if (before !== undefined) return before;
  const { dependence, pace } = population.counts;
  const laws = { population, persistences: persistencesOf(dependence as unknown as Dependence), pace };
  known.set(population, laws);
  return laws;
};

/** How posts of a platform's accounts depend on one another and vary; published figures until that is computed. */
export const readLaws = async (populations: PopulationReads, platform: Platform): Promise<Laws> => {
  const population = await populations.of(platform);
  return population === null ? PUBLISHED : lawsIn(population);
};
