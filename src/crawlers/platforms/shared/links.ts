import { webUrl } from './field-reader.ts';

/** Absolute http(s) URLs in order, unwrapped and deduplicated; others are dropped. */
export const linksOf = (candidates: readonly (string | null | undefined)[]): string[] => {
  const links = new Map<string, string>();
  for (const candidate of candidates) {
    if (candidate == null || candidate === '') continue;
    const url = webUrl(unwrapped(candidate));
    // "https://a.example" and "https://a.example/" are the same URL.
    if (url !== null && !links.has(new URL(url).href)) links.set(new URL(url).href, url);
  }
  return [...links.values()].slice(0, 100);
};

/** Unwraps a platform's redirect page for outgoing links. */
const unwrapped = (url: string): string => {
  if (!/redirect|linkshim|\/l\.php|l\.instagram\.com|link\/v2|safety\/go/i.test(url) || !URL.canParse(url))
    return url;
  const parsed = new URL(url);
  const wraps =
    (/(^|\.)youtube\.com$/.test(parsed.hostname) && parsed.pathname === '/redirect') ||
    parsed.hostname === 'l.instagram.com' ||
    (/(^|\.)tiktok\.com$/.test(parsed.hostname) && parsed.pathname === '/link/v2') ||
    (/(^|\.)linkedin\.com$/.test(parsed.hostname) && /^\/(redir\/redirect|safety\/go)/.test(parsed.pathname));
  const target = wraps
    ? (parsed.searchParams.get('q') ??
      parsed.searchParams.get('u') ??
      parsed.searchParams.get('target') ??
      parsed.searchParams.get('url'))
    : null;
  return target ?? url;
};
