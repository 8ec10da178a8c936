import { Counter, Histogram, Registry } from 'prom-client';

/** Request metrics of the API. */
export const createMetrics = () => {
  const registry = new Registry();
  const seconds = new Histogram({
    name: 'sightline_http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'sightline_http_request_errors_total',
    help: 'HTTP requests answered with an error, by error code.',
    labelNames: ['code'],
    registers: [registry],
  });
  return {
    registry,
    /** Observer of request durations, in milliseconds, of one operation. */
    of: (operation: string): ((ms: number) => void) => {
      const child = seconds.labels(operation);
      return (ms) => child.observe(ms / 1_000);
    },
    failed: (code: string): void => failures.inc({ code }),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
