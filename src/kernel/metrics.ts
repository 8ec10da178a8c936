import { collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry as Metrics } from 'prom-client';

/** What a process counts of itself, for Prometheus; its parts register theirs. */
export const createProcessMetrics = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
};
