import { Parser } from 'htmlparser2';
import type { Http, HttpRequest, Page } from '../../http/port.ts';
import type { Address, PlatformAdapter, Reading, UnknownReason } from '../adapter.ts';
import { MAX_DEPTH } from './html.ts';
import { failureOf, withWarnings } from './read-surfaces.ts';

/**
 * An adapter that reads an account again, with its page rendered by a browser, if no surface showed it and the page
 * shows nothing without scripts. Other surfaces are not requested twice. A rendered page proves no absence: that a
 * script shows nothing may be due to what the browser doesn't load.
 */
export const withRendering = (adapter: PlatformAdapter): PlatformAdapter => ({
  ...adapter,
  read: async (address, options): Promise<Reading> => {
    const fetched = new Map<string, { readonly request: HttpRequest; readonly response: Promise<Page> }>();
    const { http } = options;
    const keeping: Http = {
      fetch: (request) => {
        const response = http.fetch(request);
        if (fetched.size < MAX_KEPT) fetched.set(keyOf(request), { request, response });
        return response;
      },
      close: () => http.close(),
    };
    const reading = await adapter.read(address, { ...options, http: keeping });
    if (reading.status !== 'unknown' || FINAL.has(reading.reason)) return reading;
    const shell = await shellOf(adapter, fetched, address);
    if (shell === null) return reading;
    const rendering: Http = {
      fetch: (request) => {
        const key = keyOf(request);
        return key === shell.key
          ? http.fetch({ ...request, render: shell.page })
          : (fetched.get(key)?.response ?? http.fetch(request));
      },
      close: () => http.close(),
    };
    const rendered = await adapter.read(address, { ...options, http: rendering });
    if (rendered.status === 'present' || rendered.status === 'private')
      return rendered.surface === shell.surface
        ? { ...rendered, surface: `${shell.surface}_rendered` }
        : rendered;
    // Blocked while it was rendered: the engine has to pause.
    if (rendered.status === 'unknown' && FINAL.has(rendered.reason)) return rendered;
    return withWarnings(reading, [`rendered: ${failureOf(rendered)}`]);
  },
});

/** Whether a page shows nothing without a browser: it has scripts, and hardly any text. */
export const isShell = ({ status, headers, body }: Page): boolean => {
  if (status !== 200 || !/^\s*(?:$|text\/html|application\/xhtml)/i.test(headers['content-type'] ?? ''))
    return false;
  let hasScript = false;
  let hidden = 0;
  let depth = 0;
  let text = 0;
  const parser = new Parser({
    onopentag(tag, { type = '' }) {
      if (tag === 'script' && EXECUTABLE.test(type.trim())) hasScript = true;
      if (NO_TEXT.has(tag)) hidden += 1;
      if (++depth > MAX_DEPTH) parser.pause();
    },
    onclosetag(tag) {
      if (NO_TEXT.has(tag)) hidden -= 1;
      depth -= 1;
    },
    ontext(part) {
      if (hidden > 0 || text > MAX_TEXT) return;
      text += part.replaceAll(/\s+/g, ' ').trim().length;
      if (text > MAX_TEXT) parser.pause();
    },
  });
  parser.end(body);
  return hasScript && text <= MAX_TEXT;
};

/** The platform, or this installation, has said why there is no page: a browser is not the remedy. */
const FINAL: ReadonlySet<UnknownReason> = new Set([
  'rate_limited',
  'login_wall',
  'challenge',
  'region',
  'too_large',
  'session_limited',
  'session_unusable',
  'no_proxy',
  'no_request_left',
]);

/** Responses that are kept of one reading. */
const MAX_KEPT = 8;

const keyOf = ({ method = 'GET', url, body = '' }: HttpRequest): string => `${method} ${url}\n${body}`;

interface Shell {
  readonly key: string;
  readonly page: Page;
  readonly surface: string;
}

/** The first page of a reading that shows nothing without its scripts. */
const shellOf = async (
  { surfaces }: PlatformAdapter,
  fetched: ReadonlyMap<string, { readonly request: HttpRequest; readonly response: Promise<Page> }>,
  address: Address,
): Promise<Shell | null> => {
  for (const [key, { request, response }] of fetched) {
    const url = new URL(request.url);
    const surface = surfaces.find(({ format, matches }) => format === 'html' && matches(url));
    const [settled] = await Promise.allSettled([response]);
    if (surface === undefined || settled.status === 'rejected') continue;
    const page = settled.value;
    const reading = surface.parse(page, address);
    const isUnread = reading.status === 'unknown' && reading.reason === 'layout_changed';
    if (isUnread && isShell(page)) return { key, page, surface: surface.name };
  }
  return null;
};

/** Text that shells have: a banner, a footer, a hint that the page is loading. */
const MAX_TEXT = 500;

const NO_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'title', 'svg']);

/** Data blocks are not executed. */
const EXECUTABLE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;
