import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { createApp } from './app.ts';
import { loadEndpoints } from './load.ts';
import { registerOperations } from './plugins/operations.ts';
import type { Health, Services } from './services.ts';

export interface Server {
  readonly url: string;
  /** Takes no new request, finishes those under way. */
  close(): Promise<void>;
}

interface Listen {
  readonly host: string;
  readonly port: number;
}

const listenOn = async (app: FastifyInstance, listen: Listen): Promise<Server> => {
  await app.listen(listen);
  const { port } = app.server.address() as AddressInfo;
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return { url: `http://${host}:${port}`, close: () => app.close() };
};

/** Serves the API. @throws where the address is taken. */
export const startServer = async (services: Services, listen: Listen): Promise<Server> =>
  listenOn(await createApp(services, await loadEndpoints()), listen);

/** Serves health and metrics alone, for a process that has no API. @throws where the address is taken. */
export const startOperations = async (
  health: Health,
  metrics: Metrics,
  logger: Logger,
  listen: Listen,
): Promise<Server> => {
  const app = fastify({ logger: false }) as unknown as FastifyInstance;
  await registerOperations(app, health, [metrics], logger);
  return listenOn(app, listen);
};
