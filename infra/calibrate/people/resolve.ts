import type { Candidate, Links } from '../../../src/write/people/account.ts';
import { type Clustering, clusterOf } from '../../../src/write/people/cluster.ts';
import { componentsAround } from '../../../src/write/people/components.ts';
import type { Model } from '../../../src/write/people/signals.ts';
import type { Labelled, Population } from './population.ts';

/** Components of a whole population at once. */
export const componentsOf = async (
  { byKey }: Pick<Population, 'byKey'>,
  links: Links,
): Promise<readonly (readonly Candidate[])[]> => {
  const graph = { out: links.out, load: async () => undefined, crowding: () => 0 };
  const components = await componentsAround(graph, new Set(byKey.keys()));
  return components.map(({ accounts }) => accounts.map((key) => (byKey.get(key) as Labelled).candidate));
};

/** Persons of a whole population at once. */
export const resolve = async (population: Population, model: Model): Promise<readonly Clustering[]> =>
  (await componentsOf(population, population.links)).map((all) => clusterOf(all, population.links, model));
