import { type Candidate, MAX_SHARERS } from '../../../src/write/people/account.ts';
import {
  type Direction,
  directionOf,
  isAcknowledged,
  isUnconfirmedCopy,
  MAX_NAMESAKES,
  type Membership,
  type Parts,
  partsOf,
  sameHandleElsewhere,
} from '../../../src/write/people/impersonation.ts';
import { MODEL } from '../../../src/write/people/signals.ts';
import type { AccountRef } from '../../simulator/world/people.ts';
import { type Labelled, OLDER_TAKER, type Population } from '../people/population.ts';
import { resolve } from '../people/resolve.ts';

/** What a suspect is to the account that is asked about. */
export type Relation =
  /** Shows itself as that account. */
  | 'impersonator'
  /** Has taken over a name that the account has left, and shows itself as it. */
  | 'taker'
  /** Shows itself as another account of the same person. */
  | 'of_the_person'
  /** Copies all that the account shows, and links to it: from outside it looks like an own account that is not answered. */
  | 'clone'
  | 'clone_of_others'
  /** Belongs to the same person, and nothing answers it. */
  | 'unanswered'
  /** Belongs to the same person. */
  | 'own'
  /** Anything else: who impersonates others, fans, parodies, namesakes, and who has the handle elsewhere. */
  | 'impersonator_of_others'
  | 'fan'
  | 'parody'
  | 'twin'
  | 'taken_name'
  | 'other';

export interface Example {
  readonly parts: Parts;
  readonly relation: Relation;
  readonly isUnconfirmed: boolean;
  readonly direction: Direction;
  /** Key of the account that is asked about. */
  readonly subject: string;
}

export interface Asked {
  readonly examples: readonly Example[];
  /** Impersonators whose subject is in the catalog, and those of them that are no suspects. */
  readonly impersonators: number;
  readonly notFound: number;
  /** Which copies the other, if impersonators are asked about and their subjects are the suspects. */
  readonly reversed: readonly Direction[];
}

const SHOWN_AS: Readonly<Record<string, Relation>> = {
  impersonator: 'impersonator_of_others',
  fan: 'fan',
  parody: 'parody',
  twin: 'twin',
  taken_name: 'taken_name',
};

const refKey = ({ platform, index }: AccountRef): string => `${platform}:${index}`;

const relationOf = (suspect: Labelled, subject: Labelled, isJoined: boolean): Relation => {
  if (suspect.kind === OLDER_TAKER) return 'clone_of_others';
  if (suspect.kind === 'adaptive')
    return suspect.copied !== null && subject.ref !== null && refKey(suspect.copied) === refKey(subject.ref)
      ? 'clone'
      : 'clone_of_others';
  if (suspect.copied !== null && subject.ref !== null) {
    if (refKey(suspect.copied) === refKey(subject.ref))
      return suspect.kind === 'taker' ? 'taker' : 'impersonator';
    if (suspect.copied.index === subject.ref.index) return 'of_the_person';
  }
  if (suspect.person === subject.person) return isJoined ? 'own' : 'unanswered';
  return SHOWN_AS[suspect.kind] ?? 'other';
};

/** Accounts by what suspects are found by. */
const indexOf = ({ accounts }: Population) => {
  const [byName, byHandle] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const add = (index: Map<string, string[]>, value: string, key: string) => {
    const known = index.get(value);
    if (known === undefined) index.set(value, [key]);
    else known.push(key);
  };
  for (const { candidate } of accounts) {
    if (candidate.nameKey !== null) add(byName, candidate.nameKey, candidate.key);
    if (candidate.handle !== null) add(byHandle, `${candidate.platform}:${candidate.handle}`, candidate.key);
  }
  return { byName, byHandle };
};

