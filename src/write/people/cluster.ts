/**
 * Clusters of accounts, their evidence, and the confidence in each member.
 * Decision: `docs/adr/0016-persons.md`.
 */

import { uuidV5 } from '../../kernel/ids.ts';
import type { Candidate, Links } from './account.ts';
import {
  type Connection,
  connectionOf,
  isAdmissible,
  logOddsOf,
  type Model,
  SIGNAL_NAMES,
  type SignalName,
  type Weights,
} from './signals.ts';

/** A comparison of two groups of accounts that point at each other. */
export interface Comparison extends Connection {
  readonly a: readonly Candidate[];
  readonly b: readonly Candidate[];
  readonly logOdds: number;
}

export interface Clustering {
  readonly groups: readonly (readonly Candidate[])[];
  /** What was compared last and not merged. */
  readonly apart: readonly Comparison[];
  readonly merged: readonly Comparison[];
}

export interface Context {
  readonly links: Links;
  readonly model: Model;
}

export const compareGroups = (
  a: readonly Candidate[],
  b: readonly Candidate[],
  { links, model }: Context,
): Comparison | null => {
  const connection = connectionOf(a, b, links);
  return connection === null
    ? null
    : { a, b, ...connection, logOdds: logOddsOf(connection.signals, model.weights) };
};

const first = (group: readonly Candidate[]): string => (group[0] as Candidate).key;
const byKey = (a: Candidate, b: Candidate): number => (a.key < b.key ? -1 : 1);

/**
 * Better evidence first. Of equal evidence, the groups with the smaller keys come first, so that the order of accounts has no
 * effect.
 */
const better = (one: Comparison, other: Comparison): boolean => {
  if (one.logOdds !== other.logOdds) return one.logOdds > other.logOdds;
  const [a, b] = [`${first(one.a)} ${first(one.b)}`, `${first(other.a)} ${first(other.b)}`];
  return a < b;
};

/**
 * Groups accounts into persons. The two groups with the best evidence between them as wholes are merged, again and again, until no
 * evidence reaches the threshold. A chain of links merges nothing: each step needs all of its evidence between the groups that it
 * merges.
 */
export const clusterOf = (accounts: readonly Candidate[], links: Links, model: Model): Clustering => {
  const context = { links, model };
  let groups: (readonly Candidate[])[] = accounts.toSorted(byKey).map((account) => [account]);
  const merged: Comparison[] = [];
  let open = groups.flatMap((a, n) => groups.slice(n + 1).flatMap((b) => compareGroups(a, b, context) ?? []));
  for (;;) {
    const next = open.reduce<Comparison | null>(
      (found, one) => (isAdmissible(one) && (found === null || better(one, found)) ? one : found),
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

/**
 * Confidence that an account belongs to the person of the other accounts in its group, by the comparison with them as a whole; null
 * if it is the only one.
 */
export const membershipOf = (
  account: Candidate,
  group: readonly Candidate[],
  context: Context,
): Comparison | null => {
  const others = group.filter((one) => one !== account);
  return others.length === 0 ? null : compareGroups([account], others, context);
};

/** The subject of a piece of evidence. */
export const EVIDENCE_KINDS = [
  'mutual_link',
  'same_native_link',
  'name_and_handle',
  'same_profile',
  'disclaimer',
  'conflict',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

const KINDS: Readonly<Record<SignalName, EvidenceKind>> = {
  mutual: 'mutual_link',
  more_links: 'mutual_link',
  page: 'same_native_link',
  handle_equal: 'name_and_handle',
  handle_alike: 'name_and_handle',
  name_equal: 'name_and_handle',
  name_alike: 'name_and_handle',
  name_short: 'name_and_handle',
  name_partial: 'name_and_handle',
  name_unlike: 'name_and_handle',
  bio_equal: 'same_profile',
  picture_equal: 'same_profile',
  disclaimed: 'disclaimer',
  conflict: 'conflict',
};

/** A step of the waterfall from even odds to the log odds of a comparison. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /** Added to the log odds. */
  readonly weight: number;
  /** Keys of the accounts that the evidence connects; null if it is about all of them. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Decimals of a weight. */
const rounded = (weight: number): number => Math.round(weight * 100) / 100;

type Ends = Pick<Evidence, 'from' | 'to'>;
const OF_ALL: Ends = { from: null, to: null };
const isOfLinks = (kind: EvidenceKind): boolean => kind === 'mutual_link' || kind === 'same_native_link';

/** The first link from one group to the other. */
const endsOf = ({ a, b }: Comparison, links: Links): Ends => {
  const pairs = a.flatMap((from) => b.map((to) => [from.key, to.key] as const));
  const [from, to] = pairs.find(([one, other]) => links.out(one).has(other)) ?? [null, null];
  return { from, to };
};

/** The steps of a comparison, by kind; their weights add up to its log odds. */
export const evidenceOf = (comparison: Comparison, weights: Weights, links: Links): readonly Evidence[] => {
  const sums = new Map<EvidenceKind, number>();
  for (const name of SIGNAL_NAMES) {
    const weight = weights[name] * (comparison.signals[name] ?? 0);
    if (weight !== 0) sums.set(KINDS[name], (sums.get(KINDS[name]) ?? 0) + weight);
  }
  const ends = endsOf(comparison, links);
  return EVIDENCE_KINDS.flatMap((kind) => {
    const weight = rounded(sums.get(kind) ?? 0);
    return weight === 0 ? [] : [{ kind, weight, ...(isOfLinks(kind) ? ends : OF_ALL) }];
  });
};

/** ID of the person whose smallest account key this is. It is the same in every build, whatever the order of streams. */
export const personIdOf = (account: string): string => uuidV5(`person ${account}`);
