import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, errors } from 'undici';
import { type Clock, realMs } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Random } from '../../kernel/random.ts';
import { jitteredBackoffMs } from '../../kernel/retry.ts';
import {
  abortError,
  FetchError,
  type HttpRequest,
  type Page,
  type Permit,
  type ProxyServer,
  type Transport,
  unlessFired,
} from './port.ts';
import { FETCH_BACKOFF, MAX_FETCH_WAIT_MS, retryAfterMs } from './retry.ts';
import {
  ACCEPT_ENCODING,
  checkedUrl,
  decode,
  decompress,
  free,
  type HttpTransport,
  internetTransport,
  isAllowed,
  type Resolve,
  simulatorTransport,
  systemResolve,
  tooLarge,
} from './transport.ts';

export interface HttpClientOptions<Source extends string = Platform> {
  /** Hosts of a platform; one that starts with a dot includes all subdomains. */
  readonly hostsOf: (platform: Source) => readonly string[];
  readonly userAgent: string;
  /** URL of a simulator that replaces every platform; null for the platforms themselves. */
  readonly simulatorUrl?: string | null;
  readonly limits?: Partial<Limits>;
  readonly clock: Clock;
  readonly random: Random;
  /** Proxies that requests may name; never used for a simulator. */
  readonly proxies?: readonly ProxyServer[];
  readonly resolve?: Resolve;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** HTTP to the platforms, or to the simulator. */
export const createHttpClient = <Source extends string = Platform>(
  options: HttpClientOptions<Source>,
): Transport<Source> => {
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const sleep = options.sleep ?? wait;
  const route: HttpTransport =
    options.simulatorUrl == null
      ? internetTransport(options.resolve ?? systemResolve, limits.connectMs, options.proxies)
      : simulatorTransport(options.simulatorUrl, limits.connectMs);
  let closed = false;

  /** Delay before a retry of the same request; null if the response is final. */
  const pauseAfter = (
    page: Page,
    { method, retries: mostRetries }: Outgoing,
    tries: number,
  ): number | null => {
    const busy = page.status === 429 || page.status === 503;
    if (method !== 'GET' || tries >= mostRetries || (page.status < 500 && !busy)) return null;
    // 999 and similar statuses reject the client: retries are useless.
    if (page.status > 599) return null;
    const asked = retryAfterMs(page.headers['retry-after'], options.clock.now());
    if (asked !== null) return asked <= MAX_FETCH_WAIT_MS ? asked : null;
    return page.status === 429 ? null : jitteredBackoffMs(FETCH_BACKOFF, tries, options.random);
  };

  const withRetries = async (outgoing: Outgoing, permit: Permit, signal?: AbortSignal): Promise<Page> => {
    for (let tries = 0; ; tries++) {
      if (closed) throw new FetchError('aborted', 'The HTTP client is closed');
      let pause: number | null;
      try {
        const page = await attempt(outgoing, route, limits, signal);
        pause = pauseAfter(page, outgoing, tries);
        if (pause === null) return page;
      } catch (error) {
        if (!(error instanceof AttemptError)) throw error;
        if (!error.idempotent || tries >= outgoing.retries || closed) throw error.failure;
        pause = jitteredBackoffMs(FETCH_BACKOFF, tries, options.random);
      }
      await unlessFired(signal, sleep(realMs(pause)));
      await permit();
    }
  };

  const outgoingOf = (request: HttpRequest<Source>, hosts: readonly string[]): Outgoing => ({
    url: checkedUrl(request.url, hosts),
    method: request.method ?? 'GET',
    headers: {
      accept: '*/*',
      'accept-language': 'en-US,en;q=0.9',
      ...request.headers,
      'user-agent': options.userAgent,
    },
    body: request.body ?? null,
    proxy: request.proxy ?? null,
    // Sessions are granted per request.
    retries: request.session === undefined ? limits.retries : 0,
  });

  return {
    async fetch(request, { permit = UNASKED, signal } = {}) {
      const hosts = options.hostsOf(request.platform);
      let outgoing = outgoingOf(request, hosts);
      for (let hops = 0; ; hops++) {
        if (hops > 0) await permit();
        const page = await withRetries(outgoing, permit, signal);
        const next = targetOf(page);
        // Redirects elsewhere or in circles are returned: their location gives the adapter the reason.
        const followed = next !== null && outgoing.method === 'GET' && hops < limits.maxRedirects;
        if (!followed || !isAllowed(next, hosts)) return page;
        outgoing = { ...outgoing, url: next, headers: headersFor(outgoing, next) };
      }
    },
    async close() {
      closed = true;
      await route.close();
    },
  };
};

export interface Limits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Total time for the body. */
  readonly bodyMs: number;
  /** After decompression. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly retries: number;
}

const DEFAULT_LIMITS: Limits = {
  connectMs: 10_000,
  headersMs: 15_000,
  bodyMs: 20_000,
  maxBytes: 16 * 1024 * 1024,
  maxRedirects: 5,
  retries: 2,
};

/** Headers with credentials, which a redirect never carries to another host. */
const PERSONAL = /^(authorization|cookie|x-csrf-token|x-guest-token|x-twitter-.*)$/i;

const UNASKED: Permit = () => Promise.resolve();

const targetOf = (page: Page): URL | null => {
  const location = page.headers.location;
  if (![301, 302, 303, 307, 308].includes(page.status) || location === undefined) return null;
  return URL.canParse(location, page.url) ? new URL(location, page.url) : null;
};

const headersFor = ({ url, headers }: Outgoing, next: URL): Readonly<Record<string, string>> =>
  url.host === next.host
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => !PERSONAL.test(name)));

