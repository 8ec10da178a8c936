import { collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry as Metrics } from 'prom-client';

/** Prometheus registry of a process, with default metrics; components register their own. */
export const createProcessMetrics = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
};
