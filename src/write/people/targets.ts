import { canonicalLink } from '../../kernel/canonical-link.ts';
import type { Platform } from '../../kernel/platform.ts';
import { urlsIn } from '../../kernel/urls-in-text.ts';
import { accountOfUrl } from '../../platforms/index.ts';

/**
 * What a profile links to: `x:nasa` (an account by its handle), `x:id:11348282` (by its native ID) or
 * `page:linktr.ee/nasa` (any other page).
 */
export type Target = string;

/** A profile that links to more accounts than this is a directory, as of an agency: its links say nothing. */
const MAX_ACCOUNTS = 20;
const MAX_PAGES = 5;
const MAX_PAGE_CHARS = 200;

/** Pages of platforms, and services that shorten links or hold files: a page there says nothing of who links to it. */
const PUBLIC_HOSTS =
  /(?:^|\.)(?:x|twitter|t|instagram|tiktok|youtube|youtu|telegram|bsky|linkedin|facebook|fb|threads|google|goo|bit|tinyurl|apple|spotify|amazon|amzn|wikipedia|discord|paypal)\.(?:com|net|app|co|me|be|gl|ly|gg|org|to)$/;

const pageOf = (url: URL): Target | null => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (PUBLIC_HOSTS.test(url.hostname)) return null;
  const page = canonicalLink(url.href);
  return page === null || page.length > MAX_PAGE_CHARS ? null : `page:${page.toLowerCase()}`;
};

export const isPage = (target: Target): boolean => target.startsWith('page:');

/** The last part of a page's path, as link pages are named; null without one. */
export const pageName = (target: Target): string | null => {
  const slash = target.lastIndexOf('/');
  return slash < 0 ? null : target.slice(slash + 1);
};

const accountTarget = (platform: Platform, handle: string): Target => `${platform}:${handle}`;
const idTarget = (platform: Platform, id: string): Target => `${platform}:id:${id}`;

/** What a profile links to, in order, without repetition; accounts of its own platform are acquaintances and left out. */
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
