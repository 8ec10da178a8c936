import type { Platform } from '../simulated-platforms.ts';
import { keyFor, mix, scramble, unit } from './hash.ts';
import { personKey, platformNumber } from './identity.ts';
import type { Parameters } from './parameters.ts';
import type { AccountRef, Role } from './people.ts';
import { introOf } from './profile.ts';
import type { ChangingField, ProfileChanges } from './profile-changes.ts';
import type { Traits } from './traits.ts';

type Copied = Exclude<ChangingField, 'name'>;

/** A picture or a bio: what it is, and whether the account shows it in a version of its own. */
interface Shown {
  readonly source: number;
  /** Drawn beside the source, so that two sources are rarely equal by chance. */
  readonly second: number;
  readonly own: number;
  readonly language: string;
  /** One of the few that many accounts use. */
  readonly common: boolean;
}

/** What changes of a field follow. */
interface Events {
  readonly key: number;
  readonly pace: number;
}

export interface EvidenceSource {
  readonly seed: number;
  readonly parameters: Parameters;
  readonly changes: ProfileChanges;
  traits(platform: Platform, index: number): Traits;
  subjectOf(platform: Platform, index: number, role: Role | null): AccountRef | null;
}

const PICTURE = 'abcdefghijklmnopqrstuvwxyz234567';
/** Characters of a picture that a crop of it has too, and those of the file. */
const MOTIF = 8;
const FILE = 12;
/** Pictures and bios that many accounts use. */
const COMMON = 60;
const SALTS: Readonly<Record<Copied, number>> = { avatar: 300, bio: 310 };

/** The picture as it is in addresses: equal for one file, equal in its first characters for crops of one picture. */
export const pictureToken = (source: number, second: number, own: number): string =>
  scramble(PICTURE, MOTIF, mix(source, second), 143) +
  scramble(PICTURE, FILE, mix(mix(source, second), own), 144);

/** One of the pictures that many accounts use. */
export const commonPicture = (draw: number): string => pictureToken(mix(draw, 1) % COMMON, 0, 0);

/** Shares of the accounts of a person that show what they have in common; they set how many pairs do. */
export const commonShares = (equal: number, similar: number) => ({
  equal: Math.sqrt(equal),
  similar: Math.sqrt(equal + similar) - Math.sqrt(equal),
});

/** Pictures and bios of the population: which accounts have equal and similar ones follows from the parameters. */
export const createEvidence = ({ seed, parameters, changes, traits, subjectOf }: EvidenceSource) => {
  const { pictures, bios } = parameters.evidence;
  const laws = { avatar: pictures, bio: bios };
  const shares = {
    avatar: commonShares(pictures.person, pictures.personSimilar),
    bio: commonShares(bios.person, bios.personSimilar),
  };
  const seconds = keyFor(seed, 'pictures and bios');
  const pairs = keyFor(seed, 'twins');

  const pairOf = (platform: Platform, index: number): number =>
    mix(mix(pairs, platformNumber(platform)), index >>> 1);
  const isTwinOf = (platform: Platform, index: number, field: Copied): boolean =>
    traits(platform, index).role === 'twin' && unit(pairOf(platform, index), SALTS[field]) < laws[field].twin;

  /** Changes of what an account shows of its own. */
  const ownEvents = (platform: Platform, index: number, field: Copied): Events => {
    const { key, member } = traits(platform, index);
    if (isTwinOf(platform, index, field)) {
      const pair = pairOf(platform, index);
      return { key: pair, pace: pair };
    }
    if (!member) return { key, pace: key };
    const person = personKey(seed, index);
    const { equal, similar } = shares[field];
    return { key: unit(key, SALTS[field]) < equal + similar ? person : key, pace: person };
  };

  const ownOf = (platform: Platform, index: number, field: Copied, at: number): Shown => {
    const { key, member, language } = traits(platform, index);
    const { key: events, pace } = ownEvents(platform, index, field);
    const source = changes.versionOf(events, field, at, pace);
    const isTwin = isTwinOf(platform, index, field);
    const isPersons = member && events !== key && !isTwin;
    if (!isPersons && !isTwin && unit(key, SALTS[field] + 1) < laws[field].stranger) {
      const number = mix(source, 1) % COMMON;
      return { source: number, second: 0, own: 0, language, common: true };
    }
    const second = mix(
      seconds,
      isTwin ? index >>> 1 : index * 8 + (isPersons ? 7 : platformNumber(platform)),
    );
    const isCrop = isPersons && unit(key, SALTS[field]) >= shares[field].equal;
    return {
      source,
      second,
      own: isCrop ? mix(key, 2) : 0,
      language: isTwin ? traits(platform, index & ~1).language : language,
      common: false,
    };
  };

  /** Whose picture or bio an account shows; null for its own. */
  const copiedBy = (platform: Platform, index: number, field: Copied) => {
    const { key, role } = traits(platform, index);
    if (role === 'adaptive') {
      const subject = subjectOf(platform, index, role);
      return subject && { subject, isCrop: false };
    }
    if (role !== 'impersonator' && role !== 'fan') return null;
    const law = laws[field];
    const draw = unit(key, SALTS[field] + 2);
    const crops = role === 'impersonator' ? law.impersonatorSimilar : 0;
    if (draw >= law[role] + crops) return null;
    const subject = subjectOf(platform, index, role);
    return subject && { subject, isCrop: draw >= law[role] };
  };

  const shownBy = (platform: Platform, index: number, field: Copied, at: number): Shown => {
    const copied = copiedBy(platform, index, field);
    if (!copied) return ownOf(platform, index, field, at);
    const { subject, isCrop } = copied;
    // Fans admire fans: what a star has copied itself is not followed further.
    const shown =
      traits(platform, index).role === 'fan'
        ? ownOf(subject.platform, subject.index, field, at)
        : shownBy(subject.platform, subject.index, field, at);
    return isCrop ? { ...shown, own: mix(traits(platform, index).key, 3) } : shown;
  };

  const eventsOf = (platform: Platform, index: number, field: Copied): Events => {
    const copied = copiedBy(platform, index, field);
    if (!copied) return ownEvents(platform, index, field);
    const { subject } = copied;
    return traits(platform, index).role === 'fan'
      ? ownEvents(subject.platform, subject.index, field)
      : eventsOf(subject.platform, subject.index, field);
  };

  return {
    pictureAt: (platform: Platform, index: number, at: number): string => {
      const { source, second, own } = shownBy(platform, index, 'avatar', at);
      return pictureToken(source, second, own);
    },
    introAt: (platform: Platform, index: number, at: number): string => {
      const { source, second, own, language, common } = shownBy(platform, index, 'bio', at);
      return introOf(language, common ? source : mix(source, second), common ? null : own);
    },
    /** Changes of a field in (from, to], ascending. */
    changesOf: (platform: Platform, index: number, field: ChangingField, from: number, to: number) => {
      const { key, member } = traits(platform, index);
      const own = { key, pace: member ? personKey(seed, index) : key };
      const { key: events, pace } = field === 'name' ? own : eventsOf(platform, index, field);
      return changes.between(events, field, from, to, pace);
    },
    /** Key that the interval of changes of an account is drawn from. */
    paceOf: (platform: Platform, index: number): number =>
      traits(platform, index).member ? personKey(seed, index) : traits(platform, index).key,
  };
};

export type Evidence = ReturnType<typeof createEvidence>;
