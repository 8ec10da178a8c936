import type { Labelled, Population } from '../../infra/calibrate/people/population.ts';
import { type Candidate, isPage, MAX_SHARERS } from '../../src/write/people/account.ts';
import { type Clustering, membershipOf } from '../../src/write/people/cluster.ts';
import { type Model, probabilityOf } from '../../src/write/people/signals.ts';

/** A stated confidence and what came of it. */
export interface Stated {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Counts of one population. */
export interface Score {
  readonly truePairs: number;
  readonly falsePairs: number;
  /** Pairs of one person that a path of visible links joins, and how many of them were found. */
  readonly joined: number;
  readonly found: number;
  readonly allPairs: number;
  readonly b3: { readonly precision: number; readonly recall: number };
  /** Share of the persons with several joined accounts of whom exactly these were found. */
  readonly exact: number;
  /** False pairs by the kind of account that should not be there. */
  readonly byKind: Readonly<Record<string, number>>;
  readonly accountsByKind: Readonly<Record<string, number>>;
  readonly stated: readonly Stated[];
}

const pairs = (n: number): number => (n * (n - 1)) / 2;
const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

/** The part of its person that an account belongs to, by the paths of visible links between accounts of one person. */
const partsOf = (population: Population): ((key: string) => string) => {
  const root = new Map<string, string>();
  const find = (key: string): string => {
    let at = key;
    while ((root.get(at) ?? at) !== at) at = root.get(at) as string;
    return at;
  };
  const { byKey, links } = population;
  for (const { candidate, person } of population.accounts) {
    const pages = candidate.targets.filter(isPage).map((page) => population.sharersOf(page));
    const near = [...links.out(candidate.key), ...pages.filter(({ length }) => length <= MAX_SHARERS).flat()];
    for (const key of near)
      if ((byKey.get(key) as Labelled).person === person) root.set(find(candidate.key), find(key));
  }
  return find;
};

/** Right is who is of the person that most others of the group are of. */
const statedOf = (
  population: Population,
  all: readonly Candidate[],
  group: readonly Candidate[],
  model: Model,
): readonly Stated[] =>
  group.flatMap((account) => {
    const membership = membershipOf(account, group, { links: population.links, model, all });
    if (membership === null) return [];
    const personOf = ({ key }: Candidate) => (population.byKey.get(key) as Labelled).person;
    const others = Map.groupBy(
      group.filter((one) => one !== account),
      personOf,
    );
    const most = Math.max(...[...others.values()].map(({ length }) => length));
    return [
      {
        confidence: probabilityOf(membership.logOdds),
        isRight: others.get(personOf(account))?.length === most,
      },
    ];
  });

/** Judges persons against the truth. */
export const judge = (population: Population, results: readonly Clustering[], model: Model): Score => {
  const { byKey } = population;
  const partOf = partsOf(population);
  const [byKind, accountsByKind]: [Record<string, number>, Record<string, number>] = [{}, {}];
  let [truePairs, falsePairs, found] = [0, 0, 0];
  const groupOf = new Map<string, readonly Candidate[]>();
  const stated: Stated[] = [];
  for (const { kind } of population.accounts) accountsByKind[kind] = (accountsByKind[kind] ?? 0) + 1;
  for (const { groups } of results) {
    const all = groups.flat();
    for (const group of groups) {
      stated.push(...statedOf(population, all, group, model));
      for (const [n, a] of group.entries()) {
        groupOf.set(a.key, group);
        for (const b of group.slice(n + 1)) {
          const [one, other] = [byKey.get(a.key) as Labelled, byKey.get(b.key) as Labelled];
          if (one.person === other.person) {
            truePairs++;
            if (partOf(a.key) === partOf(b.key)) found++;
          } else {
            falsePairs++;
            for (const kind of new Set([one.kind, other.kind]))
              if (kind !== 'person') byKind[kind] = (byKind[kind] ?? 0) + 1;
          }
        }
      }
    }
  }
  const persons = Map.groupBy(population.accounts, ({ person }) => person);
  const parts = Map.groupBy(population.accounts, ({ candidate }) => partOf(candidate.key));
  const [precisions, recalls]: [number[], number[]] = [[], []];
  let [several, exact] = [0, 0];
  for (const part of parts.values()) {
    const groups = part.map(({ candidate }) => groupOf.get(candidate.key) as readonly Candidate[]);
    for (const [n, group] of groups.entries()) {
      const { person } = part[n] as Labelled;
      const own = group.filter(({ key }) => (byKey.get(key) as Labelled).person === person).length;
      precisions.push(own / group.length);
      const inPart = group.filter(({ key }) => part.some(({ candidate }) => candidate.key === key)).length;
      recalls.push(inPart / part.length);
    }
    if (part.length < 2) continue;
    several++;
    if (groups[0]?.length === part.length && recalls.at(-1) === 1) exact++;
  }
  return {
    truePairs,
    falsePairs,
    joined: [...parts.values()].reduce((sum, { length }) => sum + pairs(length), 0),
    found,
    allPairs: [...persons.values()].reduce((sum, { length }) => sum + pairs(length), 0),
    b3: { precision: mean(precisions), recall: mean(recalls) },
    exact: exact / Math.max(1, several),
    byKind,
    accountsByKind,
    stated,
  };
};

/** A bin of a reliability diagram. */
export interface Bin {
  readonly confidence: number;
  readonly right: number;
  readonly n: number;
}

const BINS = 20;

/** Bins of equal width over stated confidences. */
export const reliabilityOf = (stated: readonly Stated[]): readonly Bin[] =>
  [...Map.groupBy(stated, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)))]
    .toSorted(([a], [b]) => a - b)
    .map(([, some]) => ({
      confidence: mean(some.map(({ confidence }) => confidence)),
      right: mean(some.map(({ isRight }) => (isRight ? 1 : 0))),
      n: some.length,
    }));

/** Expected calibration error: how far what was stated is from what was right, on average (Naeini et al. 2015). */
export const calibrationError = (stated: readonly Stated[]): number =>
  reliabilityOf(stated).reduce((sum, bin) => sum + bin.n * Math.abs(bin.confidence - bin.right), 0) /
  Math.max(1, stated.length);
