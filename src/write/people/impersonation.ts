/** Impersonation: evidence on a suspect, its weights, and where suspects are looked for. */

import type { Platform } from '../../kernel/platform.ts';
import { comparableHandle, DIRECTORY_PLATFORMS, descriptorOf } from '../../platforms/index.ts';
import { type Candidate, isPage, type Target } from './account.ts';
import { relateHandles, relateNames } from './names.ts';

/** The parts of the evidence that one account presents itself as another: each is a number from 0 to 3, null if unknown. */
export const PART_NAMES = [
  'name_as_written',
  'name_equal',
  'name_compatible',
  'name_partial',
  'bio_equal',
  'picture_equal',
  'links_equal',
  'links_equal_to_accounts',
  'no_links',
  'links_missing',
  'links_of_its_own',
  'handle_similar',
  'former_handle',
  'same_person',
  'other_person',
  'person_on_platform',
  'same_platform',
  'disclaimer',
  'size_apart',
  'larger',
  'younger',
  'verified',
] as const;
export type PartName = (typeof PART_NAMES)[number];

export type Parts = Readonly<Record<PartName, number | null>>;

/** The account that may be impersonated. */
export interface Subject {
  readonly account: Candidate;
  /** The other accounts of its person. */
  readonly others: readonly Candidate[];
  /** Names that the accounts of its person have left. */
  readonly former: readonly Target[];
}

/** What the view of people knows about a suspect; null if the view lacks the account. */
export interface Membership {
  /** Whether it is one of the subject's own accounts. */
  readonly isSamePerson: boolean;
  /** Whether it is an account of another person that has several. */
  readonly isOtherPerson: boolean;
}

const is = (condition: boolean): 0 | 1 => (condition ? 1 : 0);

const DECORATION = /[^\p{L}\p{M}\p{N}.,_ ()-]/gu;

/** A displayed name in its original spelling, without ornaments: letters, case, order and punctuation are the account's own. */
const writtenName = (displayed: string | null): string | null => {
  const plain = displayed?.normalize('NFKC').replaceAll(DECORATION, '').replaceAll(/\s+/g, ' ').trim();
  return plain === undefined || plain === '' ? null : plain;
};

/** Whether a profile links to an account, by its current handle or by its native ID. */
const linksTo = ({ targets }: Candidate, { key, platform, handle }: Candidate): boolean =>
  targets.some((target) => target === key || (handle !== null && target === `${platform}:${handle}`));

const isOn = (target: Target, platform: string): boolean => target.startsWith(`${platform}:`);

const nameParts = (suspect: Candidate, subject: Candidate) => {
  const [one, other] = [writtenName(suspect.displayName), writtenName(subject.displayName)];
  const relation = relateNames(suspect.name, subject.name);
  const known = (condition: boolean) => (relation === 'unknown' ? null : is(condition));
  return {
    name_as_written: one === null || other === null ? null : is(one === other),
    name_equal: known(relation === 'equal'),
    name_compatible: known(relation === 'alike' || relation === 'short'),
    name_partial: known(relation === 'partial'),
  };
};

/** Links that either shows, except those that the other one cannot have: to its own platform, and to the subject itself. */
const linkParts = (suspect: Candidate, subject: Candidate, isFormer: boolean) => {
  const shown = subject.targets.filter((target) => !isOn(target, suspect.platform));
  const own = suspect.targets.filter((target) => !isOn(target, subject.platform));
  const common = own.filter((target) => shown.includes(target));
  const isEqual = own.length > 0 && common.length === own.length && common.length === shown.length;
  return {
    links_equal: is(isEqual),
    links_equal_to_accounts: isEqual ? Math.min(3, own.filter((target) => !isPage(target)).length) : 0,
    no_links: is(shown.length === 0 && own.length === 0),
    // A handle is taken over with the links of that time.
    links_missing: isFormer ? null : Math.min(2, shown.length - common.length),
    links_of_its_own: isFormer ? null : Math.min(2, own.length - common.length),
  };
};

const equality = (a: string | null, b: string | null): number | null =>
  a === null || b === null ? null : is(a === b);

/** Whether a handle consists of the first two words of a name, in either order. */
const isNamed = (handle: string | null, { name }: Candidate): boolean =>
  handle !== null &&
  name !== null &&
  name.words.length > 1 &&
  name.words.slice(0, 2).every((word) => handle.includes(word));

