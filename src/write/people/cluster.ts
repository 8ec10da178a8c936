import type { Candidate } from './account.ts';
import type { Links } from './links.ts';
import { logOddsOf, type Model } from './log-odds.ts';
import { type Signals, signalsOf } from './signals.ts';

/** A comparison of two groups of accounts. */
export interface Comparison {
  readonly a: readonly Candidate[];
  readonly b: readonly Candidate[];
  readonly signals: Signals;
  readonly logOdds: number;
}

export interface Clustering {
  readonly groups: readonly (readonly Candidate[])[];
  /** What was compared last and not merged. */
  readonly apart: readonly Comparison[];
  readonly merged: readonly Comparison[];
}

/** What groups are compared in: the accounts of their component. */
export interface Context {
  readonly links: Links;
  readonly model: Model;
  readonly all: readonly Candidate[];
}

export const compareGroups = (
  a: readonly Candidate[],
  b: readonly Candidate[],
  { links, model, all }: Context,
): Comparison | null => {
  const signals = signalsOf(a, b, links, all);
  return signals === null ? null : { a, b, signals, logOdds: logOddsOf(signals, model.weights) };
};

const first = (group: readonly Candidate[]): string => (group[0] as Candidate).key;
const byKey = (a: Candidate, b: Candidate): number => (a.key < b.key ? -1 : 1);

/** Better evidence first; of equal evidence the groups with the smaller keys, so that the order of accounts is irrelevant. */
const better = (one: Comparison, other: Comparison): boolean => {
  if (one.logOdds !== other.logOdds) return one.logOdds > other.logOdds;
  const [a, b] = [`${first(one.a)} ${first(one.b)}`, `${first(other.a)} ${first(other.b)}`];
  return a < b;
};

/**
 * Groups accounts into persons: the two groups with the best evidence between them as wholes are merged, again and again,
 * until no evidence reaches the threshold. A chain of weak links merges none: each step needs all of its evidence between
 * the groups that it merges.
 */
export const clusterOf = (accounts: readonly Candidate[], links: Links, model: Model): Clustering => {
  const context = { links, model, all: accounts };
  let groups: (readonly Candidate[])[] = accounts.toSorted(byKey).map((account) => [account]);
  const merged: Comparison[] = [];
  let open = groups.flatMap((a, n) => groups.slice(n + 1).flatMap((b) => compareGroups(a, b, context) ?? []));
  for (;;) {
    const next = open.reduce<Comparison | null>(
      (found, one) => (found === null || better(one, found) ? one : found),
      null,
    );
    if (next === null || next.logOdds < model.threshold) return { groups, apart: open, merged };
    merged.push(next);
    const group = [...next.a, ...next.b].toSorted(byKey);
    const touches = (one: readonly Candidate[]) => one === next.a || one === next.b;
    groups = groups.filter((one) => !touches(one));
    open = open.filter(({ a, b }) => !touches(a) && !touches(b));
    open.push(...groups.flatMap((other) => compareGroups(...ordered(group, other), context) ?? []));
    groups.push(group);
  }
};

const ordered = (
  a: readonly Candidate[],
  b: readonly Candidate[],
): [readonly Candidate[], readonly Candidate[]] => (first(a) < first(b) ? [a, b] : [b, a]);
