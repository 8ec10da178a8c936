import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import { agencyOf, CLIENT_SHARE, isClient } from './agencies.ts';
import type { HandleForm } from './handle-types.ts';
import { mix, pick, unit } from './hash.ts';
import { keyOf, MEMBERSHIP, personKey, platformNumber } from './identity.ts';
import { SEPARATED, separatedShare, strangerShares } from './parameters/shares.ts';
import type { Parameters } from './parameters.ts';

/** Accounts that mislead the matching of accounts to persons. */
export type Role =
  /** Links to a popular account, which does not link back. */
  | 'fan'
  /** Copies name, bio, picture and links of a person on another platform. */
  | 'impersonator'
  /** Its link page names all its clients. */
  | 'agency'
  | 'client'
  /** Names its employer and links to it. */
  | 'staff'
  /** Another person with the handle that a person has elsewhere. */
  | 'taken_name'
  | 'parody'
  /** Two people with one bio. */
  | 'twin'
  /** Knows what methods reward, and shows all of it that one side controls. */
  | 'adaptive';

/**
 * How an adversary who knows the methods goes about it. All have the victim's handle, and link to the victim's accounts.
 * - `copy`: with the victim's name, bio, picture and links.
 * - `ring`: the same, and they link to one another.
 * - `bridge`: with the name and bio of another person, to whom they link too.
 * - `former`: a copy on a handle that the victim's accounts still link to.
 */
export type Tactic = 'copy' | 'ring' | 'bridge' | 'former';

/** What two persons are to each other whose accounts link to each other. */
export type Tie = 'couple' | 'firm' | 'partners';

export interface AccountRef {
  readonly platform: Platform;
  readonly index: number;
}

export interface People {
  /** Whether account `index` of the platform belongs to person `index`, who is on other platforms too. */
  isMember(platform: Platform, index: number): boolean;
  /** Platforms of person `index`, in a fixed order. */
  membershipsOf(index: number): readonly Platform[];
  roleOf(platform: Platform, index: number): Role | null;
  /** Whether it presents itself as another account in order to deceive. */
  isPoser(platform: Platform, index: number): boolean;
  tacticOf(platform: Platform, index: number): Tactic;
  /** Another person to whose account an account of the person links, and who links back. */
  tieOf(index: number): { readonly index: number; readonly tie: Tie } | null;
  /** The account, of a person with a tie, that links and is linked to. */
  tiedOn(index: number): Platform | null;
  /** Expected share of accounts with each role. */
  readonly shares: Readonly<Record<Exclude<Role, 'agency'>, number>>;
  formOf(platform: Platform, index: number): HandleForm;
  /** Whether the handle has a separator: as often where a person has accounts elsewhere as where not. */
  isSeparated(platform: Platform, index: number): boolean;
  /** Whom a role is about, on another platform: the person that it copies or mocks. */
  originalOf(platform: Platform, index: number): AccountRef | null;
  /** Platforms that an account of a person links to directly. */
  linkedFrom(platform: Platform, index: number): readonly Platform[];
  /** Whether it links to the person's link page. */
  hasPage(platform: Platform, index: number): boolean;
  /** Number whose name the person has: its own or that of a namesake. */
  namedAs(index: number): number;
}

const MEAN_MEMBERSHIP = Object.values(MEMBERSHIP).reduce((sum, share) => sum + share, 0) / PLATFORMS.length;

/** Pairs of persons 0 and 2, 1 and 3, and so on. */
const tieNumber = (index: number): number => index & ~2;