const hasLeftName = ({ platform, handle }: Candidate, { former }: Subject): boolean =>
  handle !== null && former.includes(`${platform}:${handle}`);

const hasFormer = (suspect: Candidate, subject: Subject): boolean =>
  suspect.platform === subject.account.platform && hasLeftName(suspect, subject);

const handleParts = (suspect: Candidate, subject: Subject) => {
  const { account } = subject;
  const [one, other] = [suspect.comparable, account.comparable];
  const isKnown = one !== null && other !== null;
  const isEqual = isKnown && one === other;
  const isSimilar = relateHandles(one, other) === 'alike' || isNamed(one, account);
  return {
    // An equal handle elsewhere says nothing: its person has it there, or who wants to be taken for it.
    handle_similar: isKnown ? is(!isEqual && isSimilar) : null,
    former_handle: is(hasFormer(suspect, subject)),
  };
};

/**
 * Whether the subject, or its person, links to an account: it is no suspect. A link to a handle that one of these left may be
 * meant for that one.
 */
export const isAcknowledged = (suspect: Candidate, subject: Subject): boolean =>
  !hasLeftName(suspect, subject) &&
  [subject.account, ...subject.others].some((one) => one.key !== suspect.key && linksTo(one, suspect));

/**
 * The evidence for or against an account presenting itself as another. An account of the same person shares many features too, but
 * its links are not an exact copy of one account's.
 * @param membership what the view of people knows about the suspect.
 */
export const partsOf = (suspect: Candidate, subject: Subject, membership: Membership | null): Parts => {
  const { account, others } = subject;
  const rest = others.filter(({ key }) => key !== suspect.key);
  const apart = suspect.decade === null || account.decade === null ? null : suspect.decade - account.decade;
  const years = yearsYounger(suspect, account);
  return {
    ...nameParts(suspect, account),
    bio_equal: equality(suspect.intro, account.intro),
    picture_equal: equality(suspect.picture, account.picture),
    ...linkParts(suspect, account, hasFormer(suspect, subject)),
    ...handleParts(suspect, subject),
    same_person: membership === null ? null : is(membership.isSamePerson),
    other_person: membership === null ? null : is(membership.isOtherPerson),
    person_on_platform: is(
      suspect.platform !== account.platform &&
        [account, ...rest].some(
          (one) =>
            one.platform === suspect.platform ||
            (!linksTo(one, suspect) && one.targets.some((target) => isOn(target, suspect.platform))),
        ),
    ),
    same_platform: is(suspect.platform === account.platform),
    disclaimer: is(suspect.isDisclaimed),
    size_apart: apart === null ? null : Math.min(3, Math.abs(apart)),
    larger: apart === null ? null : is(apart > 0),
    younger: years === null ? null : is(years >= 1),
    verified: suspect.verified === null ? null : is(suspect.verified && account.verified !== true),
  };
};

/** Years by which an account is younger than another one; null if that is unknown. */
const yearsYounger = (a: Candidate, b: Candidate): number | null =>
  a.createdAt === null || b.createdAt === null
    ? null
    : (Date.parse(a.createdAt) - Date.parse(b.createdAt)) / (365 * 86_400_000);

/**
 * Which of two accounts that are alike copies the other: a likeness has no direction of its own. It comes from who has left a handle
 * that the other one has, whom the platform has verified, who has other accounts that answer, size, and age on one platform.
 */
