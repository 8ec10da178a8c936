/** Services on which people list their accounts and pages, at one address each: `linktr.ee/nasa`. */
export const LINK_PAGE_HOSTS = [
  'allmylinks.com',
  'beacons.ai',
  'bio.link',
  'bio.site',
  'campsite.bio',
  'hoo.be',
  'linktr.ee',
  'lnk.bio',
  'solo.to',
  'taplink.cc',
] as const;

const PAGE = /^([^/]+)\/[^/]+$/;
const HOSTS: ReadonlySet<string> = new Set(LINK_PAGE_HOSTS);

/** Whether an address without scheme is that of such a page. */
export const isLinkPage = (address: string): boolean => HOSTS.has(PAGE.exec(address)?.[1] ?? '');
