/** Accounts as they are compared, and the targets of their links. */

import type { Platform } from '../../kernel/platform.ts';
import { canonicalLink, urlsIn } from '../../kernel/text.ts';
import { accountOfUrl, comparableHandle, isInDirectory } from '../../platforms/index.ts';
import { isDisclaiming, withoutDisclaimer } from './disclaimers.ts';
import { introIn, nameKey, type PersonName, pictureOf, readName } from './names.ts';

/** The features of an account that may connect it with others. */
export interface IdentityFacts {
  readonly displayName: string | null;
  readonly intro: string | null;
  readonly picture: string | null;
  readonly targets: readonly Target[];
  /** Whether the account says that it is not the person or brand that it is named after. */
  readonly isDisclaimed: boolean;
  /**
   * Decimal digits of the follower count, so that it rarely changes; null if unknown, and for LinkedIn: weights are shown to
   * callers who may not see LinkedIn pages.
   */
  readonly decade: number | null;
}

/** An account in the form in which it is compared with others. */
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
  isDisclaimed: withoutDisclaimer(profile.display_name ?? '') !== null || isDisclaiming(profile.bio),
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

/** A page that more accounts than this link to says nothing about any two of them. */
export const MAX_SHARERS = 14;

/** The accounts and pages that candidates link to, as far as they are other candidates or pages of theirs. */
export interface Links {
  /** Keys of the accounts that an account links to. */
  out(key: string): ReadonlySet<string>;
  /** How many accounts of the catalog link to a page; a number above `MAX_SHARERS` if many do. */
  sharers(page: Target): number;
  /** How many accounts of the catalog have a name, by its key; a number of at least `VERY_COMMON` if many do. */
  bearers(nameKey: string): number;
}

/** Names with this many bearers are weaker evidence; names with this many are hardly any. */
export const COMMON = 128;
export const VERY_COMMON = 1024;

/** Pages that two accounts link to and few others do. */
export const commonPages = (a: Candidate, b: Candidate, links: Links): readonly Target[] =>
  a.targets.filter(
    (target) => isPage(target) && b.targets.includes(target) && links.sharers(target) <= MAX_SHARERS,
  );

/** Whether a page is named like the account. */
export const isNamedLike = (page: Target, { comparable }: Candidate): boolean =>
  comparable !== null && comparable.length > 3 && pageName(page) === comparable;

/** The number of targets that two accounts share if their targets are equal; 0 if they differ. */
export const equalTargets = (a: Candidate, b: Candidate): number => {
  if (a.targets.length === 0 || a.targets.length !== b.targets.length) return 0;
  const others = new Set(b.targets);
  return a.targets.every((target) => others.has(target)) ? a.targets.length : 0;
};

export const linksToAccounts = ({ targets }: Candidate): boolean => targets.some((target) => !isPage(target));

/**
 * A target of a profile's links: `x:nasa` (an account by its handle), `x:id:11348282` (by its native ID) or `page:linktr.ee/nasa`
 * (any other page).
 */
export type Target = string;

/** A profile that links to more accounts than this is a directory, for example of an agency: its links are no evidence. */
const MAX_ACCOUNTS = 20;
const MAX_PAGES = 5;
const MAX_PAGE_CHARS = 200;

/**
 * Pages of platforms, and of services that shorten links or host files: a page there is no evidence about the accounts that link to
 * it.
 */
const PUBLIC_HOSTS =
  /(?:^|\.)(?:x|twitter|t|instagram|tiktok|youtube|youtu|telegram|bsky|linkedin|facebook|fb|threads|google|goo|bit|tinyurl|apple|spotify|amazon|amzn|wikipedia|discord|paypal)\.(?:com|net|app|co|me|be|gl|ly|gg|org|to)$/;

const pageOf = (url: URL): Target | null => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (PUBLIC_HOSTS.test(url.hostname)) return null;
  const page = canonicalLink(url.href);
  return page === null || page.length > MAX_PAGE_CHARS ? null : `page:${page.toLowerCase()}`;
};

export const isPage = (target: Target): boolean => target.startsWith('page:');

/** The last part of a page's path, which names link pages; null without one. */
const pageName = (target: Target): string | null => {
  const slash = target.lastIndexOf('/');
  return slash < 0 ? null : target.slice(slash + 1);
};

const accountTarget = (platform: Platform, handle: string): Target => `${platform}:${handle}`;
const idTarget = (platform: Platform, id: string): Target => `${platform}:id:${id}`;

/**
 * The targets of a profile's links, in order and without repetition. Accounts of its own platform are acquaintances and left out.
 */
export const targetsOf = (
  platform: Platform,
  { links, bio }: { readonly links: readonly string[]; readonly bio: string | null },
): readonly Target[] => {
  const accounts = new Set<Target>();
  const pages = new Set<Target>();
  for (const link of [...links, ...urlsIn(bio)]) {
    if (!URL.canParse(link)) continue;
    const url = new URL(link);
    const found = accountOfUrl(url);
    if (found === null) {
      const page = pageOf(url);
      if (page !== null) pages.add(page);
    } else if (found.platform !== platform) {
      const { address } = found;
      accounts.add(
        address.kind === 'id'
          ? idTarget(found.platform, address.id)
          : accountTarget(found.platform, address.handle),
      );
    }
  }
  if (accounts.size > MAX_ACCOUNTS) return [];
  return [...accounts, ...(pages.size > MAX_PAGES ? [] : pages)];
};
