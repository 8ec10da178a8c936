import { buildConnector, type buildConnector as Connectors, Pool } from 'undici';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import { FetchError } from './port.ts';
import type { ProxyServer } from './proxies.ts';
import { checkedAddress, type Resolve } from './public-dns.ts';

const HTTPS = 443;

/** Connects to platforms through a proxy. */
export interface Tunnel {
  readonly connect: Connectors.connector;
  close(): Promise<void>;
}

/**
 * Tunnels of a proxy (CONNECT). The proxy is asked for the checked address of a host, never for a name that it would look
 * up itself; within the tunnel the host's certificate is required.
 */
export const createTunnel = (proxy: ProxyServer, resolve: Resolve, connectMs: number): Tunnel => {
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
