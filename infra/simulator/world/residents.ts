import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import type { Account } from './account.ts';
import { agencyOf } from './agencies.ts';
import { createEvidence } from './evidence.ts';
import type { Graph } from './graph.ts';
import { followingAt, type Growth } from './growth.ts';
import type { Handles } from './handle-types.ts';
import { mix, pick, unit } from './hash.ts';
import { personKey, platformNumber, quirksOf } from './identity.ts';
import { type Lifecycle, verifiedAt } from './lifecycle.ts';
import type { Companies } from './linkedin/companies.ts';
import { addressOf, mentionOf } from './links.ts';
import { LAST_NAMES } from './name-parts.ts';
import type { Naming } from './naming.ts';
import { type NativeIds, residentNumber } from './native-ids.ts';
import type { Pages } from './pages.ts';
import type { Parameters } from './parameters.ts';
import type { AccountRef, People, Role } from './people.ts';
import { DISCLAIMERS } from './phrases.ts';
import { bioOf, fullName, languageOf, locationOf, ornamented, variantOf, writtenBy } from './profile.ts';
import type { ProfileChanges } from './profile-changes.ts';
import type { Traits } from './traits.ts';

export interface ResidentsSource {
  readonly seed: number;
  readonly size: number;
  readonly parameters: Parameters;
  readonly handles: Handles;
  readonly ids: NativeIds;
  readonly companies: Companies;
  readonly companyCount: number;
  readonly people: People;
  readonly naming: Naming;
  readonly lifecycle: Lifecycle;
  readonly changes: ProfileChanges;
  readonly growth: Growth;
  readonly graph: Graph;
  readonly pages: Pages;
  traits(platform: Platform, index: number): Traits;
  createdAt(platform: Platform, index: number): number;
  postCount(traits: Traits, at: number): number;
}

/** Accounts that a fan chooses the largest of. */
const STARS = 4;

