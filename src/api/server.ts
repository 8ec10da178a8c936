import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { loadEndpoints } from './load.ts';
import type { Services } from './services.ts';

export interface Server {
  readonly url: string;
  /** Takes no new request, finishes those under way. */
  close(): Promise<void>;
}

/** Serves the API. @throws where the address is taken. */
export const startServer = async (
  services: Services,
  listen: { host: string; port: number },
): Promise<Server> => {
  const app = await createApp(services, await loadEndpoints());
  await app.listen(listen);
  const { port } = app.server.address() as AddressInfo;
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return { url: `http://${host}:${port}`, close: () => app.close() };
};