/** Suspects of an account, as `src/read/people/suspects.ts` finds them in the view of people. */
const suspectsOf = (
  population: Population,
  { byName, byHandle }: ReturnType<typeof indexOf>,
  { candidate, former }: Labelled,
): ReadonlySet<string> => {
  const found = new Set(
    candidate.nameKey === null ? [] : byName.get(candidate.nameKey)?.slice(0, MAX_NAMESAKES),
  );
  for (const target of candidate.targets) {
    const sharers = population.linkingTo(target);
    if (sharers.length <= MAX_SHARERS) for (const key of sharers) found.add(key);
  }
  const { platform, handle } = candidate;
  const alike = [
    ...(handle === null ? [] : sameHandleElsewhere(platform, handle)),
    ...former.map((name) => ({ platform, handle: name })),
  ];
  for (const other of alike)
    for (const key of byHandle.get(`${other.platform}:${other.handle}`) ?? []) found.add(key);
  found.delete(candidate.key);
  return found;
};

/** The names that accounts have left. */
const formerOf = (accounts: readonly Labelled[]): readonly string[] =>
  accounts.flatMap(({ candidate, former }) => former.map((handle) => `${candidate.platform}:${handle}`));

const IN_THE_ANSWER = ({ platform }: Candidate): boolean => platform !== 'linkedin';

/** Every account of a person on a platform of the directory is asked about: its suspects, and what they are. */
export const examplesOf = async (population: Population): Promise<Asked> => {
  const { accounts, byKey } = population;
  const groups = new Map<string, readonly Candidate[]>();
  for (const { groups: found } of await resolve(population, MODEL))
    for (const group of found) for (const { key } of group) groups.set(key, group);
  const index = indexOf(population);
  const byRef = new Map(
    accounts.flatMap((one) => (one.ref === null ? [] : [[refKey(one.ref), one] as const])),
  );
  const impersonators = accounts.filter(
    ({ kind, copied, candidate }) =>
      kind === 'impersonator' &&
      IN_THE_ANSWER(candidate) &&
      copied !== null &&
      copied.platform !== 'linkedin' &&
      byRef.has(refKey(copied)),
  ).length;
  const examples: Example[] = [];
  for (const subject of accounts) {
    if (subject.person < 0 || !IN_THE_ANSWER(subject.candidate)) continue;
    const { key } = subject.candidate;
    const own = groups.get(key) ?? [];
    const asked = {
      account: subject.candidate,
      others: own.filter((one) => one.key !== key),
      former: formerOf([subject, ...own.flatMap((one) => byKey.get(one.key) ?? [])]),
    };
    for (const found of suspectsOf(population, index, subject)) {
      const suspect = byKey.get(found) as Labelled;
      if (!IN_THE_ANSWER(suspect.candidate) || isAcknowledged(suspect.candidate, asked)) continue;
      const isSamePerson = own.includes(suspect.candidate);
      const membership: Membership = {
        isSamePerson,
        isOtherPerson: !isSamePerson && (groups.get(found)?.length ?? 0) > 1,
      };
      examples.push({
        parts: partsOf(suspect.candidate, asked, membership),
        relation: relationOf(suspect, subject, isSamePerson),
        isUnconfirmed: isUnconfirmedCopy(suspect.candidate, asked, membership),
        direction: directionOf(suspect.candidate, asked, membership, formerOf([suspect])),
        subject: key,
      });
    }
  }
  const found = examples.filter(({ relation }) => relation === 'impersonator').length;
  const reversed = accounts.flatMap((one) => {
    if (one.kind !== 'impersonator' || one.copied === null || !IN_THE_ANSWER(one.candidate)) return [];
    const { copied } = one;
    const original = byRef.get(refKey(copied));
    if (original === undefined || !IN_THE_ANSWER(original.candidate)) return [];
    const isOtherPerson = (groups.get(original.candidate.key)?.length ?? 0) > 1;
    const asked = { account: one.candidate, others: [], former: formerOf([one]) };
    return [
      directionOf(original.candidate, asked, { isSamePerson: false, isOtherPerson }, formerOf([original])),
    ];
  });
  return { examples, impersonators, notFound: impersonators - found, reversed };
};
