import { Gauge, Registry } from 'prom-client';
import { type Health, UNPARTITIONED } from '../../operations/health/health.ts';
import { lagOf, within } from '../../operations/health/readiness.ts';
import { projections } from '../../projections/registry.ts';

/** Gauges that are collected on scrape. */
export const gaugesOf = (health: Health): Registry => {
  const metrics = new Registry();
  const head = () => within(health.head()).catch(() => null);
  new Gauge({
    name: 'sightline_projection_lag_events',
    help: 'Events of the log that a projection has not processed yet.',
    labelNames: ['projection'],
    registers: [metrics],
    async collect() {
      const at = await head();
      this.reset();
      if (at === null) return;
      const lags = await Promise.all(
        projections.map(async ({ name }) => ({
          name,
          lag: await lagOf(health, name, at).then(
            ({ lag }) => lag,
            () => null,
          ),
        })),
      );
      for (const { name, lag } of lags) if (lag !== null) this.set({ projection: name }, Number(lag));
    },
  });
  new Gauge({
    name: 'sightline_projection_stalled',
    help: '1 while a projection, or one partition of it, is stalled at an event that it cannot apply.',
    labelNames: ['projection', 'partition'],
    registers: [metrics],
    async collect() {
      const stalls = await within(health.stalls()).catch(() => null);
      this.reset();
      if (stalls === null) return;
      const stalled = new Set(stalls.map(({ projection }) => projection));
      for (const { name } of projections)
        if (!stalled.has(name)) this.set({ projection: name, partition: UNPARTITIONED }, 0);
      for (const { projection, partition } of stalls) this.set({ projection, partition }, 1);
    },
  });
  new Gauge({
    name: 'sightline_projection_parked_streams',
    help: 'Streams in the dead-letter queue of a projection.',
    labelNames: ['projection'],
    registers: [metrics],
    async collect() {
      const parked = await within(health.parked()).catch(() => null);
      this.reset();
      if (parked === null) return;
      for (const { name } of projections) this.set({ projection: name }, 0);
      for (const { projection, streams } of parked) this.set({ projection }, streams);
    },
  });
  new Gauge({
    name: 'sightline_relay_lag_events',
    help: 'Events of the log that the relay has not published to Kafka yet; absent before its first run.',
    registers: [metrics],
    async collect() {
      const [at, relayed] = await Promise.all([head(), within(health.relayed()).catch(() => null)]);
      // `reset` would export 0.
      this.remove({});
      if (at === null || relayed === null) return;
      this.set(Number((await within(health.eventsBetween(relayed, at))).events));
    },
  });
  return metrics;
};
