import { availableParallelism } from 'node:os';
import type { Check } from '../../kernel/health-check.ts';
import { createBuildWriters } from '../../projections/builds/build-writers.ts';
import { runWorker } from '../../projections/consumer/runner.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import type { Projection } from '../../projections/projection.ts';
import { projections } from '../../projections/registry.ts';
import { logSettingsOf } from '../../write/log/open-event-log.ts';
import type { Messaging } from '../../write/messaging/port.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/**
 * Maintains every projection. If Kafka is configured, it distributes the projections that need only the order within each
 * stream.
 * @returns also a health check per consumer.
 */
export const startProjections = (
  runtime: Runtime,
  messaging: Messaging | null,
): Running & { readonly checks: readonly (() => Check)[] } => {
  const { asyncCommitDb, log, logger, url, decoder, config } = runtime;
  const stopping = new AbortController();
  const writers = createBuildWriters(
    { connectionString: url, logSettings: logSettingsOf(config) },
    { count: availableParallelism() },
  );
  const options = {
    db: asyncCommitDb,
    log,
    logger,
    connectionString: url,
    signal: stopping.signal,
    writers,
  };
  const checks: (() => Check)[] = [];
  const consume = (projection: Projection, broker: Messaging): Promise<void> => {
    let partitions: number | null = null;
    checks.push(() => checkOf(projection.name, partitions));
    const onAssignment = (now: number | null) => {
      partitions = now;
    };
    return runWorker(projection, { ...options, messaging: broker, decoder, onAssignment });
  };
  const running = projections.map((projection) =>
    messaging !== null && projection.order === 'stream'
      ? consume(projection, messaging)
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

const checkOf = (projection: string, partitions: number | null): Check => ({
  name: `worker ${projection}`,
  ok: partitions !== null,
  detail: partitions === null ? 'joining the consumer group' : `${partitions} partitions assigned`,
});
