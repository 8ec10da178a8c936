import type { Check } from '../../api/services.ts';
import { runWorker } from '../../projections/consumer/runner.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import type { Projection } from '../../projections/projection.ts';
import { projections } from '../../projections/registry.ts';
import type { Messaging } from '../../write/messaging/port.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

const checkOf = (projection: string, partitions: number | null): Check => ({
  name: `worker ${projection}`,
  ok: partitions !== null,
  detail:
    partitions === null ? 'joins its group: no broker has let it in yet' : `has ${partitions} partitions`,
});

/**
 * Keeps every projection up to date: those that can be shared through Kafka, where there is one.
 * @returns also how each worker does.
 */
export const startProjections = (
  runtime: Runtime,
  messaging: Messaging | null,
): Running & { readonly checks: readonly (() => Check)[] } => {
  const { scratch, log, logger, url, decoder } = runtime;
  const stopping = new AbortController();
  const options = { db: scratch, log, logger, connectionString: url, signal: stopping.signal };
  const checks: (() => Check)[] = [];
  const share = (projection: Projection, way: Messaging): Promise<void> => {
    let partitions: number | null = null;
    checks.push(() => checkOf(projection.name, partitions));
    const onAssignment = (now: number | null) => {
      partitions = now;
    };
    return runWorker(projection, { ...options, messaging: way, decoder, onAssignment });
  };
  const running = projections.map((projection) =>
    messaging !== null && projection.order === 'stream'
      ? share(projection, messaging)
      : runProjection(projection, options),
  );
  return {
    checks,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