export const createPeople = (seed: number, size: number, parameters: Parameters): People => {
  const { adversaries, handles, links, names } = parameters;
  const same = Math.sqrt(handles.identical);
  const { taken, impersonators, parodies } = strangerShares(parameters);
  const hunted = Math.min(0.9, adversaries.adaptive / (1 - MEAN_MEMBERSHIP));
  const others = Math.max(0, adversaries.share - impersonators - parodies - taken - CLIENT_SHARE);
  const shares = {
    impersonator: impersonators,
    parody: parodies,
    taken_name: taken,
    client: CLIENT_SHARE,
    fan: others * 0.5,
    staff: others * 0.25,
    twin: others * 0.25,
    adaptive: adversaries.adaptive,
  } as const;
  const ofStrangers = impersonators + parodies + taken;
  const similar = Math.sqrt(handles.identical + handles.similar);
  const page = Math.sqrt(links.page / Math.max(1e-9, links.page + links.none));

  const isSeat = (platform: Platform, index: number): boolean => {
    const agency = agencyOf(seed, size, index);
    return agency?.from === index && agency.platform === platform;
  };
  const isMember = (platform: Platform, index: number): boolean =>
    unit(personKey(seed, index), 500 + platformNumber(platform)) < MEMBERSHIP[platform] &&
    !isSeat(platform, index);

  const membershipsOf = (index: number) => PLATFORMS.filter((platform) => isMember(platform, index));
  const tieKey = (index: number): number => mix(mix(seed, 532), tieNumber(index));
  const tieOf: People['tieOf'] = (index) => {
    const other = index ^ 2;
    if (other >= size || unit(tieKey(index), 1) >= adversaries.tied) return null;
    return { index: other, tie: pick(['couple', 'firm', 'partners'] as const, tieKey(index), 2) };
  };

  /** Roles that depend on the account alone; a twin depends on its neighbour too. */
  const firstRole = (platform: Platform, index: number): Role | null => {
    if (isSeat(platform, index)) return 'agency';
    if (agencyOf(seed, size, index) !== null && isClient(seed, platform, index)) return 'client';
    if (isMember(platform, index)) return null;
    // All accounts around a victim are adversaries.
    if (unit(personKey(seed, index), 531) < hunted)
      return membershipsOf(index).length > 0 ? 'adaptive' : null;
    const rest = (1 - MEMBERSHIP[platform]) * (1 - CLIENT_SHARE) * (1 - hunted);
    const draw = unit(keyOf(seed, platform, index), 520) * rest;
    if (draw < taken) return 'taken_name';
    if (draw < taken + impersonators) return 'impersonator';
    return draw < ofStrangers ? 'parody' : null;
  };
  const rest = (1 - CLIENT_SHARE) * (1 - ofStrangers / (1 - CLIENT_SHARE));

  const roleOf: People['roleOf'] = (platform, index) => {
    const first = firstRole(platform, index);
    if (first !== null) return first;
    // Both of a pair have to be free.
    const free = rest;
    if (unit(mix(mix(seed, 521), platformNumber(platform)), index >>> 1) < shares.twin / (free * free)) {
      const other = index ^ 1;
      if (other < size && firstRole(platform, other) === null) return 'twin';
    }
    const draw = unit(keyOf(seed, platform, index), 522) * (rest - shares.twin);
    if (draw < shares.fan) return 'fan';
    return draw < shares.fan + shares.staff ? 'staff' : null;
  };

  const formOf: People['formOf'] = (platform, index) => {
    if (isMember(platform, index)) {
      const draw = unit(keyOf(seed, platform, index), 523);
      return draw < same ? 'same' : draw < similar ? 'similar' : 'own';
    }
    const role = firstRole(platform, index);
    if (role === 'taken_name' || role === 'adaptive') return 'same';
    return role === 'impersonator' || role === 'parody' ? 'similar' : 'own';
  };
  const separated = separatedShare(parameters);

  return {
    isMember,
    membershipsOf,
    roleOf,
    isPoser: (platform, index) => {
      const role = firstRole(platform, index);
      return role === 'impersonator' || role === 'adaptive';
    },
    tacticOf: (platform, index) =>
      pick(['copy', 'ring', 'bridge', 'former'] as const, keyOf(seed, platform, index), 533),
    tieOf,
    tiedOn: (index) => {
      const [first, second] = [index & ~2, index | 2];
      const on = membershipsOf(first);
      if (on.length === 0) return null;
      const there = pick(on, tieKey(index), 3);
      if (index === first) return there;
      const left = membershipsOf(second).filter((platform) => platform !== there);
      return left.length === 0 ? null : pick(left, tieKey(index), 4);
    },
    shares,
    formOf,
    isSeparated: (platform, index) => {
      if (formOf(platform, index) === 'same') return false;
      const share = isMember(platform, index)
        ? SEPARATED
        : separated / (1 - (taken + adversaries.adaptive) / (1 - MEMBERSHIP[platform]));
      return unit(keyOf(seed, platform, index), 527) < share;
    },
    originalOf: (platform, index) => {
      const on = membershipsOf(index).filter((other) => other !== platform);
      return on.length === 0 ? null : { platform: pick(on, keyOf(seed, platform, index), 524), index };
    },
    linkedFrom: (platform, index) => {
      if (!isMember(platform, index)) return [];
      const person = personKey(seed, index);
      const here = platformNumber(platform);
      return membershipsOf(index).filter((other) => {
        if (other === platform) return false;
        const there = platformNumber(other);
        const pair = Math.min(here, there) * 7 + Math.max(here, there);
        const draw = unit(person, 530 + pair);
        if (draw < links.bothWays) return true;
        if (draw >= links.bothWays + links.oneWay) return false;
        return unit(person, 600 + pair) < 0.5 === here < there;
      });
    },
    hasPage: (platform, index) => isMember(platform, index) && unit(keyOf(seed, platform, index), 525) < page,
    namedAs: (index) => {
      const first = index & ~1;
      return first + 1 < size && unit(mix(seed, 526), first) < names.sameName ? first : index;
    },
  };
};
