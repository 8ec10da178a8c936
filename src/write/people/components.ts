/** Accounts that are compared with each other: those that point at each other, directly or through others of their owner. */

import type { Candidate, Links } from './account.ts';
import { compareGroups } from './cluster.ts';
import { isAdmissible, MAX_COMPONENT, MODEL } from './signals.ts';

/** Accounts whose links are read as they are needed. */
export interface Graph extends Links {
  /** Reads whom accounts point at. */
  load(keys: readonly string[]): Promise<void>;
  /** An account that was loaded; undefined if there is none. */
  candidate(key: string): Candidate | undefined;
  /** How much the component of an account exceeded what is compared when it was found last. */
  crowding(key: string): number;
}

/** Accounts that are resolved together. */
export interface Component {
  readonly accounts: readonly string[];
  /**
   * 0 usually; 1 if it is a part of one with too many accounts, in which links between two accounts count alone; 2 if even these
   * connect too many, and those count that make two accounts one person by themselves; 3 if those do, too.
   */
  readonly crowding: number;
}

/** Sets of accounts that are known to be connected (Tarjan 1975). */
class Sets {
  readonly #parent = new Map<string, string>();
  readonly #members = new Map<string, string[]>();

  root(key: string): string {
    let at = key;
    for (let up = this.#parent.get(at); up !== undefined && up !== at; up = this.#parent.get(at)) at = up;
    if (at !== key) this.#parent.set(key, at);
    return at;
  }

  members(key: string): readonly string[] {
    const root = this.root(key);
    return this.#members.get(root) ?? [root];
  }

  join(a: string, b: string): void {
    const [one, other] = [this.root(a), this.root(b)];
    if (one === other) return;
    const [large, small] =
      this.members(one).length >= this.members(other).length ? [one, other] : [other, one];
    const members = this.#members.get(large) ?? [large];
    for (const member of this.members(small)) members.push(member);
    this.#members.set(large, members);
    this.#members.delete(small);
    this.#parent.set(small, large);
  }
}

/** Accounts that an account and others each point at. */
const answering = (graph: Graph, key: string): readonly string[] =>
  [...graph.out(key).keys()].filter((other) => graph.out(other).has(key));

/** Those of them that are of one person with it even if nothing else is known. */
const likely = (graph: Graph, key: string): readonly string[] => {
  const one = graph.candidate(key);
  return answering(graph, key).filter((to) => {
    const other = graph.candidate(to);
    if (one === undefined || other === undefined) return false;
    const comparison = compareGroups([one], [other], { links: graph, model: MODEL });
    return comparison !== null && isAdmissible(comparison) && comparison.logOdds >= MODEL.threshold;
  });
};

/** Sets of accounts that links of one kind connect, and how crowded an account is whose set is too large. */
interface Level {
  readonly sets: Sets;
  readonly reached: Set<string>;
  readonly next: (graph: Graph, key: string) => readonly string[];
  readonly crowding: number;
}

const isLargeIn = ({ sets }: Level, key: string): boolean => sets.members(key).length > MAX_COMPONENT;

/**
 * Joins accounts that point at each other, from some on, in waves: each wave reads what all of its accounts need together. Sets that
 * are too large are followed only through accounts that were in none when they were found last, so that a huge one costs its
 * newcomers alone.
 */
const joinPairs = async (graph: Graph, level: Level, from: Iterable<string>) => {
  const { sets, reached, crowding } = level;
  let wave = [...new Set(from)].filter((key) => !reached.has(key));
  while (wave.length > 0) {
    for (const key of wave) reached.add(key);
    await graph.load(wave);
    await graph.load(wave.flatMap((key) => [...graph.out(key).keys()]));
    const next = new Set<string>();
    for (const key of wave)
      for (const other of level.next(graph, key)) {
        sets.join(key, other);
        if (!reached.has(other)) next.add(other);
      }
    wave = [...next].filter((key) => graph.crowding(key) < crowding || !isLargeIn(level, key));
  }
};

/**
 * The components that some accounts are in: sets of accounts that point at each other, and sets of which each points at the other,
 * which takes the owners of both. A component with more than `MAX_COMPONENT` accounts falls into its sets; one that is still too
 * large into sets of accounts that are likely one person's, since anyone may have linked to many; and such a one into its accounts.
 * Who points at others without an answer is never read.
 */
export const componentsAround = async (
  graph: Graph,
  seeds: ReadonlySet<string>,
): Promise<readonly Component[]> => {
  const paired: Level = { sets: new Sets(), reached: new Set(), next: answering, crowding: 2 };
  const pairs = paired.sets;
  await joinPairs(graph, paired, seeds);
  const isLarge = (key: string) => isLargeIn(paired, key);
  const pointedAt = (key: string): readonly string[] =>
    pairs.members(key).flatMap((member) => [...graph.out(member).keys()]);
  // Of a set that is too large since now, all accounts change, and who was of one component through it.
  const crowded = [...paired.reached].filter(
    (key) => isLarge(key) && (seeds.has(key) || graph.crowding(key) < 2),
  );
  await joinPairs(
    graph,
    paired,
    crowded.flatMap((key) => (graph.crowding(key) < 2 ? [...graph.out(key).keys()] : [])),
  );
  const joined = new Sets();
  const visited = new Set<string>();
  let wave = [...paired.reached].filter((key) => !isLarge(key));
  while (wave.length > 0) {
    await joinPairs(graph, paired, wave.flatMap(pointedAt));
    const next = new Set<string>();
    for (const key of wave) {
      const own = pairs.root(key);
      if (visited.has(own) || isLarge(own)) continue;
      visited.add(own);
      for (const member of pairs.members(own)) joined.join(own, member);
      for (const other of pointedAt(own)) {
        if (isLarge(other) || pairs.root(other) === own) continue;
        if (!pointedAt(other).some((key) => pairs.root(key) === own)) continue;
        joined.join(own, other);
        next.add(other);
      }
    }
    wave = [...next].filter((key) => graph.crowding(key) < 1 || joined.members(key).length <= MAX_COMPONENT);
  }
  const close: Level = { sets: new Sets(), reached: new Set(), next: likely, crowding: 3 };
  await joinPairs(graph, close, crowded);
  return [
    ...partsOf(
      [...seeds, ...[...visited].flatMap((key) => pairs.members(key))].filter((key) => !isLarge(key)),
      (key) =>
        joined.members(key).length > MAX_COMPONENT
          ? { accounts: pairs.members(key), crowding: 1 }
          : { accounts: joined.members(key), crowding: 0 },
    ),
    ...partsOf(close.reached, (key) =>
      isLargeIn(close, key)
        ? { accounts: [key], crowding: 3 }
        : { accounts: close.sets.members(key), crowding: 2 },
    ),
  ];
};

const partsOf = (keys: Iterable<string>, componentOf: (key: string) => Component): readonly Component[] => {
  const components: Component[] = [];
  const done = new Set<string>();
  for (const key of keys) {
    if (done.has(key)) continue;
    const component = componentOf(key);
    for (const one of component.accounts) done.add(one);
    components.push(component);
  }
  return components;
};
