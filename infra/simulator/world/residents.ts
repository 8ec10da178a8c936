import type { Platform } from '../../../src/kernel/platform.ts';
import type { Account } from './account.ts';
import { agencyOf } from './agencies.ts';
import type { Graph } from './graph.ts';
import { followingAt, type Growth } from './growth.ts';
import type { Handles } from './handles.ts';
import { mix, scramble, unit } from './hash.ts';
import { personKey, quirksOf } from './identity.ts';
import { type Lifecycle, verifiedAt } from './lifecycle.ts';
import type { Companies } from './linkedin/companies.ts';
import { addressOf, mentionOf, pageOf } from './links.ts';
import type { Naming } from './naming.ts';
import type { NativeIds } from './native-ids.ts';
import type { Parameters } from './parameters.ts';
import type { AccountRef, People, Role } from './people.ts';
import { bioOf, fullName, introOf, languageOf, locationOf, ornamented, variantOf } from './profile.ts';
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
  traits(platform: Platform, index: number): Traits;
  createdAt(platform: Platform, index: number): number;
  postCount(traits: Traits, at: number): number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Accounts that a fan chooses the largest of. */
const STARS = 4;

/** State of the accounts of the population. */
export const createResidents = (source: ResidentsSource) => {
  const { seed, size, handles, naming, people, lifecycle, changes, growth, graph, traits } = source;
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
    return role === 'impersonator' || role === 'parody' || role === 'taken_name'
      ? people.originalOf(platform, index)
      : null;
  };

  const personPage = (index: number): string =>
    pageOf(handles.encode('instagram', { form: 'same', number: index, generation: 0 }));

  /** URLs of a profile. */
  const linksOf = (platform: Platform, index: number, at: number): string[] => {
    const { role } = traits(platform, index);
    const subject = subjectOf(platform, index, role);
    if (role === 'impersonator' && subject) return linksOf(subject.platform, subject.index, at);
    const links: string[] = [];
    const agency = role === 'client' || role === 'agency' ? agencyOf(seed, size, index) : null;
    if (agency) links.push(pageOf(agency.id));
    if (role === 'staff' && subject)
      links.push(`https://${source.companies.slug(subject.index - size)}.example`);
    if ((role === 'fan' || role === 'parody') && subject && exists(subject, at))
      links.push(addressNow(subject, at));
    if (people.hasPage(platform, index)) links.push(personPage(index));
    for (const other of people.linkedFrom(platform, index)) {
      const ref = { platform: other, index };
      if (exists(ref, at)) links.push(addressNow(ref, at));
    }
    return links;
  };

  const nameOf = (platform: Platform, index: number): string => {
    const { key, member, language, role } = traits(platform, index);
    const subject = subjectOf(platform, index, role);
    if ((role === 'impersonator' || role === 'parody') && subject) {
      const copied = nameOf(subject.platform, subject.index);
      return role === 'parody' ? `${copied} (parody)` : copied;
    }
    const named = member ? people.namedAs(index) : index;
    const names = handles.namesOf(platform, { form: member ? 'same' : 'own', number: named, generation: 0 });
    const name = member
      ? fullName(personKey(seed, named), languageOf(personKey(seed, named)), names)
      : fullName(key, language, names);
    return member && unit(key, 296) >= plain ? variantOf(name, key) : name;
  };

  /** Version of a field of the account that shows it: an impersonator shows what it copied. */
  const versionOf = (platform: Platform, index: number, field: 'name' | 'bio', at: number): number => {
    const { role } = traits(platform, index);
    const subject = subjectOf(platform, index, role);
    if (role === 'impersonator' && subject) return versionOf(subject.platform, subject.index, field, at);
    if (role === 'twin' && field === 'bio') return mix(mix(seed, 297), index >>> 1);
    return changes.versionOf(traits(platform, index).key, field, at);
  };

  const avatarNow = (platform: Platform, index: number, at: number): string => {
    const { role } = traits(platform, index);
    const subject = role === 'impersonator' ? subjectOf(platform, index, role) : null;
    if (subject) return avatarNow(subject.platform, subject.index, at);
    const { key } = traits(platform, index);
    return scramble(LETTERS, 20, mix(key, changes.versionOf(key, 'avatar', at)), 143);
  };

  const introNow = (platform: Platform, index: number, at: number): string => {
    const { role } = traits(platform, index);
    const subject = subjectOf(platform, index, role);
    if (role === 'impersonator' && subject) return introNow(subject.platform, subject.index, at);
    const { language } = traits(platform, role === 'twin' ? index & ~1 : index);
    const intro = introOf(language, versionOf(platform, index, 'bio', at));
    if (role === 'staff' && subject) {
      const firm = source.companies.slug(subject.index - size).replaceAll('-', ' ');
      return `${intro}\nat ${firm}`;
    }
    return role === 'parody' ? `${intro}\nParody, not the real one.` : intro;
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
      id: source.ids.encode(platform, index, key, createdAt),
      handle: kind === 'bot' ? `${handle}bot` : handle,
      shown: kind === 'bot' ? `${shown}bot` : shown,
      previousHandles: naming.previousAt(platform, index, at),
      displayName: ornamented(nameOf(platform, index), versionOf(platform, index, 'name', at)),
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
      avatar: avatarNow(platform, index, at),
      hasAvatar: unit(key, 144) < 0.97,
    };
  };

  return { account, handleNow, subjectOf, nameOf, employerOf, personPage, exists };
};
