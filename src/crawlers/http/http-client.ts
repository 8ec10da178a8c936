import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, realMs } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Random } from '../../kernel/random.ts';
import { jitteredBackoffMs } from '../../kernel/retry.ts';
import { checkedUrl, isAllowed } from './allowed-hosts.ts';
import { AttemptError, attempt, type Limits, type Outgoing } from './attempt.ts';
import { FetchError, type HttpRequest, type Page, type Permit, type Transport, unlessFired } from './port.ts';
import type { ProxyServer } from './proxies.ts';
import { type Resolve, systemResolve } from './public-dns.ts';
import { FETCH_BACKOFF, MAX_FETCH_WAIT_MS, retryAfterMs } from './retry.ts';
import { type HttpTransport, internetTransport, simulatorTransport } from './transport.ts';

const DEFAULT_LIMITS: Limits = {
  connectMs: 10_000,
  headersMs: 15_000,
  bodyMs: 20_000,
  maxBytes: 16 * 1024 * 1024,
  maxRedirects: 5,
  retries: 2,
};

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

/** Credentials: never sent to another host in a redirect. */
const PERSONAL = /^(authorization|cookie|x-csrf-token|x-guest-token|x-twitter-.*)$/i;

const UNASKED: Permit = () => Promise.resolve();

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
    // A session is granted each request.
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

const targetOf = (page: Page): URL | null => {
  const location = page.headers.location;
  if (![301, 302, 303, 307, 308].includes(page.status) || location === undefined) return null;
  return URL.canParse(location, page.url) ? new URL(location, page.url) : null;
};

const headersFor = ({ url, headers }: Outgoing, next: URL): Readonly<Record<string, string>> =>
  url.host === next.host
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => !PERSONAL.test(name)));
