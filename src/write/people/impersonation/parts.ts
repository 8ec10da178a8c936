import type { Candidate } from '../account.ts';
import { relateHandles } from '../handles.ts';
import { relateNames } from '../names.ts';
import { isPage, type Target } from '../targets.ts';

/** What is said of whether one account shows itself as another: each part is a number from 0 to 3, null if it is unknown. */
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
  'handle_equal',
  'handle_similar',
  'former_handle',
  'linked_by_subject',
  'linked_by_person',
  'links_to_subject',
  'links_to_person',
  'same_person',
  'other_person',
  'person_on_platform',
  'same_platform',
  'disclaimer',
  'size_apart',
] as const;
export type PartName = (typeof PART_NAMES)[number];

export type Parts = Readonly<Record<PartName, number | null>>;

/** Who is asked about. */
export interface Subject {
  readonly account: Candidate;
  /** The other accounts of its person. */
  readonly others: readonly Candidate[];
  /** Handles that it had on its platform before. */
  readonly former: readonly string[];
}

/** What the view of people says of a suspect; null if it has no such account. */
export interface Membership {
  /** Whether it is one of the subject's own accounts. */
  readonly isSamePerson: boolean;
  /** Whether it is an account of another person that has several. */
  readonly isOtherPerson: boolean;
}

const is = (condition: boolean): 0 | 1 => (condition ? 1 : 0);

const DECORATION = /[^\p{L}\p{M}\p{N}.,_ ()-]/gu;

/** A displayed name as it is written, without ornaments: letters, case, order and punctuation are those of the account. */
const writtenName = (displayed: string | null): string | null => {
  const plain = displayed?.normalize('NFKC').replaceAll(DECORATION, '').replaceAll(/\s+/g, ' ').trim();
  return plain === undefined || plain === '' ? null : plain;
};

/** Whether a profile links to an account: by the handle that it has, or by its native ID. */
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

/** Links that either shows, but for those that the other one cannot have: to its own platform, and to the subject itself. */
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

/** Whether a handle is made of the first two words of a name, in whichever order. */
const isNamed = (handle: string | null, { name }: Candidate): boolean =>
  handle !== null &&
  name !== null &&
  name.words.length > 1 &&
  name.words.slice(0, 2).every((word) => handle.includes(word));

const hasFormer = ({ platform, handle }: Candidate, { account, former }: Subject): boolean =>
  platform === account.platform && handle !== null && former.includes(handle);

const handleParts = (suspect: Candidate, subject: Subject) => {
  const { account } = subject;
  const [one, other] = [suspect.comparable, account.comparable];
  const isKnown = one !== null && other !== null;
  const isEqual = isKnown && one === other;
  const isSimilar = relateHandles(one, other) === 'alike' || isNamed(one, account);
  return {
    handle_equal: isKnown ? is(isEqual) : null,
    handle_similar: isKnown ? is(!isEqual && isSimilar) : null,
    former_handle: is(hasFormer(suspect, subject)),
  };
};

/**
 * What speaks for or against an account showing itself as another one, which it is not. An account of the same person
 * shows much of it too: but the person's accounts link to it, it has the person's handle, and it has links that are not exactly those of one account.
 * @param membership what the view of people says of the suspect.
 */
export const partsOf = (suspect: Candidate, subject: Subject, membership: Membership | null): Parts => {
  const { account, others } = subject;
  const rest = others.filter(({ key }) => key !== suspect.key);
  const apart =
    suspect.decade === null || account.decade === null ? null : Math.abs(account.decade - suspect.decade);
  return {
    ...nameParts(suspect, account),
    bio_equal: equality(suspect.intro, account.intro),
    picture_equal: equality(suspect.picture, account.picture),
    ...linkParts(suspect, account, hasFormer(suspect, subject)),
    ...handleParts(suspect, subject),
    linked_by_subject: is(linksTo(account, suspect)),
    linked_by_person: is(rest.some((one) => linksTo(one, suspect))),
    links_to_subject: is(linksTo(suspect, account)),
    links_to_person: is(rest.some((one) => linksTo(suspect, one))),
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
    size_apart: apart === null ? null : Math.min(3, apart),
  };
};
