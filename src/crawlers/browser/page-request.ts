import { isAllowed } from '../http/allowed-hosts.ts';

/** A request of a page, as the browser reports it. */
export interface BrowserRequest {
  readonly url: string;
  readonly method: string;
  /** Name of the resource type in the DevTools protocol, lower case. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A request for a script or data that is sent for a page. */
export interface PageRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Images, styles, fonts, media, frames, beacons and everything else show no data. */
const TYPES: ReadonlySet<string> = new Set(['script', 'fetch', 'xhr']);

const MAX_BODY = 256 * 1024;

/**
 * What the HTTP client or the connection decides, what identifies a browser, and credentials: pages are read as a
 * stranger. Everything else may be what a call of the platform requires.
 */
const DROPPED =
  /^(?:host|connection|content-length|cookie|authorization|user-agent|accept-encoding|accept-language|cache-control|pragma|upgrade-insecure-requests|sec-.*|proxy-.*|:.*)$/i;

/** The request to send for a page; null if it is not sent. */
export const pageRequest = (asked: BrowserRequest, hosts: readonly string[]): PageRequest | null => {
  const { url, method, type, headers, body } = asked;
  if (!TYPES.has(type) || (method !== 'GET' && method !== 'POST')) return null;
  if (!URL.canParse(url) || !isAllowed(new URL(url), hosts)) return null;
  if (body !== null && body.length > MAX_BODY) return null;
  return {
    url,
    method,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !DROPPED.test(name))),
    ...(body === null ? {} : { body }),
  };
};

/** Response headers that a page needs. Cookies are not among them. */
const KEPT = /^(?:access-control-.*|content-security-policy)$/;

/** Headers with which a response is passed to the browser. Bodies are decoded text, whatever their charset was. */
export const passedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.test(name))),
  'content-type': `${(headers['content-type'] ?? 'text/html').split(';')[0]}; charset=utf-8`,
});
