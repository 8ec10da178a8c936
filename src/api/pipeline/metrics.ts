import { Counter, Histogram, Registry } from 'prom-client';

/** What the API counts of itself. */
export const createMetrics = () => {
  const registry = new Registry();
  const seconds = new Histogram({
    name: 'sightline_request_seconds',
    help: 'Time to an answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'sightline_request_failures_total',
    help: 'Requests that ended with an error, by its code.',
    labelNames: ['code'],
    registers: [registry],
  });
  return {
    registry,
    /** Records the milliseconds of one operation's answers. */
    of: (operation: string): ((ms: number) => void) => {
      const child = seconds.labels(operation);
      return (ms) => child.observe(ms / 1_000);
    },
    failed: (code: string): void => failures.inc({ code }),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
