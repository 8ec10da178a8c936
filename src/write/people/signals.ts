/** Signals between groups of accounts, the edges of components, and the weights of signals. */

import {
  type Candidate,
  COMMON,
  commonPages,
  equalTargets,
  isNamedLike,
  type Links,
  linksToAccounts,
  VERY_COMMON,
} from './account.ts';
import { type HandleRelation, isOnePicture, type NameRelation, relateHandles, relateNames } from './names.ts';

/**
 * Signals for or against two groups of accounts belonging to one person. Each signal counts once, whatever number of pairs shows
 * it, since the pairs of two groups are not independent.
 */
export type Signals = Readonly<Partial<Record<SignalName, number>>>;

export const SIGNAL_NAMES = [
  'mutual',
  'claim',
  'page',
  'mutual_twice',
  'mutual_handle_equal',
  'mutual_handle_alike',
  'mutual_name_agrees',
  'mutual_conflict',
  'more_links',
  'and_page',
  'page_named',
  'silent',
  'handle_equal',
  'handle_alike',
  'name_equal',
  'name_alike',
  'name_short',
  'name_partial',
  'name_common',
  'disclaimed',
  'copied_links',
  'copied_links_more',
  'copied_bio',
  'copied_all',
  'other_picture',
  'conflict',
  'original_alike',
  'named_unlike',
  'much_smaller',
  'much_larger',
] as const;

export type SignalName = (typeof SIGNAL_NAMES)[number];

const is = (condition: boolean): 0 | 1 => (condition ? 1 : 0);

const NAME_RANK: Readonly<Record<NameRelation, number>> = {
  equal: 5,
  alike: 4,
  short: 3,
  partial: 2,
  unknown: 1,
  unlike: 0,
};

const HANDLE_RANK: Readonly<Record<HandleRelation, number>> = { equal: 2, alike: 1, unlike: 0 };

const best = <Relation extends string>(
  found: readonly Relation[],
  rank: Readonly<Record<Relation, number>>,
): Relation => found.reduce((a, b) => (rank[b] > rank[a] ? b : a));

/** Maximum number of accounts that count as silent: a person hardly has more accounts than there are platforms. */
const MAX_SILENT = 5;

/** Links between two groups, by their direction. */
interface Direction {
  readonly there: number;
  readonly back: number;
}

const directionOf = (a: readonly Candidate[], b: readonly Candidate[], links: Links): Direction => {
  const between = (from: readonly Candidate[], to: readonly Candidate[]): number =>
    from.reduce((sum, { key }) => {
      const out = links.out(key);
      return sum + to.reduce((n, other) => n + (out.has(other.key) ? 1 : 0), 0);
    }, 0);
  return { there: between(a, b), back: between(b, a) };
};

type Pair = readonly [Candidate, Candidate];

/**
 * Signals of a copy: features in which the claimants equal another account. Equal links count anywhere in the component, since an
 * impersonator may have copied an account that is not in the group yet.
 */
const copies = (claimants: readonly Candidate[], group: readonly Candidate[], all: readonly Candidate[]) => {
  const others = all.filter((one) => !claimants.includes(one));
  const links = Math.max(0, ...claimants.flatMap((one) => others.map((other) => equalTargets(one, other))));
  const pairs = claimants.flatMap((one) => group.map((other) => [one, other] as const));
  const hasBioOf = ([one, other]: Pair) => one.intro !== null && one.intro === other.intro;
  const showsEqual = (pair: Pair) =>
    (pair[0].picture !== null && pair[0].picture === pair[1].picture) || hasBioOf(pair);
  return {
    copied_links: is(links > 0),
    copied_links_more: Math.max(0, Math.min(3, links) - 1),
    copied_bio: is(pairs.some(hasBioOf)),
    copied_all: is(pairs.some((pair) => equalTargets(...pair) > 0 && showsEqual(pair))),
    other_picture: is(!pairs.some(([one, other]) => isOnePicture(one.picture, other.picture))),
  };
};

/** How common the name is in which two groups agree. A name of n accounts is weaker by ln(n / 128), in two steps. */
const commonness = (
  a: readonly Candidate[],
  b: readonly Candidate[],
  name: NameRelation,
  links: Links,
): number => {
  if (NAME_RANK[name] < NAME_RANK.partial) return 0;
  const keys = new Set([...a, ...b].flatMap((one) => one.nameKey ?? []));
  const bearers = Math.max(0, ...[...keys].map((key) => links.bearers(key)));
  return bearers < COMMON ? 0 : bearers < VERY_COMMON ? 1 : 2;
};

/** Platforms on which both groups have an account. A person rarely has two. */
const conflicts = (a: readonly Candidate[], b: readonly Candidate[]): number => {
  const platforms = new Set(a.map(({ platform }) => platform));
  return b.some(({ platform }) => platforms.has(platform)) ? 1 : 0;
};

const largest = (group: readonly Candidate[]): number | null => {
  const known = group.flatMap(({ decade }) => decade ?? []);
  return known.length === 0 ? null : Math.max(...known);
};

const sizes = (claimants: readonly Candidate[], group: readonly Candidate[]) => {
  const [own, other] = [largest(claimants), largest(group)];
  if (own === null || other === null) return {};
  return {
    much_smaller: is(other - own >= 2),
    much_larger: is(own - other >= 2),
  };
};

/**
 * Signals of two groups of accounts; null if no link and no page connects them. If only one group links to the other, that group is
 * the claimant: it can claim anything about the other group, whose silence is a signal too.
 */
