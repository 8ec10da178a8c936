import { isPage, MAX_SHARERS } from '../../../src/write/people/account.ts';
import { type Clustering, clusterOf } from '../../../src/write/people/cluster.ts';
import { type Edge, edgeBetween, MAX_COMPONENT, type Model } from '../../../src/write/people/signals.ts';
import type { Labelled, Population } from './population.ts';

const neighboursOf = (population: Population, { candidate }: Labelled) => {
  const { byKey, links } = population;
  const near = new Set([...links.out(candidate.key), ...population.linkedFrom(candidate.key)]);
  for (const page of candidate.targets.filter(isPage)) {
    const sharers = population.sharersOf(page);
    if (sharers.length <= MAX_SHARERS) for (const key of sharers) near.add(key);
  }
  near.delete(candidate.key);
  return [...near].flatMap((key) => {
    const other = byKey.get(key) as Labelled;
    const edge = edgeBetween(candidate, other.candidate, links);
    return edge === null ? [] : [{ key, edge }];
  });
};

const componentFrom = (
  start: string,
  edges: ReadonlyMap<string, readonly { readonly key: string; readonly edge: Edge }[]>,
  kinds: readonly Edge[],
): string[] => {
  const found = new Set([start]);
  for (const key of found)
    for (const { key: next, edge } of edges.get(key) ?? []) if (kinds.includes(edge)) found.add(next);
  return [...found];
};

/** Persons of a whole population at once. */
export const resolve = (population: Population, model: Model): readonly Clustering[] => {
  const edges = new Map(population.accounts.map((one) => [one.candidate.key, neighboursOf(population, one)]));
  const done = new Set<string>();
  const results: Clustering[] = [];
  const cluster = (keys: readonly string[]) => {
    const members = keys.map((key) => (population.byKey.get(key) as Labelled).candidate);
    results.push(clusterOf(members, population.links, model));
  };
  for (const { candidate } of population.accounts) {
    if (done.has(candidate.key)) continue;
    const whole = componentFrom(candidate.key, edges, ['strong', 'weak']);
    for (const key of whole) done.add(key);
    if (whole.length <= MAX_COMPONENT) {
      cluster(whole);
      continue;
    }
    const left = new Set(whole);
    for (const key of left) {
      const core = componentFrom(key, edges, ['strong']);
      for (const one of core) left.delete(one);
      if (core.length <= MAX_COMPONENT) cluster(core);
      else for (const one of core) cluster([one]);
    }
  }
  return results;
};