/** State of the accounts of the population. */
export const createResidents = (source: ResidentsSource) => {
  const { seed, size, handles, naming, people, lifecycle, changes, growth, graph, pages, traits } = source;
  /** So many of a person’s accounts have the name as it is, that the given share of pairs differs. */
  const plain = Math.sqrt(1 - source.parameters.names.differ);

  const handleNow = (platform: Platform, index: number, at: number): string =>
    naming.handleAt(platform, index, naming.generationAt(platform, index, at));
  const exists = ({ platform, index }: AccountRef, at: number): boolean =>
    source.createdAt(platform, index) <= at;
  const addressNow = ({ platform, index }: AccountRef, at: number): string =>
    addressOf(platform, handleNow(platform, index, at));

  /** Whom a fan admires: a large account of the platform or another one. */
  const starOf = (platform: Platform, index: number): AccountRef => {
    const { key } = traits(platform, index);
    const where = people.membershipsOf(index);
    const there = where[Math.floor(unit(key, 290) * where.length)] ?? platform;
    let best = Math.floor(unit(key, 291) * size);
    for (let n = 1; n < STARS; n++) {
      const other = Math.floor(unit(key, 291 + n) * size);
      if (traits(there, other).size > traits(there, best).size) best = other;
    }
    return { platform: there, index: best };
  };

  const employerOf = (index: number): number =>
    size + (mix(personKey(seed, index), 295) % source.companyCount);

  /** Whom an account’s role is about, besides its owner. */
  const subjectOf = (platform: Platform, index: number, role: Role | null): AccountRef | null => {
    if (role === 'fan') {
      const star = starOf(platform, index);
      return star.platform === platform && star.index === index ? null : star;
    }
    if (role === 'staff') return { platform: 'linkedin', index: employerOf(index) };
    if (role === 'twin') return { platform, index: index ^ 1 };
    return role === 'impersonator' || role === 'parody' || role === 'taken_name' || role === 'adaptive'
      ? people.originalOf(platform, index)
      : null;
  };

  const evidence = createEvidence({ seed, parameters: source.parameters, changes, traits, subjectOf });

  /** Addresses that an adversary adds to those it copies: of all whom it wants to be taken for, and of its own. */
  const claimsOf = (platform: Platform, index: number, at: number): string[] => {
    const tactic = people.tacticOf(platform, index);
    const claimed = tactic === 'bridge' ? [index, index ^ 1] : [index];
    const own =
      tactic === 'ring'
        ? PLATFORMS.filter((other) => other !== platform && traits(other, index).role === 'adaptive')
        : [];
    return [
      ...claimed.flatMap((person) =>
        people.membershipsOf(person).map((other) => ({ platform: other, index: person })),
      ),
      ...own.map((other) => ({ platform: other, index })),
    ]
      .filter((ref) => ref.index < size && exists(ref, at))
      .map((ref) => addressNow(ref, at));
  };

  /** Accounts of others that an account of a person links to: of those with ties, and handles that it left long ago. */
  const tiesOf = (platform: Platform, index: number): readonly AccountRef[] => {
    if (!people.isMember(platform, index)) return [];
    const left = PLATFORMS.filter(
      (other) => traits(other, index).role === 'adaptive' && people.tacticOf(other, index) === 'former',
    );
    const tie = people.tiedOn(index) === platform ? people.tieOf(index) : null;
    const on = tie && people.tiedOn(tie.index);
    return [
      ...left.map((other) => ({ platform: other, index })),
      ...(tie && on ? [{ platform: on, index: tie.index }] : []),
    ];
  };

  /** URLs of a profile. */
  const linksOf = (platform: Platform, index: number, at: number): string[] => {
    const { role } = traits(platform, index);
    const subject = subjectOf(platform, index, role);
    if (role === 'impersonator' && subject) return linksOf(subject.platform, subject.index, at);
    if (role === 'adaptive' && subject)
      return [
        ...new Set([...linksOf(subject.platform, subject.index, at), ...claimsOf(platform, index, at)]),
      ];
    const links: string[] = [];
    const agency = role === 'client' || role === 'agency' ? agencyOf(seed, size, index) : null;
    if (agency) links.push(pages.ofAgency(agency));
    if (role === 'staff' && subject)
      links.push(`https://${source.companies.slug(subject.index - size)}.example`);
    if ((role === 'fan' || role === 'parody') && subject && exists(subject, at))
      links.push(addressNow(subject, at));
    if (people.hasPage(platform, index)) links.push(pages.ofPerson(index));
    for (const other of people.linkedFrom(platform, index)) {
      const ref = { platform: other, index };
      if (exists(ref, at)) links.push(addressNow(ref, at));
    }
    for (const ref of tiesOf(platform, index)) if (exists(ref, at)) links.push(addressNow(ref, at));
    return links;
  };

  const ownNameOf = (platform: Platform, index: number, second?: string): string => {
    const { key, member, language } = traits(platform, index);
    const tie = member ? people.tieOf(index) : null;
    if (tie?.tie === 'firm' && index > tie.index)
      return `${handles.namesOf(platform, { form: 'same', number: index }).last} Studio`;
    const named = member ? people.namedAs(index) : index;
    const own = handles.namesOf(platform, { form: member ? 'same' : 'own', number: named });
    const spouse =
      tie?.tie === 'couple' && index > tie.index
        ? handles.namesOf(platform, { form: 'same', number: tie.index })
        : own;
    const real = { ...own, last: spouse.last, second: spouse.second };
    const names = second === undefined ? real : { ...real, second };
    const [owner, spoken] = member
      ? [personKey(seed, named), languageOf(personKey(seed, named))]
      : [key, language];
    return writtenBy(key, fullName(owner, spoken, names), spoken, source.parameters.names);
  };

  const disclaimerOf = (platform: Platform, index: number, where: 'names' | 'bios'): string => {
    const { key, language } = traits(platform, index);
    return pick((DISCLAIMERS[language] ?? DISCLAIMERS.en)?.[where] ?? [''], key, 304);
  };

  /** Names are written alike whether or not a person has accounts elsewhere. */
  const nameOf = (platform: Platform, index: number): string => {
    const { key, role } = traits(platform, index);
    const subject = subjectOf(platform, index, role);
    const law = source.parameters.evidence.names;
    const draw = unit(key, 298);
    if (role === 'parody' && subject)
      return `${nameOf(subject.platform, subject.index)} ${disclaimerOf(platform, index, 'names')}`;
    if (role === 'adaptive' && subject) {
      const other =
        people.tacticOf(platform, index) === 'bridge' ? people.originalOf(platform, index ^ 1) : null;
      const named = other ?? subject;
      return nameOf(named.platform, named.index);
    }
    if (role === 'impersonator' && subject) {
      if (draw < law.impersonator) return nameOf(subject.platform, subject.index);
      const alike = ownNameOf(subject.platform, subject.index, pick(LAST_NAMES, key, 299));
      return unit(key, 296) >= plain ? variantOf(alike, key) : alike;
    }
    if (role === 'fan' && subject && draw < law.fan) return ownNameOf(subject.platform, subject.index);
    const isNamesake =
      role === 'twin' && unit(mix(mix(seed, 297), platformNumber(platform)), index >>> 1) < law.twin;
    const name = ownNameOf(platform, isNamesake ? index & ~1 : index);
    return unit(key, 296) >= plain ? variantOf(name, key) : name;
  };

  const introNow = (platform: Platform, index: number, at: number): string => {
    const { role } = traits(platform, index);
    const subject = subjectOf(platform, index, role);
    const intro = evidence.introAt(platform, index, at);
    if (role === 'staff' && subject) {
      const firm = source.companies.slug(subject.index - size).replaceAll('-', ' ');
      return `${intro}\nat ${firm}`;
    }
    return role === 'parody' ? `${intro}\n${disclaimerOf(platform, index, 'bios')}` : intro;
  };

  const account = (platform: Platform, index: number, at: number): Account => {
    const own = traits(platform, index);
    const { key, kind, createdAt, language } = own;
    const generation = naming.generationAt(platform, index, at);
    const { handle, shown } = handles.written(platform, naming.partsAt(platform, index, generation));
    const followers = Math.floor(growth.at(platform, own, at));
    const mentions = graph
      .inBio(platform, index, key)
      .filter((other) => exists({ platform, index: other }, at));
    const links = linksOf(platform, index, at);
    return {
      platform,
      index,
      key,
      kind,
      status: lifecycle.statusAt(platform, key, createdAt, at),
      quirks: quirksOf(platform, key),
      id: source.ids.encode(platform, residentNumber(index), createdAt),
      author: platform === 'x' ? source.ids.author(residentNumber(index)) : 0,
      handle: kind === 'bot' ? `${handle}bot` : handle,
      shown: kind === 'bot' ? `${shown}bot` : shown,
      previousHandles: naming.previousAt(platform, index, at),
      displayName: ornamented(
        nameOf(platform, index),
        changes.versionOf(key, 'name', at, evidence.paceOf(platform, index)),
      ),
      followers,
      following: kind === 'person' || kind === 'channel' ? followingAt(key, at) : 0,
      posts: source.postCount(own, at),
      hearts: Math.min(4_200_000_000, Math.floor(own.size * (5 + 45 * unit(key, 142)))),
      verified: verifiedAt(key, createdAt, own.size, at),
      createdAt,
      bio: bioOf(
        platform,
        introNow(platform, index, at),
        mentions.map((other) => mentionOf(platform, handleNow(platform, other, at))),
        links,
      ),
      location: locationOf(platform, key, language),
      language,
      links,
      mentions,
      avatar: evidence.pictureAt(platform, index, at),
      hasAvatar: unit(key, 144) < 0.97,
    };
  };

  return { account, handleNow, subjectOf, nameOf, employerOf, exists, evidence };
};