export const signalsOf = (
  a: readonly Candidate[],
  b: readonly Candidate[],
  links: Links,
  all: readonly Candidate[],
): Signals | null => {
  const { there, back } = directionOf(a, b, links);
  const pages = a.flatMap((one) => b.flatMap((other) => commonPages(one, other, links)));
  if (there + back + pages.length === 0) return null;
  const pairs = a.flatMap((one) => b.map((other) => [one, other] as const));
  const name = best(
    pairs.map(([one, other]) => relateNames(one.name, other.name)),
    NAME_RANK,
  );
  const handle = best(
    pairs.map(([one, other]) => relateHandles(one.comparable, other.comparable)),
    HANDLE_RANK,
  );
  if (there > 0 && back > 0)
    return {
      mutual: 1,
      mutual_twice: is(there + back > 2),
      mutual_handle_equal: is(handle === 'equal'),
      mutual_handle_alike: is(handle === 'alike'),
      mutual_name_agrees: is(NAME_RANK[name] >= NAME_RANK.short),
      mutual_conflict: conflicts(a, b),
    };
  // If only a page connects them, the smaller group is the claimant: it may have copied the page of the larger one.
  const isBack = back > 0 || (there === 0 && a.length > b.length);
  const [claimants, group] = isBack ? [b, a] : [a, b];
  const copied = copies(claimants, group, all);
  return {
    ...(there + back > 0 ? { claim: 1, and_page: is(pages.length > 0) } : { page: 1 }),
    more_links: Math.min(3, there + back) - is(there + back > 0),
    page_named: is(pages.some((page) => claimants.some((one) => isNamedLike(page, one)))),
    silent: Math.min(MAX_SILENT, group.filter(linksToAccounts).length),
    handle_equal: is(handle === 'equal'),
    handle_alike: is(handle === 'alike'),
    name_equal: is(name === 'equal'),
    name_alike: is(name === 'alike'),
    name_short: is(name === 'short'),
    name_partial: is(name === 'partial'),
    name_common: commonness(a, b, name, links),
    disclaimed: is([...a, ...b].some((one) => one.isDisclaimed)),
    ...copied,
    conflict: conflicts(a, b),
    original_alike: is(handle === 'alike' && copied.copied_links === 0),
    named_unlike: is(handle === 'unlike' && name === 'equal'),
    ...sizes(claimants, group),
  };
};

/**
 * Whether two accounts are compared at all, and how they hold a component together.
 * - `strong`: each links to the other, so that no account can connect itself to one that it does not own.
 * - `weak`: a link in one direction, or a common page, between accounts whose names or handles agree.
 */
export type Edge = 'strong' | 'weak' | null;

export const edgeBetween = (a: Candidate, b: Candidate, links: Links): Edge => {
  const there = links.out(a.key).has(b.key);
  const back = links.out(b.key).has(a.key);
  if (there && back) return 'strong';
  if (!there && !back && commonPages(a, b, links).length === 0) return null;
  if (relateHandles(a.comparable, b.comparable) === 'equal') return 'weak';
  const name = relateNames(a.name, b.name);
  return name === 'equal' || name === 'alike' || name === 'short' || name === 'partial' ? 'weak' : null;
};

/** Maximum number of accounts in a component: a person has one per platform, and some adversaries. */
export const MAX_COMPONENT = 50;

export type Weights = Readonly<Record<SignalName, number>>;

/** How accounts are judged: weights, and the log odds from which on two groups are one person. */
export interface Model {
  readonly weights: Weights;
  readonly threshold: number;
}

/** Changes with the weights and signals: results name it. */
export const METHOD_VERSION = 'people/1';

/**
 * Weights of signals, in natural logarithms of odds (Fellegi and Sunter, *A Theory for Record Linkage*, 1969), estimated by
 * logistic regression in worlds of development (`node bench/people/tune.ts`), so that correlated signals share their weight.
 * The threshold is the lowest tenth at which a link between accounts of other names is no person by itself; no world of
 * development has a precision below 0.99 there.
 * Two are not estimated: `name_common`, since a name of n accounts says ln(n / 128) less; `named_unlike` is twice its
 * estimate, which is a mean over worlds, so that worlds with many fans keep the precision.
 */
export const MODEL: Model = {
  weights: {
    mutual: 7.38,
    claim: 2.33,
    page: 1.9,
    mutual_twice: 0.58,
    mutual_handle_equal: 3.25,
    mutual_handle_alike: -1.9,
    mutual_name_agrees: 1.33,
    mutual_conflict: -8.9,
    more_links: 0.35,
    and_page: 0.57,
    page_named: 1.33,
    silent: -0.27,
    handle_equal: 3.09,
    handle_alike: -2.63,
    name_equal: 2.23,
    name_alike: 1.82,
    name_short: 1.79,
    name_partial: -2.25,
    name_common: -1,
    disclaimed: -8.91,
    copied_links: -0.55,
    copied_links_more: -0.99,
    copied_bio: 0.85,
    copied_all: -2.59,
    other_picture: -0.76,
    conflict: -6.36,
    original_alike: 1.69,
    named_unlike: -0.88,
    much_smaller: -0.64,
    much_larger: -0.4,
  },
  threshold: 1.6,
};

/** Log odds that two groups are of one person. */
export const logOddsOf = (signals: Signals, weights: Weights): number =>
  SIGNAL_NAMES.reduce((sum, name) => sum + weights[name] * (signals[name] ?? 0), 0);

export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
