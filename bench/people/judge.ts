import { type Labelled, OLDER_TAKER, type Population } from '../../infra/calibrate/people/population.ts';
import type { Candidate } from '../../src/write/people/account.ts';
import { type Clustering, membershipOf } from '../../src/write/people/cluster.ts';
import { componentsAround } from '../../src/write/people/components.ts';
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
  /** Pairs with one who took a handle over before anybody read who had it: they are judged apart. */
  readonly olderPairs: number;
  /** Pairs of one person that evidence of both sides joins, and how many of them were found. */
  readonly joined: number;
  readonly found: number;
  readonly allPairs: number;
  /** Pairs of one person that were not found, of which a person's account points at the other. */
  readonly claimedPairs: number;
  /** Accounts that are in a group with somebody else's. */
  readonly mergedByKind: Readonly<Record<string, number>>;
  readonly accountsByKind: Readonly<Record<string, number>>;
  readonly stated: readonly Stated[];
}

/** The part of its person that an account belongs to: accounts that evidence of both sides joins. */
const partsOf = async (population: Population): Promise<(key: string) => string> => {
  const { byKey, links } = population;
  const personOf = (key: string) => (byKey.get(key) as Labelled).person;
  const own = {
    load: async () => undefined,
    candidate: (key: string) => byKey.get(key)?.candidate,
    crowding: () => 0,
    out: (key: string) => new Map([...links.out(key)].filter(([to]) => personOf(to) === personOf(key))),
  };
  const parts = new Map<string, string>();
  for (const { accounts } of await componentsAround(own, new Set(byKey.keys())))
    for (const key of accounts) parts.set(key, accounts[0] as string);
  return (key) => parts.get(key) as string;
};

/** Right is who is of the person that most others of the group are of. */
const statedOf = (population: Population, group: readonly Candidate[], model: Model): readonly Stated[] =>
  group.flatMap((account) => {
    const membership = membershipOf(account, group, { links: population.links, model });
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

/** Whether nothing tells an account from its victim: it is judged apart. */
export const isOlderTaker =
  ({ byKey }: Population) =>
  ({ key }: Candidate): boolean =>
    byKey.get(key)?.kind === OLDER_TAKER;

/** Judges persons against the truth. */
export const judge = async (
  population: Population,
  results: readonly Clustering[],
  model: Model,
): Promise<Score> => {
  const { byKey, links } = population;
  const partOf = await partsOf(population);
  const groups = results.flatMap((one) => one.groups);
  const groupOf = new Map(groups.flatMap((group) => group.map(({ key }) => [key, group] as const)));
  const [mergedByKind, accountsByKind] = [new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const { kind } of population.accounts) add(accountsByKind, kind);
  let [truePairs, falsePairs, olderPairs, found] = [0, 0, 0, 0];
  for (const group of groups) {
    const labelled = group.map(({ key }) => byKey.get(key) as Labelled);
    for (const [n, one] of labelled.entries()) {
      if (labelled.some((other) => other.person !== one.person)) add(mergedByKind, one.kind);
      for (const other of labelled.slice(n + 1)) {
        if (one.person !== other.person) {
          if (one.kind === OLDER_TAKER || other.kind === OLDER_TAKER) olderPairs++;
          else falsePairs++;
          continue;
        }
        truePairs++;
        if (partOf(one.candidate.key) === partOf(other.candidate.key)) found++;
      }
    }
  }
  const claims = (from: string, to: string): boolean =>
    groupOf.get(from)?.some(({ key }) => links.out(key).has(to)) === true;
  let [allPairs, claimedPairs, joined] = [0, 0, 0];
  for (const own of Map.groupBy(population.accounts, ({ person }) => person).values())
    for (const [n, { candidate: one }] of own.entries())
      for (const { candidate: other } of own.slice(n + 1)) {
        allPairs++;
        if (partOf(one.key) === partOf(other.key)) joined++;
        if (groupOf.get(one.key) === groupOf.get(other.key)) continue;
        if (claims(one.key, other.key) || claims(other.key, one.key)) claimedPairs++;
      }
  return {
    truePairs,
    falsePairs,
    olderPairs,
    joined,
    found,
    allPairs,
    claimedPairs,
    mergedByKind: Object.fromEntries(mergedByKind),
    accountsByKind: Object.fromEntries(accountsByKind),
    stated: groups
      .filter((group) => !group.some(isOlderTaker(population)))
      .flatMap((group) => statedOf(population, group, model)),
  };
};

/** A bin of stated confidences. */
export interface Bin {
  readonly confidence: number;
  readonly right: number;
  readonly n: number;
}

const BINS = 20;

const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

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