/** A request and its timeouts. */
interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Timeout of connecting. */
  readonly connectMs: number;
  /** Timeout from connecting to the headers. */
  readonly headersMs: number;
  /** Total time for the body. */
  readonly bodyMs: number;
  /** On the wire, compressed. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  /** Frees the memory of the response, `raw` included. */
  release(): void;
}

/** A part of the response timed out. */
class ResponseTimeoutError extends Error {
  readonly part: 'headers' | 'body';
  constructor(part: 'headers' | 'body') {
    super(`the ${part} timed out`);
    this.part = part;
  }
}

const flat = (headers: IncomingHttpHeaders): Record<string, string> => {
  const out: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return out;
};

/**
 * Sends a request and collects the response from the socket, without a stream in between, which would cost more
 * than parsing.
 */
const exchange = (options: ExchangeOptions): Promise<Exchanged> =>
  new Promise((resolve, reject) => {
    const { dispatcher, origin, path, method, headers, body, signal } = options;
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    const end = () => {
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const fail = (error: Error) => {
      if (over) return;
      end();
      controller?.abort(error);
      reject(error);
    };
    const giveUp = () => fail(abortError(signal as AbortSignal));
    let timer = setTimeout(
      () => fail(new ResponseTimeoutError('headers')),
      options.connectMs + options.headersMs,
    );
    const parts: Buffer[] = [];
    let size = 0;
    let status = 0;
    let received: Record<string, string> = {};
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        // It timed out, or was aborted, while waiting for a connection.
        if (over) {
          started.abort(new ResponseTimeoutError('headers'));
          return;
        }
        clearTimeout(timer);
        timer = setTimeout(() => fail(new ResponseTimeoutError('headers')), options.headersMs);
      },
      onResponseStart: (_controller, statusCode, responseHeaders) => {
        // Informational responses (103 Early Hints) are ignored.
        if (statusCode < 200) return;
        clearTimeout(timer);
        timer = setTimeout(() => fail(new ResponseTimeoutError('body')), options.bodyMs);
        status = statusCode;
        received = flat(responseHeaders);
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length;
        if (size > options.maxBytes) fail(tooLarge(options.maxBytes));
        else parts.push(chunk);
      },
      onResponseEnd: () => {
        if (over) return;
        end();
        const raw = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size);
        const release = () => {
          for (const part of parts) free(part);
          free(raw);
        };
        resolve({ status, headers: received, raw, release });
      },
      onResponseError: (_controller, error) => fail(error),
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted === true) {
      giveUp();
      return;
    }
    try {
      dispatcher.dispatch(
        { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 },
        handler,
      );
    } catch (error) {
      fail(error as Error);
    }
  });

/** A request ready to be sent. */
interface Outgoing {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly proxy: string | null;
  /** Further attempts at most. */
  readonly retries: number;
}

/** A failed attempt, and whether the same request may be retried. */
class AttemptError extends Error {
  readonly failure: FetchError;
  readonly idempotent: boolean;
  constructor(failure: FetchError, idempotent: boolean) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.idempotent = idempotent;
  }
}

/**
 * Sends one request and reads the whole response; follows no redirect.
 * @throws {AttemptError}
 */
const attempt = async (
  outgoing: Outgoing,
  route: HttpTransport,
  limits: Limits,
  signal?: AbortSignal,
): Promise<Page> => {
  try {
    const { status, headers, raw, release } = await exchange({
      ...route.to(outgoing.url, outgoing.proxy),
      method: outgoing.method,
      headers: { 'accept-encoding': ACCEPT_ENCODING, ...outgoing.headers },
      body: outgoing.body,
      connectMs: limits.connectMs,
      headersMs: limits.headersMs,
      bodyMs: limits.bodyMs,
      maxBytes: limits.maxBytes,
      signal,
    });
    const data = await decompress(raw, headers['content-encoding'], limits.maxBytes);
    const page = {
      url: outgoing.url.href,
      status,
      headers,
      body: decode(data, headers['content-type']),
      bytes: data.length,
    };
    free(data);
    release();
    return page;
  } catch (error) {
    throw failureOf(error, outgoing);
  }
};

/** Errors raised before anything was sent: even a POST may be retried. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']);

const failureOf = (error: unknown, { url, method }: Outgoing): AttemptError => {
  const where = `${method} ${url.origin}${url.pathname}`;
  if (error instanceof ResponseTimeoutError || error instanceof errors.ConnectTimeoutError) {
    const message = `${where}: ${error.message}`;
    return new AttemptError(new FetchError('timeout', message, { cause: error }), false);
  }
  if (error instanceof FetchError)
    return new AttemptError(error, error.reason === 'http_error' && method === 'GET');
  if (error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError) {
    return new AttemptError(new FetchError('aborted', `${where}: client closed`, { cause: error }), false);
  }
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const failure = new FetchError('http_error', `${where}: ${errorMessage(error)}`, { cause: error });
  return new AttemptError(failure, method === 'GET' || UNSENT.has(code));
};
