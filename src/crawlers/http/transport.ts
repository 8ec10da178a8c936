import { Agent, buildConnector, type buildConnector as Connectors, type Dispatcher, Pool } from 'undici';
import { errorMessage } from '../../kernel/errors.ts';
import { trimmedEnd } from '../../kernel/text.ts';
import { FetchError } from './port.ts';
import type { ProxyServer } from './proxies.ts';
import { checkedAddress, publicLookup, type Resolve } from './public-dns.ts';

const HTTPS = 443;

/** Connects to platforms through a proxy. */
interface Tunnel {
  readonly connect: Connectors.connector;
  close(): Promise<void>;
}

/**
 * Tunnels of a proxy (CONNECT). The proxy is asked for the checked address of a host, never for a name that it would look
 * up itself; within the tunnel the host's certificate is required.
 */
const createTunnel = (proxy: ProxyServer, resolve: Resolve, connectMs: number): Tunnel => {
  const { name, url, authorization, ca } = proxy;
  const toProxy = new Pool(url, { connect: { timeout: connectMs }, pipelining: 1, allowH2: false });
  const secured = buildConnector({ timeout: connectMs, allowH2: false, ...(ca === undefined ? {} : { ca }) });

  const failed = (what: string, cause?: unknown): FetchError =>
    new FetchError('proxy_failed', `The proxy ${name} failed: ${what}`, { cause });

  const open = async (hostname: string) => {
    const { address, family } = await checkedAddress(resolve, hostname);
    const path = `${family === 6 ? `[${address}]` : address}:${HTTPS}`;
    const { socket, statusCode } = await toProxy
      .connect({
        path,
        headers: { host: path, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
        signal: AbortSignal.timeout(connectMs),
      })
      .catch((error: unknown) => {
        throw failed(errorMessage(error), error);
      });
    if (statusCode === 200) return socket;
    socket.on('error', () => undefined).destroy();
    throw failed(`it answered HTTP ${statusCode} to CONNECT`);
  };

  return {
    connect: (options, callback) => {
      open(options.hostname).then(
        (httpSocket) =>
          secured({ ...options, httpSocket: httpSocket as never }, (error, socket) =>
            error === null
              ? callback(null, socket as never)
              : callback(failed(errorMessage(error), error), null),
          ),
        (error: Error) => callback(error, null),
      );
    },
    close: () => toProxy.destroy(),
  };
};

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
