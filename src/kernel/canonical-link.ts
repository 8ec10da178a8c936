import { trimmedEnd } from './text.ts';

/** Canonical form of a link: no scheme, no `www.`, no trailing slash, no query. */
export const canonicalLink = (link: string): string | null => {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const host = url.hostname.replace(/^www\./, '');
  const path = trimmedEnd(url.pathname, '/');
  return host === '' ? null : `${host}${path}`;
};
