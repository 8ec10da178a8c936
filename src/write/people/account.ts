import type { Platform } from '../../kernel/platform.ts';
import { comparableHandle, isInDirectory } from '../../platforms/index.ts';
import { introIn } from './bios.ts';
import { isDisclaimed, nameKey, type PersonName, readName } from './names.ts';
import { pictureOf } from './picture.ts';
import { type Target, targetsOf } from './targets.ts';

/** What an account shows that may connect it with others. */
export interface IdentityFacts {
  readonly displayName: string | null;
  readonly intro: string | null;
  readonly picture: string | null;
  readonly targets: readonly Target[];
  /** Whether it says that it is not the one that it is named after. */
  readonly isDisclaimed: boolean;
  /**
   * Powers of ten of its followers, so that it rarely changes; null if unknown, and for LinkedIn: weights are shown to
   * callers who may not see what its pages say.
   */
  readonly decade: number | null;
}

/** An account as it is compared with others. */
export interface Candidate extends IdentityFacts {
  /** Unique and stable: by native ID where there is one. */
  readonly key: string;
  readonly platform: Platform;
  readonly handle: string | null;
  readonly comparable: string | null;
  readonly name: PersonName | null;
  readonly nameKey: string | null;
}

export interface ShownProfile {
  readonly display_name: string | null;
  readonly bio: string | null;
  readonly avatar_url: string | null;
  readonly links: readonly string[];
  readonly followers: number | null;
}

export const decadeOf = (platform: Platform, followers: number | null): number | null =>
  followers === null || !isInDirectory(platform) ? null : Math.floor(Math.log10(followers + 1));

export const identityFacts = (platform: Platform, profile: ShownProfile): IdentityFacts => ({
  displayName: profile.display_name,
  intro: introIn(profile.bio),
  picture: pictureOf(profile.avatar_url),
  targets: targetsOf(platform, profile),
  isDisclaimed: isDisclaimed(profile.display_name) || isDisclaimed(profile.bio),
  decade: decadeOf(platform, profile.followers),
});

/** The key of an account: by its native ID, or by its handle while none is known. */
export const accountKey = (platform: Platform, handle: string, nativeId: string | null): string =>
  nativeId === null ? `${platform}:${handle}` : `${platform}:id:${nativeId}`;

export const candidateOf = (
  account: { readonly key: string; readonly platform: Platform; readonly handle: string | null },
  facts: IdentityFacts,
): Candidate => {
  const name = readName(facts.displayName);
  const comparable = comparableHandle(account.platform, account.handle);
  return { ...account, ...facts, comparable, name, nameKey: nameKey(name) };
};
