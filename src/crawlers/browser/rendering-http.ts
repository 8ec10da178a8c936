import type { Platform } from '../../kernel/platform.ts';
import {
  FetchError,
  type HttpRequest,
  type Page,
  type Transport,
  type TransportOptions,
} from '../http/port.ts';
import { retryAfterMs } from '../http/retry.ts';
import { type BrowserRequest, pageRequest } from './browser.ts';
import type { Renderer } from './renderer.ts';

/** What one page may request. */
export interface PageLimits {
  readonly requests: number;
  /** Total size of the document and all responses. */
  readonly bytes: number;
  /** Requests in flight; further ones wait. */
  readonly concurrency: number;
}

/**
 * Renders the documents of requests with `render`. The requests of a page are sent like any other: to the platform's own
 * hosts, within its rate, through its proxies. Requests without `render` are passed on.
 */
export const createRenderingHttp = (options: RenderingOptions): Transport => {
  const { http, renderer, onPage } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };

  const render = async (
    request: HttpRequest & { readonly render: Page },
    given: TransportOptions,
  ): Promise<Page> => {
    const document = request.render;
    let received = () => 0;
    const rendered = await renderer.render((signal) => {
      const pageHttp = createPageHttp(request, options, limits, { ...given, signal });
      received = pageHttp.received;
      return { document, answer: pageHttp.answer };
    }, given.signal);
    return rendered.kind === 'html'
      ? { ...document, url: rendered.url, body: rendered.html, bytes: received() }
      : {
          ...document,
          status: 302,
          headers: { ...document.headers, location: rendered.url },
          body: '',
          bytes: received(),
        };
  };

  return {
    fetch: async (request, given = {}) => {
      if (request.render === undefined) return http.fetch(request, given);
      const { platform } = request;
      try {
        const page = await render({ ...request, render: request.render }, given);
        onPage?.(platform, page.status === 302 ? 'left' : 'rendered');
        return page;
      } catch (error) {
        onPage?.(platform, error instanceof FetchError ? error.reason : 'failed');
        throw error;
      }
    },
    close: async () => {
      await renderer.close();
      await http.close();
    },
  };
};

interface RenderingOptions {
  /** Sends the requests of pages. */
  readonly http: Transport;
  readonly renderer: Renderer;
  readonly hostsOf: (platform: Platform) => readonly string[];
  readonly limits?: Partial<PageLimits>;
  /** Called for each page, with `rendered` or the reason of the failure. */
  readonly onPage?: (platform: Platform, outcome: string) => void;
}

const DEFAULT_LIMITS: PageLimits = { requests: 40, bytes: 32 * 1024 * 1024, concurrency: 4 };

/** Failures that end a page: without the answer it would show less, and be mistaken for another page. */
const ENDING: ReadonlySet<FetchError['reason']> = new Set([
  'too_large',
  'rate_limited',
  'paused',
  'proxy_failed',
  'no_request_left',
  'aborted',
]);

/** Sends the requests of one page, within its limits, and adds up what they transfer. */
const createPageHttp = (
  request: HttpRequest & { readonly render: Page },
  { http, hostsOf }: RenderingOptions,
  limits: PageLimits,
  { permit, signal }: TransportOptions,
) => {
  const { platform, render: document, proxy } = request;
  const hosts = hostsOf(platform);
  let requests = 0;
  let bytes = document.bytes;
  let inFlight = 0;
  const waiting: (() => void)[] = [];

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (inFlight >= limits.concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else inFlight += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) inFlight -= 1;
      else next();
    }
  };

  const send = async (asked: ReturnType<typeof pageRequest> & object, isFirst: boolean): Promise<Page> => {
    // The request to render has taken a token, but sent nothing.
    if (!isFirst) await permit?.();
    const page = await http.fetch(
      { platform, ...asked, ...(proxy === undefined ? {} : { proxy }) },
      { ...(permit === undefined ? {} : { permit }), signal },
    );
    bytes += page.bytes;
    if (bytes > limits.bytes)
      throw new FetchError('too_large', `The page loads more than ${limits.bytes} bytes`);
    if (page.status === 429) {
      const wait = retryAfterMs(page.headers['retry-after'], null);
      throw new FetchError('rate_limited', 'HTTP 429 for the data of the page', {
        ...(wait === null ? {} : { retryAfterMs: wait }),
      });
    }
    return page;
  };

  return {
    received: () => bytes - document.bytes,
    answer: async (asked: BrowserRequest): Promise<Page | null> => {
      const sent = pageRequest(asked, hosts);
      if (sent === null || requests >= limits.requests) return null;
      requests += 1;
      const isFirst = requests === 1;
      try {
        return await inTurn(() => send(sent, isFirst));
      } catch (error) {
        if (error instanceof FetchError && !ENDING.has(error.reason)) return null;
        throw error;
      }
    },
  };
};
