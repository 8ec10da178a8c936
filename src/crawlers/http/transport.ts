import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { FetchError } from './port.ts';
import type { ProxyServer } from './proxies.ts';
import { checkedAddress, publicLookup, type Resolve } from './public-dns.ts';

/** Where a request is dispatched. */
interface Target {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  /** The `Host` header, where the origin is an address. */
  readonly host?: string;
}

/** The connections over which checked URLs are fetched. */
export interface HttpTransport {
  /**
   * @param proxy name of the proxy to send it through; null for none.
   * @throws {FetchError} host_refused
   */
  to(url: URL, proxy: string | null): Target | Promise<Target>;
  close(): Promise<void>;
}

const pool = { connections: 64, pipelining: 1, keepAliveTimeout: 10_000, allowH2: false } as const;

/**
 * To the platforms, with addresses checked when connecting. A proxy is asked for the checked address, never for a name
 * that it would look up itself; the certificate is that of the name.
 */
export const internetTransport = (
  resolve: Resolve,
  connectMs: number,
  proxies: readonly ProxyServer[] = [],
): HttpTransport => {
  const direct = new Agent({ ...pool, connect: { timeout: connectMs, lookup: publicLookup(resolve) } });
  const byName = new Map(
    proxies.map(({ name, url, authorization, ca }) => [
      name,
      new ProxyAgent({
        ...pool,
        uri: url,
        connectTimeout: connectMs,
        ...(authorization === null ? {} : { token: authorization }),
        ...(ca === undefined ? {} : { requestTls: { ca } }),
      }),
    ]),
  );
  return {
    to: (url, proxy) => {
      const path = url.pathname + url.search;
      if (proxy === null) return { dispatcher: direct, origin: url.origin, path };
      const dispatcher = byName.get(proxy);
      if (dispatcher === undefined) throw new FetchError('proxy_failed', `There is no proxy ${proxy}`);
      return checkedAddress(resolve, url.hostname).then(({ address, family }) => ({
        dispatcher,
        origin: `https://${family === 6 ? `[${address}]` : address}`,
        path,
        host: url.host,
      }));
    },
    close: async () => {
      await Promise.all([direct, ...byName.values()].map((one) => one.destroy()));
    },
  };
};

/** To one simulator for all hosts: the host becomes the first segment of the path. Proxies are never used. */
export const simulatorTransport = (simulatorUrl: string, connectMs: number): HttpTransport => {
  const base = new URL(simulatorUrl);
  if (base.protocol !== 'http:') throw new TypeError('The simulator is reached by plain http');
  const prefix = base.pathname.replace(/\/+$/, '');
  const dispatcher = new Agent({ ...pool, connections: 256, connect: { timeout: connectMs } });
  return {
    to: (url) => ({
      dispatcher,
      origin: base.origin,
      path: `${prefix}/${url.hostname}${url.pathname}${url.search}`,
    }),
    close: () => dispatcher.destroy(),
  };
};
