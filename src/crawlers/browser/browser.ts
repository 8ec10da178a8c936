import type { Page } from '../http/port.ts';
import { isAllowed } from '../http/transport.ts';

/** A document to render, and how its requests are answered. */
export interface Visit {
  readonly document: Page;
  /** The response to a request of the page; null refuses it. An error ends the visit. */
  answer(asked: BrowserRequest): Promise<Page | null>;
  /** Maximum length of the rendered page in characters. */
  readonly maxChars: number;
  /** A page is complete once it has requested nothing for this long. */
  readonly quietMs: number;
  /** A page that never stops requesting is taken as it is after this time. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/** What became of a document. */
export type Rendered =
  /** `url` is the page's final address, which scripts may change. */
  | { readonly kind: 'html'; readonly html: string; readonly url: string }
  /** Its scripts navigated to another document, which is not requested. */
  | { readonly kind: 'left'; readonly url: string };

/** A browser process. Renders one document at a time, each in a context of its own. */
export interface Browser {
  /** @throws {FetchError} */
  render(visit: Visit): Promise<Rendered>;
  isRunning(): boolean;
  /** Memory of all its processes in bytes; null where the system doesn't show it. */
  memoryBytes(): Promise<number | null>;
  kill(): void;
  /** Also removes its files. */
  close(): Promise<void>;
}

/** A request of a page, as the browser reports it. */
export interface BrowserRequest {
  readonly url: string;
  readonly method: string;
  /** Name of the resource type in the DevTools protocol, lower case. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

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

/** Headers with which a response is passed to the browser. Bodies are decoded text, whatever their charset was. */
export const passedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.test(name))),
  'content-type': `${(headers['content-type'] ?? 'text/html').split(';')[0]}; charset=utf-8`,
});

/** A request for a script or data that is sent for a page. */
interface PageRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Resource types that may carry data. All others are refused: images, styles, fonts, media, frames, beacons. */
const TYPES: ReadonlySet<string> = new Set(['script', 'fetch', 'xhr']);

const MAX_BODY = 256 * 1024;

/**
 * Headers that are dropped: those that the HTTP client or the connection sets, those that identify a browser, and
 * credentials, since pages are read as a stranger. A call of the platform may need any other header.
 */
const DROPPED =
  /^(?:host|connection|content-length|cookie|authorization|user-agent|accept-encoding|accept-language|cache-control|pragma|upgrade-insecure-requests|sec-.*|proxy-.*|:.*)$/i;

/** Response headers that a page needs. Cookies are not among them. */
const KEPT = /^(?:access-control-.*|content-security-policy)$/;
