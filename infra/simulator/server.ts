import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Source } from '../../src/kernel/platform.ts';
import { control } from './control-api.ts';
import type { PlannedFault } from './fault-plan.ts';
import { createFaults, type Faults } from './faults.ts';
import { replaced, sendBroken } from './layout-mutations.ts';
import { createOverrides, type Overrides } from './overrides.ts';
import { siteOf } from './platforms/registry.ts';
import { json } from './platforms/response.ts';
import type { Reply, Site, SiteRequest } from './platforms/site.ts';
import { createSessions, type Sessions, sessionOf } from './sessions.ts';
import { PLATFORMS } from './simulated-platforms.ts';
import { linkPages } from './sites/link-pages.ts';
import { MARKETPLACE, marketplace } from './sites/marketplace.ts';
import { surfaceOf } from './surfaces.ts';
import { createSimClock, type SimClock } from './world/clock.ts';
import { LINK_PAGES } from './world/links.ts';
import { DEFAULT_PARAMETERS, type Parameters } from './world/parameters.ts';
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
  readonly parameters?: Parameters;
  /** Faults that begin and end by themselves. */
  readonly plan?: readonly PlannedFault[];
}

export interface RequestCounts {
  total: number;
  faults: number;
}

export interface Simulator {
  readonly url: string;
  readonly world: World;
  readonly faults: Faults;
  readonly sessions: Sessions;
  readonly overrides: Overrides;
  readonly clock: SimClock;
  /** Number of requests by platform, and of the marketplace. */
  readonly requests: Readonly<Record<Source, RequestCounts>>;
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

/** Sites that are no platform's, by host. */
const OTHERS: Readonly<Record<string, (world: World, request: SiteRequest) => Reply>> = {
  [MARKETPLACE]: marketplace,
  [LINK_PAGES]: linkPages,
};

/** `/via/<proxy>/<host>/…` is a request through a proxy. */
const withoutProxy = (path: string): { readonly proxy: string; readonly path: string } => {
  const [, proxy, rest] = /^\/via\/([^/]+)(\/.*)$/.exec(path) ?? [];
  return { proxy: proxy ?? '', path: rest ?? path };
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
 * Serves the platforms of one population: `http://HOST:PORT/<the platform's host>/<path>`, besides link pages, a
 * marketplace, `/control`, `/truth` and `/seeds`.
 */
export const startSimulator = async (options: SimulatorOptions): Promise<Simulator> => {
  const clock = options.clock ?? createSimClock({ speed: options.speed ?? 1 });
  const { seed, size, parameters = DEFAULT_PARAMETERS } = options;
  const overrides = createOverrides(createWorld({ seed, size, clock, parameters }));
  const { world } = overrides;
  const faults = createFaults(seed, options.plan);
  const sessions = createSessions();
  const requests = Object.fromEntries(
    [...PLATFORMS, 'marketplace'].map((name) => [name, { total: 0, faults: 0 }]),
  ) as Record<Source, RequestCounts>;

  const serveSite = (site: Site, request: SiteRequest, proxy: string, response: ServerResponse): void => {
    const counts = requests[site.platform];
    counts.total++;
    const fault = faults.strike(site.platform, {
      at: request.at,
      surface: surfaceOf(site.platform, request),
      session: site.platform === 'x' ? sessionOf(request) : '',
      proxy,
    });
    const regular = (to = request): Reply => {
      const admitted = site.platform === 'x' ? sessions.admit(to) : null;
      if (admitted?.refusal) return admitted.refusal;
      const reply = site.serve(world, to);
      return admitted ? { ...reply, headers: { ...reply.headers, ...admitted.headers } } : reply;
    };
    if (!fault) {
      send(regular(), response);
      return;
    }
    counts.faults++;
    const reply = replaced(fault, site, request, regular);
    if (reply) send(reply, response);
    else sendBroken(fault, regular(), response);
  };

  const serveMarketplace = (request: SiteRequest, response: ServerResponse): void => {
    requests.marketplace.total++;
    const fault = faults.strike('marketplace');
    const regular = (): Reply => marketplace(world, request);
    if (!fault) {
      send(regular(), response);
      return;
    }
    requests.marketplace.faults++;
    const reply = replaced(fault, null, request, regular);
    if (reply) send(reply, response);
    else sendBroken(fault, regular(), response);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [rawPath = '/', ...search] = (request.url ?? '/').split('?');
    const query = new URLSearchParams(search.join('?'));
    const method = request.method ?? 'GET';
    const body = method === 'GET' || method === 'HEAD' ? '' : await readBody(request);
    const { proxy, path: address } = withoutProxy(rawPath);
    const parts = address.slice(1).split('/').map(decoded);
    const host = (parts[0] ?? '').toLowerCase();
    const site = siteOf(host);
    const other = OTHERS[host];
    if (site || other) {
      const path = decoded(
        address.slice(address.indexOf('/', 1) < 0 ? address.length : address.indexOf('/', 1)),
      );
      const asked = {
        method,
        host,
        path: path || '/',
        query,
        headers: request.headers,
        body,
        at: clock.now(),
      };
      if (site) serveSite(site, asked, proxy, response);
      else if (host === MARKETPLACE) serveMarketplace(asked, response);
      else if (other) send(other(world, asked), response);
      return;
    }
    const reply = control({ method, parts, query, body }, { world, clock, faults, sessions, overrides });
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
    sessions,
    overrides,
    clock,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