export const DIRECTIONS = ['copies', 'is_copied', 'unknown'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const directionOf = (
  suspect: Candidate,
  subject: Subject,
  membership: Membership | null,
  /** Names that the suspect has left. */
  left: readonly Target[],
): Direction => {
  const { account, others } = subject;
  const isLeft = hasFormer(suspect, subject);
  const isTaken = account.handle !== null && left.includes(`${account.platform}:${account.handle}`);
  if (isLeft !== isTaken) return isLeft ? 'copies' : 'is_copied';
  const verified = Number(account.verified === true) - Number(suspect.verified === true);
  if (verified !== 0) return verified > 0 ? 'copies' : 'is_copied';
  const years = suspect.platform === account.platform ? yearsYounger(suspect, account) : null;
  const balance =
    Number(others.length > 0) -
    Number(membership?.isOtherPerson === true) +
    Math.sign(account.decade === null || suspect.decade === null ? 0 : account.decade - suspect.decade) +
    (years === null || Math.abs(years) < 1 ? 0 : Math.sign(years));
  return balance === 0 ? 'unknown' : balance > 0 ? 'copies' : 'is_copied';
};

/**
 * Whether an account claims to be the subject, or its person, and shows what the subject shows: an own account that is not answered
 * looks the same, and so does who copies all of that.
 */
export const isUnconfirmedCopy = (
  suspect: Candidate,
  { account, others }: Subject,
  membership: Membership | null,
): boolean => {
  if (membership?.isSamePerson === true || suspect.isDisclaimed) return false;
  if (![account, ...others].some((one) => linksTo(suspect, one))) return false;
  const name = relateNames(suspect.name, account.name);
  const handle = relateHandles(suspect.comparable, account.comparable);
  return (
    (name === 'equal' || name === 'alike') &&
    (handle !== 'unlike' ||
      equality(suspect.intro, account.intro) === 1 ||
      equality(suspect.picture, account.picture) === 1)
  );
};

/** Changes with the parts and their weights. */
export const IMPERSONATION_METHOD_VERSION = 'impersonation/3';

/** Log odds of a suspect without any known part. */
const PRIOR = -11.36;

/**
 * Weights of the parts, in natural logarithms of odds, estimated by logistic regression in worlds of development
 * (`node infra/calibrate/impersonation/tune.ts`), so that parts that come together share their weight. A link to the
 * subject that is not answered has no part: who copies the subject makes one.
 */
const WEIGHTS: Readonly<Record<PartName, number>> = {
  name_as_written: 4.76,
  name_equal: -0.2,
  name_compatible: 2.18,
  name_partial: 2.67,
  bio_equal: 4.06,
  picture_equal: 2.9,
  links_equal: 5.16,
  links_equal_to_accounts: 1.68,
  no_links: 1.8,
  links_missing: -2.62,
  links_of_its_own: -2.32,
  handle_similar: 5.14,
  former_handle: 3.63,
  same_person: -12.53,
  other_person: -3,
  person_on_platform: -3.5,
  same_platform: -3.72,
  disclaimer: -6.46,
  size_apart: 0.24,
  larger: -1.11,
  younger: 0.5,
  verified: -0.34,
};

/** The prior, then the weight of each part, in their order. */
export const MODEL_WEIGHTS: readonly number[] = [PRIOR, ...PART_NAMES.map((name) => WEIGHTS[name])];

/**
 * Log odds from which a suspect is named. In every world of development, 95 % of the impersonators are `possible`, and 95 % of the
 * named suspects of impersonated accounts are impersonators. `likely` means the same for the suspects of any account.
 */
export const THRESHOLDS = { possible: -2.5, likely: 2 } as const;
export type Verdict = keyof typeof THRESHOLDS;

/** The contribution of a part to the log odds is value × weight. An unknown part has the value null and the weight 0. */
export interface WeightedPart {
  readonly part: PartName | 'prior';
  readonly value: number | null;
  readonly weight: number;
}

/** The parts that are unknown or say something, after the prior; the others have the value 0. */
export const weightedParts = (parts: Parts): readonly WeightedPart[] => [
  { part: 'prior', value: 1, weight: PRIOR },
  ...PART_NAMES.flatMap((part) => {
    const value = parts[part];
    return value === 0 ? [] : [{ part, value, weight: value === null ? 0 : WEIGHTS[part] }];
  }),
];

/** Log odds that a suspect is an impersonator, for any account that callers ask about. */
export const impersonationLogOdds = (parts: Parts): number =>
  PART_NAMES.reduce((sum, part) => sum + WEIGHTS[part] * (parts[part] ?? 0), PRIOR);

/** Null if the suspect is not named. */
export const verdictOf = (logOdds: number): Verdict | null =>
  logOdds >= THRESHOLDS.likely ? 'likely' : logOdds >= THRESHOLDS.possible ? 'possible' : null;

/** Number of accounts with the same name that are compared. If a name has more bearers, some of them are compared. */
export const MAX_NAMESAKES = 200;

export interface PlatformHandle {
  readonly platform: Platform;
  readonly handle: string;
}

/** Accounts of the directory's other platforms that have the handle of one. */
export const sameHandleElsewhere = (platform: Platform, handle: string): readonly PlatformHandle[] => {
  const name = comparableHandle(platform, handle);
  return name === null
    ? []
    : DIRECTORY_PLATFORMS.filter((other) => other !== platform).map((other) => ({
        platform: other,
        handle: `${name}${descriptorOf(other).sharedEnd ?? ''}`,
      }));
};
