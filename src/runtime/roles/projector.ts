import { availableParallelism } from 'node:os';
import { errorMessage } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import type { Logger } from '../../kernel/logger.ts';
import { pause } from '../../kernel/retry.ts';
import { createBuildWriters } from '../../projections/builds/build-writers.ts';
import { runWorker } from '../../projections/consumer/runner.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import type { Projection } from '../../projections/projection.ts';
import { projections } from '../../projections/registry.ts';
import { logSettingsOf } from '../../write/log/open-event-log.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { Messaging } from '../../write/messaging/port.ts';
import { readSource, type Source } from '../../write/projection-control.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/**
 * Maintains every projection. If Kafka is configured, it distributes the projections that need only the order within each
 * stream, unless an operator has them follow the log.
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
  const source = messaging === null ? null : watchSource(log, logger, stopping.signal);
  /** Maintains a projection from Kafka, or from the log while that is the source. */
  const consume = async (projection: Projection, broker: Messaging, from: SourceWatch): Promise<void> => {
    let state: Parameters<typeof checkOf>[1] = null;
    checks.push(() => checkOf(projection.name, state));
    await from.each(async (now, signal) => {
      state = now === 'log' ? 'log' : null;
      const onAssignment = (partitions: number | null) => {
        if (!signal.aborted) state = partitions;
      };
      await (now === 'log'
        ? runProjection(projection, { ...options, signal })
        : runWorker(projection, { ...options, signal, messaging: broker, decoder, onAssignment }));
    });
  };
  const running = projections.map((projection) =>
    messaging !== null && source !== null && projection.order === 'stream'
      ? consume(projection, messaging, source)
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

/** @param state the partitions that Kafka assigned, null for none yet; or that the log is followed instead. */
const checkOf = (projection: string, state: number | 'log' | null): Check => ({
  name: `worker ${projection}`,
  ok: state !== null,
  detail:
    state === 'log'
      ? 'follows the log, as `sightline projections source` has it'
      : state === null
        ? 'joining the consumer group'
        : `${state} partitions assigned`,
});

const ASK_MS = 1_000;

/** Follows what operators choose as the source. */
interface SourceWatch {
  /** Runs work for each source in turn, until the process stops. The signal fires when another is chosen. */
  each(work: (source: Source, signal: AbortSignal) => Promise<void>): Promise<void>;
}

const watchSource = (log: EventLog, logger: Logger, stopping: AbortSignal): SourceWatch => {
  const first = Promise.withResolvers<void>();
  let present: Source = 'kafka';
  let over = new AbortController();
  const ask = async (): Promise<void> => {
    while (!stopping.aborted) {
      try {
        const chosen = await readSource(log);
        if (chosen !== present) {
          logger.info({ source: chosen }, 'projections have another source now');
          present = chosen;
          over.abort();
          over = new AbortController();
        }
      } catch (error) {
        // Without the log nothing is projected from either.
        logger.debug({ err: errorMessage(error) }, 'the source of projections could not be read');
      }
      first.resolve();
      await pause(ASK_MS, stopping);
    }
  };
  void ask();
  return {
    each: async (work) => {
      await first.promise;
      while (!stopping.aborted) await work(present, AbortSignal.any([stopping, over.signal]));
    },
  };
};
