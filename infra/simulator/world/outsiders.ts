import { normalQuantile, normalTail } from '../../../src/kernel/distributions.ts';
import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import { type Account, DAY } from './account.ts';
import { normal } from './draws.ts';
import { createEffects, type Effects } from './effects.ts';
import type { Engagement, EngagementTraits } from './engagement.ts';
import { commonPicture, commonShares, pictureToken } from './evidence.ts';
import type { FollowKind } from './follow-list.ts';
import { ANCHOR, WEEK } from './growth.ts';
import { type Handles, MAX_OUTSIDERS } from './handle-types.ts';
import { keyFor, mix, unit } from './hash.ts';
import { platformNumber } from './identity.ts';
import { OPENED } from './lifecycle.ts';
import { type NativeIds, outsiderNumber } from './native-ids.ts';
import type { Observables, Observed } from './observables.ts';
import type { Parameters } from './parameters.ts';
import type { Pace, PostingTimes } from './posting-times.ts';
import { fullName, introOf, languageOf, ornamented, variantOf } from './profile.ts';
import type { Traits } from './traits.ts';

/** Numbers of outsiders by what they are. */
export const CROWD = {
  /** Genuine ones of a community: ranges of 2^18, of 1024 communities. */
  ofCommunities: { from: 0, size: 2 ** 28 },
  genuine: { from: 2 ** 28, size: 2 ** 28 - 2 ** 24 },
  /** Genuine ones that came in a surge, by groups. */
  surges: { from: 2 ** 29 - 2 ** 24, size: 2 ** 24 },
  inactive: { from: 2 ** 29, size: 2 ** 28 },
  suspicious: { from: 2 ** 29 + 2 ** 28, size: 100_663_296 },
  /** Bought ones, by campaigns. */
  bought: { from: 2 ** 29 + 2 ** 28 + 100_663_296, size: 100_663_296 },
  /** Those that took over a name: four numbers an account of the population. */
  takers: { from: MAX_OUTSIDERS - 2 ** 26, size: 2 ** 26 },
} as const;

/** Seats of a campaign or a surge. Each has two accounts; one of them follows at a time. */
export const SLOTS = 4096;
/** Accounts of a campaign or a surge; they are created within days. */
export const GROUP = 2 * SLOTS;
export const CAMPAIGNS = CROWD.bought.size / GROUP;
export const SURGES = CROWD.surges.size / GROUP;

const within = ({ from, size }: { from: number; size: number }, number: number): boolean =>
  number >= from && number < from + size;

export interface Outsiders {
  kindOf(number: number): FollowKind;
  campaignOf(number: number): number | null;
  createdAt(platform: Platform, number: number): number;
  /** What an outsider is for all time; `size` is its followers. */
  traits(platform: Platform, number: number, index: number): Traits;
  /** State of an outsider that took no name over. */
  account(traits: Traits, number: number, posts: number): Account;
  /** Accounts of the same operator on other platforms, by their numbers there. */
  elsewhere(
    platform: Platform,
    number: number,
  ): readonly { readonly platform: Platform; readonly number: number }[];
}

export const isTaker = (number: number): boolean => within(CROWD.takers, number);

const kindOf = (number: number): FollowKind => {
  if (number < CROWD.inactive.from) return 'genuine';
  return number < CROWD.suspicious.from ? 'inactive' : isTaker(number) ? 'genuine' : 'suspicious';
};

const groupOf = (number: number): number | null =>
  within(CROWD.bought, number) || within(CROWD.surges, number) ? Math.floor(number / GROUP) : null;

const count = (ln: number): number => Math.max(0, Math.floor(Math.exp(ln) - 0.5));

/**
 * The crowd that follows without being of the population: up to 2^30 accounts a platform, each a function of its
 * number, which is of its platform alone. Two outsiders with one name on two platforms may have one operator; what
 * kinds of accounts they are, and their figures, are drawn apart.
 */
