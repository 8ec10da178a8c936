import type { Metrics } from '../../kernel/metrics.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { loadEndpoints } from '../endpoints/load-endpoints.ts';
import { LIMITS, type Limits } from '../pipeline/connections.ts';
import { createMetrics } from '../pipeline/metrics.ts';
import type { Services } from '../services.ts';
import { createApp } from './app.ts';
import { type Listen, listenOn, type Server } from './listen.ts';

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
