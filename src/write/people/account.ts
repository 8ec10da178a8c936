/** Accounts as they are compared, and the targets of their links. */

import type { Platform } from '../../kernel/platform.ts';
import { canonicalLink, urlsIn } from '../../kernel/text.ts';
import { accountOfUrl, comparableHandle, isInDirectory } from '../../platforms/index.ts';
import { isLinkPage } from '../../platforms/link-pages.ts';
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
  readonly verified: boolean | null;
  /** When the account was created; null if unknown. */
  readonly createdAt: string | null;
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
  readonly verified: boolean | null;
  readonly created_at: string | null;
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
  verified: profile.verified,
  createdAt: profile.created_at,
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

/** A target that more accounts than this link to is no sign that two of them know each other. */
export const MAX_SHARERS = 14;

/**
 * How an account points at another one.
 * - `dated`: by native ID, or by a handle whose holder was known when the link appeared.
 * - `undated`: by a handle that another account may have had when the link was made.
 * - `page`: through its own page of links, which is undated too.
 */
export type Pointer = 'dated' | 'undated' | 'page';

/** Whom accounts point at. */
export interface Links {
  /** By the keys of the accounts that it points at. */
  out(key: string): ReadonlyMap<string, Pointer>;
}

/**
 * A target of a profile's links: `x:nasa` (an account by its handle), `x:id:11348282` (by its native ID) or `page:linktr.ee/nasa`
 * (any other page).
 */
export type Target = string;

/** What links to more accounts than this is a directory, for example of an agency: its links are no evidence. */
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
  return page === null || page.length > MAX_PAGE_CHARS ? null : pageTarget(page.toLowerCase());
};

const PAGE = 'page:';
export const isPage = (target: Target): boolean => target.startsWith(PAGE);

/** Whether a target is an account by its native ID: it means that account, whatever names there are. */
export const isId = (target: Target): boolean => !isPage(target) && target.includes(':id:');

/**
 * The name that a target means: that of its account, or of the account on Bluesky whose handle is the domain of a site; null of a
 * native ID and of other pages.
 */
export const nameMeant = (target: Target): Target | null => {
  if (isId(target)) return null;
  if (!isPage(target)) return target;
  return target.includes('/') ? null : `bluesky:${target.slice(PAGE.length)}`;
};

const accountTarget = (platform: Platform, handle: string): Target => `${platform}:${handle}`;
const idTarget = (platform: Platform, id: string): Target => `${platform}:id:${id}`;

/** Accounts and pages among links, in order and without repetition, but for accounts of one platform. */
const targetsAmong = (links: readonly string[], but: Platform | null) => {
  const accounts = new Set<Target>();
  const pages = new Set<Target>();
  for (const link of links) {
    if (!URL.canParse(link)) continue;
    const url = new URL(link);
    const found = accountOfUrl(url);
    if (found === null) {
      const page = pageOf(url);
      if (page !== null) pages.add(page);
    } else if (found.platform !== but) {
      const { address } = found;
      accounts.add(
        address.kind === 'id'
          ? idTarget(found.platform, address.id)
          : accountTarget(found.platform, address.handle),
      );
    }
  }
  return { accounts: accounts.size > MAX_ACCOUNTS ? null : [...accounts], pages: [...pages] };
};

/** The targets of a profile's links. Accounts of its own platform are acquaintances and left out. */
export const targetsOf = (
  platform: Platform,
  { links, bio }: { readonly links: readonly string[]; readonly bio: string | null },
): readonly Target[] => {
  const { accounts, pages } = targetsAmong([...links, ...urlsIn(bio)], platform);
  return accounts === null ? [] : [...accounts, ...(pages.length > MAX_PAGES ? [] : pages)];
};

/** The accounts that a link page lists. */
export const targetsListed = (links: readonly string[]): readonly Target[] =>
  targetsAmong(links, null).accounts ?? [];

/** The link page that a target is, by its address without scheme; null of anything else. */
export const linkPageIn = (target: Target): string | null => {
  const address = isPage(target) ? target.slice(PAGE.length) : '';
  return isLinkPage(address) ? address : null;
};

export const pageTarget = (address: string): Target => `${PAGE}${address}`;
