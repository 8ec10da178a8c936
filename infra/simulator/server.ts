import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { control } from './control-api.ts';
import { createFaults, type Faults } from './faults.ts';
import { replaced, sendBroken } from './layout-mutations.ts';
import { siteOf } from './platforms/registry.ts';
import { json } from './platforms/response.ts';
import type { Reply, Site, SiteRequest } from './platforms/site.ts';
import { createSimClock, type SimClock } from './world/clock.ts';
import { createWorld, type World } from './world/world.ts';

export interface SimulatorOptions {
  readonly seed: number;
  /** Accounts per platform. */
  readonly size: number;
  /** 0 picks a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly clock?: SimClock;
  /** Simulated seconds per second; used without a given clock. */
  readonly speed?: number;
}

export interface RequestCounts {
  total: number;
  faults: number;
}

export interface Simulator {
  readonly url: string;
  readonly world: World;
  readonly faults: Faults;
  readonly clock: SimClock;
  /** Number of requests by platform. */
  readonly requests: Readonly<Record<Platform, RequestCounts>>;
  close(): Promise<void>;
}

const MAX_BODY = 1 << 20;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size <= MAX_BODY) parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString();
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const send = (reply: Reply, response: ServerResponse): void => {
  let length = 0;
  for (const part of reply.body) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': length });
  // Corked: one packet train, and no copy of constant parts.
  response.cork();
  for (const part of reply.body) if (part.length > 0) response.write(part);
  response.uncork();
  response.end();
};

/**
 * Serves the platforms of one population: `http://HOST:PORT/<the platform's host>/<path>`, besides `/control`,
 * `/truth` and `/seeds`.
 */
export const startSimulator = async (options: SimulatorOptions): Promise<Simulator> => {
  const clock = options.clock ?? createSimClock({ speed: options.speed ?? 1 });
  const world = createWorld({ seed: options.seed, size: options.size, clock });
  const faults = createFaults(options.seed);
  const requests = Object.fromEntries(PLATFORMS.map((p) => [p, { total: 0, faults: 0 }])) as Record<
    Platform,
    RequestCounts
  >;

  const serveSite = (site: Site, request: SiteRequest, response: ServerResponse): void => {
    const counts = requests[site.platform];
    counts.total++;
    const fault = faults.strike(site.platform);
    const regular = () => site.serve(world, request);
    if (!fault) {
      send(regular(), response);
      return;
    }
    counts.faults++;
    const reply = replaced(fault, site, request, regular);
    if (reply) send(reply, response);
    else sendBroken(fault, regular(), response);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [rawPath = '/', ...search] = (request.url ?? '/').split('?');
    const query = new URLSearchParams(search.join('?'));
    const method = request.method ?? 'GET';
    const body = method === 'GET' || method === 'HEAD' ? '' : await readBody(request);
    const parts = rawPath.slice(1).split('/').map(decoded);
    const host = (parts[0] ?? '').toLowerCase();
    const site = siteOf(host);
    if (site) {
      const path = decoded(
        rawPath.slice(rawPath.indexOf('/', 1) < 0 ? rawPath.length : rawPath.indexOf('/', 1)),
      );
      serveSite(
        site,
        { method, host, path: path || '/', query, headers: request.headers, body, at: clock.now() },
        response,
      );
      return;
    }
    const reply = control({ method, parts, query, body }, { world, clock, faults });
    send(reply ?? json({ error: `Nothing is simulated at /${host}.` }, 404), response);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A bug of the simulator must not look like a platform's response.
      if (!response.headersSent) response.writeHead(599, { 'content-type': 'text/plain' });
      response.end(error instanceof Error ? error.stack : String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host ?? '127.0.0.1'}:${port}`,
    world,
    faults,
    clock,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