export const createOutsiders = (
  seed: number,
  parameters: Parameters,
  observables: Observables,
  handles: Handles,
  ids: NativeIds,
  engagement: Engagement,
  times: PostingTimes,
): Outsiders => {
  const effectsOf = createEffects(parameters);
  const keyOf = (platform: Platform, number: number) =>
    mix(mix(seed, 910 + platformNumber(platform) * 7), number);

  // Two of one name are of one operator as often as leaves the given share of names to others.
  const apart = Math.min(1, parameters.names.sameHandle / handles.density);
  const operated = Math.sqrt(1 - apart);
  const operators = keyFor(seed, 'operators of outsiders');
  const picturesOf = commonShares(parameters.evidence.pictures.person, 0).equal;
  const biosOf = commonShares(parameters.evidence.bios.person, 0).equal;
  const plainNames = Math.sqrt(1 - parameters.names.differ);
  /** Key of who has a name on several platforms; null for an account that is of another one. */
  const operatorOf = (platform: Platform, spelling: number): number | null => {
    if (!handles.isOfOutsiders(spelling)) return null;
    const key = mix(mix(operators, spelling >>> 0), Math.floor(spelling / 2 ** 32));
    return unit(key, 800 + platformNumber(platform)) < operated ? key : null;
  };

  // A member of a list is asked for its age, its traits and its figures one after the other.
  let lastSeen: { readonly key: number; readonly number: number; readonly seen: Observed } | null = null;
  const seenOf = (key: number, number: number): Observed => {
    if (lastSeen?.key !== key || lastSeen.number !== number)
      lastSeen = { key, number, seen: observables.draw(key, kindOf(number) === 'suspicious') };
    return lastSeen.seen;
  };

  const ageOf = (platform: Platform, number: number, key: number, seen: Observed): number => {
    const group = groupOf(number);
    const span = ANCHOR - OPENED[platform];
    if (group === null) return normalTail(-seen.age) * span;
    const shared = mix(mix(seed, 970 + platformNumber(platform)), group);
    const age = within(CROWD.bought, number)
      ? observables.draw(shared, true).age
      : -0.7 + 0.8 * normal(shared, 1);
    return Math.max(4 * DAY, normalTail(-age) * span) - unit(key, 246) * 3 * DAY;
  };

  const createdAtOf = (platform: Platform, number: number, key: number, seen: Observed): number =>
    Math.floor((ANCHOR - ageOf(platform, number, key, seen)) / 1000) * 1000;

  return {
    kindOf,
    createdAt: (platform, number) => {
      const key = keyOf(platform, number);
      return createdAtOf(platform, number, key, seenOf(key, number));
    },
    campaignOf: (number) =>
      within(CROWD.bought, number) ? Math.floor((number - CROWD.bought.from) / GROUP) : null,
    traits: (platform, number, index) => {
      const key = keyOf(platform, number);
      const kind = kindOf(number);
      const seen = seenOf(key, number);
      const createdAt = createdAtOf(platform, number, key, seen);
      const silent = kind === 'inactive';
      const size = count(seen.followers);
      const [mean, sigma] = silent
        ? [0.8, 1]
        : ((kind === 'suspicious' ? observables.postsOf(key) : null) ?? [5, 1.6]);
      const posts = Math.exp(mean + sigma * normal(key, 248));
      const weeks = Math.max(1, (ANCHOR - createdAt) / WEEK);
      let engaged: EngagementTraits | undefined;
      let effects: Effects | undefined;
      let pace: Pace | undefined;
      return {
        platform,
        index,
        key,
        kind: platform === 'youtube' ? 'channel' : 'person',
        member: false,
        role: null,
        createdAt,
        size,
        volatility: 0.002,
        trend: 0,
        dormantFrom: silent ? createdAt + 0.5 * (ANCHOR - createdAt) : Infinity,
        rate: Math.min(175, Math.max(0.02, (posts / weeks) * (silent ? 2 : 1))),
        zone: 0,
        // Most outsiders are seen in lists alone.
        get language() {
          return languageOf(operatorOf(platform, handles.spellingOf(platform, number)) ?? key);
        },
        get engagement() {
          engaged ??= engagement.traitsOf(platform, key, size);
          return engaged;
        },
        get effects() {
          effects ??= effectsOf(platform, key);
          return effects;
        },
        get pace() {
          pace ??= times.paceOf(key, 0, createdAt);
          return pace;
        },
      };
    },
    account: ({ platform, index, key, kind, createdAt, size }, number, posts) => {
      const seen = seenOf(key, number);
      const spelling = handles.spellingOf(platform, number);
      const { handle, shown, names } = handles.spelled(platform, spelling);
      const person = operatorOf(platform, spelling) ?? key;
      const language = languageOf(person);
      const name = fullName(person, language, names);
      const common = (share: number, salt: number) => (unit(key, salt) < share ? person : key);
      const pictureKey = common(picturesOf, 300);
      return {
        platform,
        index,
        key,
        kind,
        status: 'active',
        quirks: new Set(),
        id: ids.encode(platform, outsiderNumber(number), createdAt),
        author: platform === 'x' ? ids.author(outsiderNumber(number)) : 0,
        handle,
        shown,
        previousHandles: [],
        displayName: ornamented(unit(key, 296) < plainNames ? name : variantOf(name, key), key),
        followers: size,
        following: count(seen.following),
        posts,
        hearts: 0,
        verified: false,
        createdAt,
        bio: seen.hasBio ? introOf(language, common(biosOf, 310)) : '',
        location: '',
        language,
        links: [],
        mentions: [],
        avatar:
          pictureKey === key && unit(key, 301) < parameters.evidence.pictures.stranger
            ? commonPicture(key)
            : pictureToken(pictureKey, pictureKey === key ? number : spelling, 0),
        hasAvatar: seen.hasAvatar,
      };
    },
    elsewhere: (platform, number) => {
      const spelling = handles.spellingOf(platform, number);
      if (operatorOf(platform, spelling) === null) return [];
      return PLATFORMS.flatMap((other) => {
        if (other === platform || operatorOf(other, spelling) === null) return [];
        const there = handles.outsiderWith(other, spelling);
        return there === null || isTaker(there) ? [] : [{ platform: other, number: there }];
      });
    },
  };
};

/** What an observer reads off an account, as the densities of the world have it. */
export const observedOf = (
  account: Pick<Account, 'platform' | 'createdAt' | 'followers' | 'following' | 'hasAvatar' | 'bio'>,
): Observed => {
  const age = (ANCHOR - account.createdAt) / (ANCHOR - OPENED[account.platform]);
  return {
    age: normalQuantile(Math.min(1 - 1e-6, Math.max(1e-6, age))),
    followers: Math.log(account.followers + 1),
    following: Math.log(account.following + 1),
    hasAvatar: account.hasAvatar,
    hasBio: account.bio !== '',
  };
};
