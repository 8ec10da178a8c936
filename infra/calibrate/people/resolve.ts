import { type Clustering, clusterOf } from '../../../src/write/people/cluster.ts';
import { componentsAround } from '../../../src/write/people/components.ts';
import type { Model } from '../../../src/write/people/signals.ts';
import type { Labelled, Population } from './population.ts';

/** Persons of a whole population at once. */
export const resolve = async ({ byKey, links }: Population, model: Model): Promise<readonly Clustering[]> => {
  const graph = {
    out: links.out,
    load: async () => undefined,
    candidate: (key: string) => byKey.get(key)?.candidate,
    crowding: () => 0,
  };
  const components = await componentsAround(graph, new Set(byKey.keys()));
  return components.map(({ accounts }) =>
    clusterOf(
      accounts.map((key) => (byKey.get(key) as Labelled).candidate),
      links,
      model,
    ),
  );
};
