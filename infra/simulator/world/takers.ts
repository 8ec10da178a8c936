import type { Platform } from '../simulated-platforms.ts';
import type { Account } from './account.ts';
import { normal } from './draws.ts';
import { pictureToken } from './evidence.ts';
import { GENERATIONS, type Handles } from './handle-types.ts';
import { mix } from './hash.ts';
import { keyOf, kindOf } from './identity.ts';
import type { Naming, Takeover } from './naming.ts';
import { type NativeIds, outsiderNumber } from './native-ids.ts';
import { CROWD } from './outsiders.ts';
import { fullName, introOf, languageOf } from './profile.ts';

/** Number, among the outsiders, of who takes a name over. */
export const takerNumber = (index: number, generation: number): number =>
  CROWD.takers.from + index * GENERATIONS + generation;

export interface TakersSource {
  readonly seed: number;
  readonly size: number;
  readonly naming: Naming;
  readonly handles: Handles;
  readonly ids: NativeIds;
  /** An account of the population, which an impersonator copies. */
  resident(platform: Platform, index: number, at: number): Account;
}

export interface Takers {
  takeoverOf(platform: Platform, number: number): Takeover | null;
  /** Who had the name before. */
  leftBy(number: number): { readonly index: number; readonly generation: number };
  /** @throws {RangeError} if that name is never taken over. */
  account(platform: Platform, number: number, index: number, at: number): Account;
}

/** Accounts that take over names which accounts of the population have left. */
export const createTakers = ({ seed, size, naming, handles, ids, resident }: TakersSource): Takers => {
  const leftBy = (number: number) => ({
    index: Math.floor((number - CROWD.takers.from) / GENERATIONS),
    generation: (number - CROWD.takers.from) % GENERATIONS,
  });
  const takeoverOf = (platform: Platform, number: number): Takeover | null => {
    const { index, generation } = leftBy(number);
    if (index >= size) return null;
    return naming.takeovers(platform, index, Infinity).find((one) => one.generation === generation) ?? null;
  };
  return {
    takeoverOf,
    leftBy,
    account: (platform: Platform, number: number, index: number, at: number): Account => {
      const { index: former, generation } = leftBy(number);
      const takeover = takeoverOf(platform, number);
      if (!takeover) throw new RangeError(`${platform} has no account ${index}`);
      const key = mix(mix(keyOf(seed, platform, former), 930), generation);
      const original = takeover.impersonates ? resident(platform, former, takeover.takenAt) : null;
      const parts = naming.partsAt(platform, former, generation);
      const language = original?.language ?? languageOf(key);
      const names = handles.namesOf(platform, { form: 'own', number: former });
      const kind = kindOf(platform, keyOf(seed, platform, former));
      const { shown } = handles.written(platform, parts);
      return {
        platform,
        index,
        key,
        kind,
        status: at < takeover.takenAt ? 'absent' : 'active',
        quirks: new Set(),
        id: ids.encode(platform, outsiderNumber(number), takeover.takenAt),
        author: platform === 'x' ? ids.author(outsiderNumber(number)) : 0,
        handle: naming.handleAt(platform, former, generation),
        shown: kind === 'bot' ? `${shown}bot` : shown,
        previousHandles: [],
        displayName: original?.displayName ?? fullName(key, language, names),
        followers: Math.floor(Math.exp(4 + 1.5 * normal(key, 1))),
        following: Math.floor(Math.exp(5 + 1.2 * normal(key, 2))),
        posts: 0,
        hearts: 0,
        verified: false,
        createdAt: takeover.takenAt,
        bio: original?.bio ?? introOf(language, key),
        location: '',
        language,
        links: original?.links ?? [],
        mentions: original?.mentions ?? [],
        avatar: original?.avatar ?? pictureToken(key, number, 0),
        hasAvatar: true,
      };
    },
  };
};
