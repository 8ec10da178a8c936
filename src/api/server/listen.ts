import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createMatcher } from '../../kernel/cidr.ts';
import { guardConnections, LIMITS } from './connections.ts';

export interface Server {
  readonly url: string;
  /** Stops accepting requests and finishes those in flight, within 5 s. */
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
      const closing = app.close();
      const force = setTimeout(() => app.server.closeAllConnections(), limits.closeMs);
      await closing;
      clearTimeout(force);
      unguard();
    },
  };
};
