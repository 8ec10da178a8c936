import { Gauge, Registry } from 'prom-client';
import { projections } from '../../projections/registry.ts';
import type { Health } from '../services.ts';
import { lagOf, within } from './readiness.ts';

/** What is measured when it is asked for. */
export const gaugesOf = (health: Health): Registry => {
  const metrics = new Registry();
  const head = () => within(health.head()).catch(() => null);
  new Gauge({
    name: 'sightline_projection_lag_events',
    help: 'Events that a projection has not folded yet.',
    labelNames: ['projection'],
    registers: [metrics],
    async collect() {
      const at = await head();
      this.reset();
      if (at === null) return;
      for (const { name } of projections) {
        const { lag } = await lagOf(health, name, at);
        if (lag !== null) this.set({ projection: name }, Number(lag));
      }
    },
  });
  new Gauge({
    name: 'sightline_projection_stopped',
    help: 'Position of the event before which a projection, or one partition of it, stands.',
    labelNames: ['projection', 'partition'],
    registers: [metrics],
    async collect() {
      const stalls = await within(health.stalls()).catch(() => []);
      this.reset();
      for (const { projection, partition, position } of stalls)
        this.set({ projection, partition }, Number(position));
    },
  });
  new Gauge({
    name: 'sightline_projection_parked_streams',
    help: 'Streams that a projection leaves in its dead-letter queue.',
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
    help: 'Events that the relay has not handed out to Kafka yet; none where it has never run.',
    registers: [metrics],
    async collect() {
      const [at, relayed] = await Promise.all([head(), within(health.relayed()).catch(() => null)]);
      // Reset, it would say 0.
      this.remove({});
      if (at === null || relayed === null) return;
      this.set(Number((await within(health.eventsBetween(relayed, at))).events));
    },
  });
  return metrics;
};
