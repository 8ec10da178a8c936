import { type Edge, edgeBetween, MAX_COMPONENT } from '../../../write/people/edges.ts';
import { isPage } from '../../../write/people/targets.ts';
import type { Neighborhood } from './neighborhood.ts';

/** Accounts that are resolved together. */
export interface Component {
  readonly accounts: readonly string[];
  /**
   * 0 usually; 1 if it is a part of one with too many accounts, in which links in both directions count alone; 2 if even
   * these connect too many.
   */
  readonly crowding: number;
}

interface Near {
  readonly key: string;
  readonly edge: Exclude<Edge, null>;
}

/** Edges of accounts, found in waves: each wave reads what all of its accounts need together. */
export class Edges {
  readonly #graph: Neighborhood;
  readonly #near = new Map<string, readonly Near[]>();

  constructor(graph: Neighborhood) {
    this.#graph = graph;
  }

  crowding(key: string): number {
    return this.#graph.memberOf(key)?.crowding ?? 0;
  }

  of(key: string): readonly Near[] {
    return this.#near.get(key) ?? [];
  }

  async expand(keys: readonly string[]): Promise<void> {
    const fresh = keys.filter((key) => !this.#near.has(key));
    if (fresh.length === 0) return;
    const graph = this.#graph;
    await graph.loadAccounts(fresh);
    const known = fresh.flatMap((key) => graph.account(key) ?? []);
    const targets = known.flatMap(({ row }) => row.targets);
    const meant = known.flatMap((account) => account.meant);
    await graph.loadTenures([...targets, ...meant]);
    await graph.loadLinking([...targets.filter(isPage), ...meant], targets);
    await graph.loadAccounts(fresh.flatMap((key) => [...graph.around(key)]));
    for (const key of fresh) this.#near.set(key, this.#edgesOf(key));
  }

  #edgesOf(key: string): readonly Near[] {
    const own = this.#graph.account(key);
    if (own === undefined) return [];
    return [...this.#graph.around(key)].flatMap((other) => {
      const candidate = this.#graph.account(other)?.candidate;
      const edge = candidate === undefined ? null : edgeBetween(own.candidate, candidate, this.#graph);
      return edge === null ? [] : [{ key: other, edge }];
    });
  }
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

interface Reach {
  readonly kinds: readonly Edge[];
  /** How crowded an account has to be marked for its set to be followed no further than `MAX_COMPONENT`. */
  readonly crowding: number;
}

/**
 * Connected accounts, from some on. Sets larger than a component are followed only through accounts that are not marked as
 * in such a set yet, so that a huge one costs its newcomers alone.
 */
const connect = async (
  edges: Edges,
  from: Iterable<string>,
  { kinds, crowding }: Reach,
): Promise<{ readonly sets: Sets; readonly reached: ReadonlySet<string> }> => {
  const sets = new Sets();
  const reached = new Set(from);
  let wave = [...reached];
  while (wave.length > 0) {
    await edges.expand(wave);
    const next = new Set<string>();
    for (const key of wave)
      for (const { key: other, edge } of edges.of(key)) {
        if (!kinds.includes(edge)) continue;
        sets.join(key, other);
        if (!reached.has(other)) next.add(other);
      }
    wave = [...next].filter(
      (key) => edges.crowding(key) < crowding || sets.members(key).length <= MAX_COMPONENT,
    );
    for (const key of wave) reached.add(key);
  }
  return { sets, reached };
};

/**
 * The components that some accounts are in. One with more than `MAX_COMPONENT` accounts falls into those that links in
 * both directions form, which no stranger can add to; what of these is too large falls apart.
 */
export const componentsAround = async (
  edges: Edges,
  seeds: ReadonlySet<string>,
): Promise<readonly Component[]> => {
  const found: Component[] = [];
  const collect = (
    { sets, reached }: Awaited<ReturnType<typeof connect>>,
    crowding: number,
  ): readonly string[] => {
    const large: string[] = [];
    const done = new Set<string>();
    for (const key of reached) {
      const accounts = sets.members(key);
      if (accounts.length > MAX_COMPONENT) large.push(key);
      else if (!done.has(sets.root(key))) found.push({ accounts, crowding });
      done.add(sets.root(key));
    }
    return large;
  };
  const all = await connect(edges, seeds, { kinds: ['strong', 'weak'], crowding: 1 });
  const large = collect(all, 0);
  if (large.length === 0) return found;
  const mutual = await connect(edges, large, { kinds: ['strong'], crowding: 2 });
  for (const key of collect(mutual, 1)) found.push({ accounts: [key], crowding: 2 });
  return found;
};
