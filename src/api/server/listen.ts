import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { createMatcher } from '../../kernel/cidr.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Health } from '../../operations/health/health.ts';
import { answerOddities, guardConnections, LIMITS, serverOptions } from '../pipeline/connections.ts';
import {
  type Access,
  type Counted,
  refuseElse,
  refuseFaulty,
  refuseMalformedStatus,
  registerOperations,
  registerStatus,
} from '../plugins/status.ts';

export interface Server {
  readonly url: string;
  /** Finishes the requests in flight within 4 s. An app that handles it refuses new ones meanwhile. */
  close(): Promise<void>;
}

export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Listens. @throws if the address is in use. */
export const listenOn = async (
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
      // Closing an open connection at once would fail a request that is on its way.
      if (await hasConnections(app.server)) await sleep(limits.drainMs);
      const closing = app.close();
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
      const force = setTimeout(() => app.server.closeAllConnections(), limits.closeMs);
      await closing;
      clearInterval(sweep);
      clearTimeout(force);
      unguard();
    },
  };
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

/** Interval in which connections whose request is finished are closed on shutdown. */
const SWEEP_MS = 100;

const hasConnections = (server: HttpServer): Promise<boolean> =>
  new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error !== null || count > 0));
  });

const plainApp = (): FastifyInstance => {
  const app = fastify({
    logger: false,
    ...serverOptions(LIMITS),
    clientErrorHandler: refuseMalformedStatus,
  }) as unknown as FastifyInstance;
  answerOddities(app.server);
  app.addHook('onRequest', refuseFaulty);
  app.setNotFoundHandler(refuseElse);
  return app;
};
