/**
 * Signals between groups of accounts, and their weights. A signal counts for whoever controls it: there are none between two groups
 * unless each points at the other.
 */

import type { Candidate, Links, Pointer } from './account.ts';
import { type HandleRelation, isOnePicture, type NameRelation, relateHandles, relateNames } from './names.ts';

/**
 * Signals for or against two groups of accounts belonging to one person. Each signal counts once, whatever number of pairs shows
 * it, since the pairs of two groups are not independent.
 */
export type Signals = Readonly<Partial<Record<SignalName, number>>>;

export const SIGNAL_NAMES = [
  'mutual',
  'page',
  'more_links',
  'handle_equal',
  'handle_alike',
  'name_equal',
  'name_alike',
  'name_short',
  'name_partial',
  'name_unlike',
  'bio_equal',
  'picture_equal',
  'disclaimed',
  'conflict',
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

const pointers = (from: readonly Candidate[], to: readonly Candidate[], links: Links): readonly Pointer[] =>
  from.flatMap(({ key }) => {
    const out = links.out(key);
    return to.flatMap((other) => out.get(other.key) ?? []);
  });

/** Whether two groups have accounts on one platform. A person rarely has two there. */
const conflicts = (a: readonly Candidate[], b: readonly Candidate[]): boolean => {
  const platforms = new Set(a.map(({ platform }) => platform));
  return b.some(({ platform }) => platforms.has(platform));
};

/** Answered links between two groups beyond the first, of which more say hardly more. */
const MAX_MORE = 3;

/** What connects two groups, and whether a link may mean an account that its handle does not belong to any more. */
export interface Connection {
  readonly signals: Signals;
  readonly isDated: boolean;
}

/** The connection of two groups; null unless each points at the other. */
export const connectionOf = (
  a: readonly Candidate[],
  b: readonly Candidate[],
  links: Links,
): Connection | null => {
  const [there, back] = [pointers(a, b, links), pointers(b, a, links)];
  if (there.length === 0 || back.length === 0) return null;
  const pairs = a.flatMap((one) => b.map((other) => [one, other] as const));
  const name = best(
    pairs.map(([one, other]) => relateNames(one.name, other.name)),
    NAME_RANK,
  );
  const handle = best(
    pairs.map(([one, other]) => relateHandles(one.comparable, other.comparable)),
    HANDLE_RANK,
  );
  const isLinked = (some: readonly Pointer[]) => some.some((one) => one !== 'page');
  const isMutual = isLinked(there) && isLinked(back);
  return {
    isDated: there.includes('dated') && back.includes('dated'),
    signals: {
      mutual: is(isMutual),
      page: is(!isMutual),
      // Of a crowd of links to one side only an answered one counts.
      more_links: Math.min(MAX_MORE, Math.min(there.length, back.length) - 1),
      handle_equal: is(handle === 'equal'),
      handle_alike: is(handle === 'alike'),
      name_equal: is(name === 'equal'),
      name_alike: is(name === 'alike'),
      name_short: is(name === 'short'),
      name_partial: is(name === 'partial'),
      name_unlike: is(name === 'unlike'),
      bio_equal: is(pairs.some(([one, other]) => one.intro !== null && one.intro === other.intro)),
      picture_equal: is(pairs.some(([one, other]) => isOnePicture(one.picture, other.picture))),
      disclaimed: is([...a, ...b].some((one) => one.isDisclaimed)),
      conflict: is(conflicts(a, b)),
    },
  };
};

const isCompany = ({ platform, handle }: Candidate): boolean =>
  platform === 'linkedin' && handle?.startsWith('company:') === true;

/**
 * Whether a connection may make two groups one person, whatever its weights. If a link may mean somebody who had the handle before,
 * names have to agree and no platform may be in both; and links alone never make a person of a company.
 */
export const isAdmissible = ({
  a,
  b,
  signals,
  isDated,
}: Connection & { readonly a: readonly Candidate[]; readonly b: readonly Candidate[] }): boolean => {
  const agrees = (signals.name_equal ?? 0) + (signals.name_alike ?? 0) > 0;
  if ([...a, ...b].some(isCompany) && !agrees) return false;
  return isDated || ((agrees || signals.name_short === 1) && signals.conflict === 0);
};

/** Maximum number of accounts that are compared with each other: a person has one per platform, and some acquaintances. */
export const MAX_COMPONENT = 50;

export type Weights = Readonly<Record<SignalName, number>>;

/** How accounts are judged: weights, and the log odds from which on two groups are one person. */
export interface Model {
  readonly weights: Weights;
  readonly threshold: number;
}

/** Changes with the weights and signals: results name it. */
export const METHOD_VERSION = 'people/2';

/**
 * Weights of signals, in natural logarithms of odds (Fellegi and Sunter, *A Theory for Record Linkage*, 1969), estimated by
 * logistic regression in worlds of development (`node bench/people/tune.ts`), so that correlated signals share their weight. At the
 * threshold a link both ways between accounts whose names say nothing makes no person.
 * One is not estimated: no account of these worlds that says it is a parody or a fan has an answer, and one that has is no account
 * of its subject.
 */
export const MODEL: Model = {
  weights: {
    mutual: 1.85,
    page: 6.98,
    more_links: 2.99,
    handle_equal: 6.25,
    handle_alike: 5.53,
    name_equal: 5.27,
    name_alike: 4.43,
    name_short: 3.59,
    name_partial: -1.79,
    name_unlike: -2.55,
    bio_equal: 4.15,
    picture_equal: 4.08,
    disclaimed: -20,
    conflict: -6.96,
  },
  threshold: 2,
};

/** Log odds that two groups are of one person. */
export const logOddsOf = (signals: Signals, weights: Weights): number =>
  SIGNAL_NAMES.reduce((sum, name) => sum + weights[name] * (signals[name] ?? 0), 0);

export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
