import { Agent, type Dispatcher } from 'undici';
import { publicLookup, type Resolve } from './public-dns.ts';

/** The connections over which checked URLs are fetched. */
export interface HttpTransport {
  to(url: URL): { dispatcher: Dispatcher; origin: string; path: string };
  close(): Promise<void>;
}

const pool = { connections: 64, pipelining: 1, keepAliveTimeout: 10_000, allowH2: false } as const;

/** To the platforms, with addresses checked when connecting. */
export const internetTransport = (resolve: Resolve, connectMs: number): HttpTransport => {
  const dispatcher = new Agent({ ...pool, connect: { timeout: connectMs, lookup: publicLookup(resolve) } });
  return {
    to: (url) => ({ dispatcher, origin: url.origin, path: url.pathname + url.search }),
    close: () => dispatcher.destroy(),
  };
};

/** To one simulator for all hosts: the host becomes the first segment of the path. */
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
