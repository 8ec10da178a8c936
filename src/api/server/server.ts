import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { createMatcher } from '../../kernel/cidr.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Health } from '../../operations/health/health.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { loadEndpoints } from '../endpoints/load-endpoints.ts';
import { createMetrics } from '../pipeline/metrics.ts';
import {
  type Access,
  type Counted,
  refuseElse,
  refuseMalformedStatus,
  registerOperations,
  registerStatus,
} from '../plugins/status.ts';
import type { Services } from '../services.ts';
import { createApp } from './app.ts';
import { guardConnections, LIMITS, type Limits, serverOptions } from './connections.ts';
import { answerOddities } from './malformed.ts';

export interface Server {
  readonly url: string;
  /** Stops accepting requests and finishes those in flight, within 5 s. */
  close(): Promise<void>;
}

export interface Listen {
  readonly host: string;
  readonly port: number;
}

const listenOn = async (
  app: FastifyInstance,
  listen: Listen,
  trusted: readonly string[] = [],
  limits = LIMITS,
): Promise<Server> => {
  const unguard = guardConnections(app.server, limits, createMatcher(trusted));
  await app.listen(listen);
  const { port } = app.server.address() as AddressInfo;
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return {
    url: `http://${host}:${port}`,
    close: async () => {
      const closing = app.close();
      const force = setTimeout(() => app.server.closeAllConnections(), limits.closeMs);
      await closing;
      clearTimeout(force);
      unguard();
    },
  };
};

/** The API with its operations endpoints. */
export interface ApiServer extends Server {
  /** Metrics of the API. */
  readonly counted: Metrics;
}

/** Starts the API, with the endpoints of the contract by default. @throws if the address is in use. */
export const startServer = async (
  services: Services,
  listen: Listen,
  own: Partial<Limits> = {},
  endpoints?: readonly Endpoint[],
): Promise<ApiServer> => {
  const metrics = createMetrics();
  const limits = { ...LIMITS, ...own };
  const app = await createApp(services, endpoints ?? (await loadEndpoints()), metrics, limits);
  const server = await listenOn(app, listen, services.trustedProxies, limits);
  return { ...server, counted: metrics.registry };
};

const plainApp = (): FastifyInstance => {
  const app = fastify({
    logger: false,
    ...serverOptions(LIMITS),
    clientErrorHandler: refuseMalformedStatus,
  }) as unknown as FastifyInstance;
  answerOddities(app.server);
  app.setNotFoundHandler(refuseElse);
  return app;
};

/** Starts the operations endpoints on their own port. @throws if the address is in use. */
export const startOperations = async (
  health: Health,
  counted: Counted,
  logger: Logger,
  listen: Listen,
  access: Access = {},
): Promise<Server> => {
  const app = plainApp();
  await registerOperations(app, health, counted, logger, access);
  return listenOn(app, listen);
};

/** Starts the public health endpoints of a process without the API. @throws if the address is in use. */
export const startStatus = async (
  health: Health,
  counted: Counted,
  logger: Logger,
  listen: Listen,
  access: Access,
): Promise<Server> => {
  const app = plainApp();
  await registerStatus(app, health, counted, logger, access);
  return listenOn(app, listen);
};
