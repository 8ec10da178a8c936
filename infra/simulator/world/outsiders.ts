import type { Platform } from '../../../src/kernel/platform.ts';
import { type Account, DAY } from './account.ts';
import { normal, normalQuantile, normalTail } from './draws.ts';
import { createEffects } from './effects.ts';
import type { Engagement } from './engagement.ts';
import type { FollowKind } from './follow-list.ts';
import { ANCHOR, WEEK } from './growth.ts';
import { type Handles, MAX_OUTSIDERS } from './handles.ts';
import { mix, scramble, unit } from './hash.ts';
import { platformNumber } from './identity.ts';
import { OPENED } from './lifecycle.ts';
import type { NativeIds } from './native-ids.ts';
import type { Observables, Observed } from './observables.ts';
import type { Parameters } from './parameters.ts';
import type { PostingTimes } from './posting-times.ts';
import { fullName, introOf, languageOf, ornamented } from './profile.ts';
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

/** Accounts of a campaign or a surge; they are created within days. */
export const GROUP = 4096;
export const CAMPAIGNS = CROWD.bought.size / GROUP;
export const SURGES = CROWD.surges.size / GROUP;

const within = ({ from, size }: { from: number; size: number }, number: number): boolean =>
  number >= from && number < from + size;

export interface Outsiders {
  kindOf(number: number): FollowKind;
  campaignOf(number: number): number | null;
  /** What an outsider is for all time; `size` is its followers. */
  traits(platform: Platform, number: number, index: number): Traits;
  /** State of an outsider that took no name over. */
  account(traits: Traits, number: number, posts: number): Account;
}

export const isTaker = (number: number): boolean => within(CROWD.takers, number);

const kindOf = (number: number): FollowKind => {
  if (number < CROWD.inactive.from) return 'genuine';
  return number < CROWD.suspicious.from ? 'inactive' : isTaker(number) ? 'genuine' : 'suspicious';
};

const groupOf = (number: number): number | null =>
  within(CROWD.bought, number) || within(CROWD.surges, number) ? Math.floor(number / GROUP) : null;

const count = (ln: number): number => Math.max(0, Math.floor(Math.exp(ln) - 0.5));

/** The crowd that follows without being of the population: up to 2^30 accounts a platform, each a function of its number. */
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
  const { audience } = parameters;
  const keyOf = (platform: Platform, number: number) =>
    mix(mix(seed, 910 + platformNumber(platform) * 7), number);
  // Suspicious accounts are as often without posts as others: posts must not separate the classes.
  const quiet = Math.min(0.9, audience.inactive / (1 - audience.suspicious));

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

  return {
    kindOf,
    campaignOf: (number) =>
      within(CROWD.bought, number) ? Math.floor((number - CROWD.bought.from) / GROUP) : null,
    traits: (platform, number, index) => {
      const key = keyOf(platform, number);
      const kind = kindOf(number);
      const seen = observables.draw(key, kind === 'suspicious');
      const createdAt = Math.floor((ANCHOR - ageOf(platform, number, key, seen)) / 1000) * 1000;
      const silent = kind === 'inactive' || (kind === 'suspicious' && unit(key, 247) < quiet);
      const size = count(seen.followers);
      const posts = Math.exp(silent ? 0.8 + normal(key, 248) : 5 + 1.6 * normal(key, 248));
      const weeks = Math.max(1, (ANCHOR - createdAt) / WEEK);
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
        language: languageOf(key),
        engagement: engagement.traitsOf(platform, key, size),
        effects: effectsOf(platform, key),
        pace: times.paceOf(key, 0, createdAt),
      };
    },
    account: ({ platform, index, key, kind, createdAt, language, size }, number, posts) => {
      const seen = observables.draw(key, kindOf(number) === 'suspicious');
      const parts = { form: 'outsider', number, generation: 0 } as const;
      return {
        platform,
        index,
        key,
        kind,
        status: 'active',
        quirks: new Set(),
        id: ids.encodeOutsider(platform, number, key, createdAt),
        ...handles.written(platform, parts),
        previousHandles: [],
        displayName: ornamented(fullName(key, language, handles.namesOf(platform, parts)), key),
        followers: size,
        following: count(seen.following),
        posts,
        hearts: 0,
        verified: false,
        createdAt,
        bio: seen.hasBio ? introOf(language, key) : '',
        location: '',
        language,
        links: [],
        mentions: [],
        avatar: scramble('abcdefghijklmnopqrstuvwxyz0123456789', 20, key, 143),
        hasAvatar: seen.hasAvatar,
      };
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
