import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient, type HttpClientOptions } from '../../../src/crawlers/http/http-client.ts';
import type { Http } from '../../../src/crawlers/http/port.ts';
import { seededRandom } from '../../../src/kernel/random.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** A server on the loopback address that counts its connections and requests. */
export interface Loopback {
  readonly url: string;
  readonly port: number;
  readonly connections: () => number;
  readonly requests: () => readonly { url: string; headers: IncomingMessage['headers'] }[];
  handle(handler: Handler): void;
  close(): Promise<void>;
}

export const startLoopback = async (): Promise<Loopback> => {
  let connections = 0;
  const requests: { url: string; headers: IncomingMessage['headers'] }[] = [];
  let handler: Handler = (_, response) => response.end('ok');
  const server: Server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    handler(request, response, requests.length);
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    requests: () => requests,
    handle: (next) => {
      handler = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const HOSTS = ['x.com', '.x.com', 'syndication.twitter.com'];

export interface TestHttp {
  readonly http: Http;
  /** Waits that were asked for between tries; none is waited for. */
  readonly sleeps: number[];
}

export const liveHttp = (options: Partial<HttpClientOptions> = {}): TestHttp => {
  const sleeps: number[] = [];
  const http = createHttpClient({
    hostsOf: () => HOSTS,
    userAgent: 'Sightline/0.1 (+https://example.org/contact)',
    clock: { now: () => Date.UTC(2026, 0, 1) },
    random: seededRandom(1),
    sleep: async (ms) => sleeps.push(ms),
    ...options,
  });
  return { http, sleeps };
};
