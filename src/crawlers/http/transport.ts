import { Agent, type Dispatcher } from 'undici';
import { trimmedEnd } from '../../kernel/text.ts';
import { FetchError } from './port.ts';
import type { ProxyServer } from './proxies.ts';
import { publicLookup, type Resolve } from './public-dns.ts';
import { createTunnel } from './tunnel.ts';

/** The connections over which checked URLs are fetched. */
export interface HttpTransport {
  /**
   * @param proxy name of the proxy to send it through; null for none.
   * @throws {FetchError} proxy_failed, if there is no such proxy.
   */
  to(url: URL, proxy: string | null): { dispatcher: Dispatcher; origin: string; path: string };
  close(): Promise<void>;
}

const pool = { connections: 64, pipelining: 1, keepAliveTimeout: 10_000, allowH2: false } as const;

/** To the platforms, directly or through proxies, with addresses checked when connecting. */
export const internetTransport = (
  resolve: Resolve,
  connectMs: number,
  proxies: readonly ProxyServer[] = [],
): HttpTransport => {
  const direct = new Agent({ ...pool, connect: { timeout: connectMs, lookup: publicLookup(resolve) } });
  const tunnels = proxies.map((proxy) => {
    const tunnel = createTunnel(proxy, resolve, connectMs);
    return { name: proxy.name, tunnel, dispatcher: new Agent({ ...pool, connect: tunnel.connect }) };
  });
  return {
    to: (url, proxy) => {
      const dispatcher = proxy === null ? direct : tunnels.find(({ name }) => name === proxy)?.dispatcher;
      if (dispatcher === undefined) throw new FetchError('proxy_failed', `There is no proxy ${proxy}`);
      return { dispatcher, origin: url.origin, path: url.pathname + url.search };
    },
    close: async () => {
      await direct.destroy();
      for (const { dispatcher, tunnel } of tunnels) {
        await dispatcher.destroy();
        await tunnel.close();
      }
    },
  };
};

/** To one simulator for all hosts: the host becomes the first segment of the path. Proxies are never used. */
export const simulatorTransport = (simulatorUrl: string, connectMs: number): HttpTransport => {
  const base = new URL(simulatorUrl);
  if (base.protocol !== 'http:') throw new TypeError('The simulator is reached by plain http');
  const prefix = trimmedEnd(base.pathname, '/');
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
