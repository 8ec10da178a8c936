/** Accounts that are compared with each other: those that point at each other, directly or through others of their owner. */

import type { Links } from './account.ts';
import { MAX_COMPONENT } from './signals.ts';

/** Accounts whose links are read as they are needed. */
export interface Graph extends Links {
  /** Reads whom accounts point at. */
  load(keys: readonly string[]): Promise<void>;
  /** How much the component of an account exceeded what is compared when it was found last. */
  crowding(key: string): number;
}

/** Accounts that are resolved together. */
export interface Component {
  readonly accounts: readonly string[];
  /**
   * 0 usually; 1 if it is a part of one with too many accounts, in which links between two accounts count alone; 2 if even these
   * connect too many.
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
    const members = [...this.members(large)];
    members.push(...this.members(small));
    this.#members.set(large, members);
    this.#members.delete(small);
    this.#parent.set(small, large);
  }
}

/** Accounts that an account and others each point at. */
const answering = (graph: Graph, key: string): readonly string[] =>
  [...graph.out(key).keys()].filter((other) => graph.out(other).has(key));

/**
 * Joins accounts that point at each other, from some on, in waves: each wave reads what all of its accounts need together. Sets that
 * are too large are followed only through accounts that were in none when they were found last, so that a huge one costs its
 * newcomers alone.
 */
const joinPairs = async (graph: Graph, sets: Sets, reached: Set<string>, from: Iterable<string>) => {
  let wave = [...new Set(from)].filter((key) => !reached.has(key));
  while (wave.length > 0) {
    for (const key of wave) reached.add(key);
    await graph.load(wave);
    await graph.load(wave.flatMap((key) => [...graph.out(key).keys()]));
    const next = new Set<string>();
    for (const key of wave)
      for (const other of answering(graph, key)) {
        sets.join(key, other);
        if (!reached.has(other)) next.add(other);
      }
    wave = [...next].filter((key) => graph.crowding(key) < 2 || sets.members(key).length <= MAX_COMPONENT);
  }
};

/**
 * The components that some accounts are in: sets of accounts that point at each other, and sets of which each points at the other,
 * which takes the owners of both. A component with more than `MAX_COMPONENT` accounts falls into its sets, and one that is still too
 * large into its accounts. Who points at others without an answer is never read.
 */
export const componentsAround = async (
  graph: Graph,
  seeds: ReadonlySet<string>,
): Promise<readonly Component[]> => {
  const pairs = new Sets();
  const paired = new Set<string>();
  await joinPairs(graph, pairs, paired, seeds);
  const isLarge = (key: string) => pairs.members(key).length > MAX_COMPONENT;
  const pointedAt = (key: string): readonly string[] =>
    pairs.members(key).flatMap((member) => [...graph.out(member).keys()]);
  const joined = new Sets();
  const visited = new Set<string>();
  let wave = [...paired].filter((key) => !isLarge(key));
  while (wave.length > 0) {
    await joinPairs(graph, pairs, paired, wave.flatMap(pointedAt));
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
  return found(pairs, joined, new Set([...seeds, ...[...visited].flatMap((key) => pairs.members(key))]));
};

const found = (pairs: Sets, joined: Sets, accounts: ReadonlySet<string>): readonly Component[] => {
  const components: Component[] = [];
  const done = new Set<string>();
  for (const key of accounts) {
    const [whole, pair] = [joined.members(key), pairs.members(key)];
    const crowding = pair.length > MAX_COMPONENT ? 2 : whole.length > MAX_COMPONENT ? 1 : 0;
    const own = crowding === 0 ? whole : crowding === 1 ? pair : [key];
    if (own.some((one) => done.has(one))) continue;
    for (const one of own) done.add(one);
    components.push({ accounts: own, crowding });
  }
  return components;
};
