import { setTimeout as sleep } from 'node:timers/promises';
import { restartBackoffMs } from '../../kernel/backoff.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog } from '../../write/log/port.ts';
import { dropAbandoned } from '../builds/build-lock.ts';
import { activeBuild, createBuild } from '../builds/builds.ts';
import { rebuild } from '../builds/rebuild.ts';
import { decodeOptionsFor } from '../builds/shadow-build.ts';
import { openParking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { ApplyEventError } from '../stalls/apply-event-error.ts';
import { levelOf, reportStall } from '../stalls/report-stall.ts';
import { subscription } from '../stalls/skipped-events.ts';
import { clearStalls } from '../stalls/stalls.ts';
import { CheckpointConflictError } from './checkpoint-store.ts';
import { openWriter } from './writer.ts';

const FOLLOW_MS = 1_000;
const PAGE = 2_000;
const IDLE_WRITE_MS = 1_000;

export interface RunnerOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The active build of this version; built from the log if there is none. */
export const ensureBuild = async (projection: Projection, options: RunnerOptions): Promise<string> => {
  const active = await activeBuild(options.db, projection.name, projection.version);
  if (active !== null) return active.schema;
  // An empty log needs no catch-up: the build can be active at once.
  if ((await options.log.head()) === 0n) return (await createBuild(options.db, projection, 'active')).schema;
  options.logger.info(
    { projection: projection.name, version: projection.version },
    'building a projection from the log',
  );
  return (await rebuild(projection, options)).schema;
};

/**
 * Follows the log into the active build, until the build is replaced, an event is skipped, a stream is parked or
 * retried elsewhere, a checkpoint conflict occurs, or the signal fires.
 */
const follow = async (projection: Projection, options: RunnerOptions, onMoved: () => void): Promise<void> => {
  const { db, log, logger } = options;
  const schema = await ensureBuild(projection, options);
  const parking = await openParking(projection, { log, logger });
  await parking.retryAfterUpgrade();
  const writer = await openWriter(db, projection, schema, { log, parking });
  const outdated = new AbortController();
  const signal = AbortSignal.any([options.signal, outdated.signal]);
  const isOutdated = async (): Promise<boolean> => {
    const active = await activeBuild(db, projection.name, projection.version);
    return active?.schema !== writer.schema || (await parking.isOutdated());
  };
  // Stalls of earlier attempts, of other processes, or of the partitions of Kafka consumers.
  const notifyAdvanced = async () => {
    const partitions = await clearStalls(db, projection, writer.position());
    if (partitions.length > 0) logger.info({ projection: projection.name, partitions }, 'projection resumed');
  };
  const poll = async () => {
    if (await isOutdated()) outdated.abort();
    await notifyAdvanced();
  };
  const watch = async () => {
    while (!signal.aborted) {
      await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await poll().catch((error) =>
        logger[levelOf(error, 'warn')](
          { err: errorMessage(error) },
          'periodic checks of the projection failed',
        ),
      );
    }
  };
  await notifyAdvanced();
  const watching = watch();
  try {
    let writtenAt = 0;
    const pages = log.subscribe(writer.position(), {
      ...subscription(projection),
      ...decodeOptionsFor(parking, writer.isParked),
      pageSize: PAGE,
      signal,
    });
    for await (const page of pages) {
      // Advancing past irrelevant events needs a write only now and then, not one per append.
      if (page.events.length === 0 && Date.now() - writtenAt < IDLE_WRITE_MS) continue;
      await writer.write(page);
      onMoved();
      writtenAt = Date.now();
    }
  } catch (error) {
    // The stream is parked now: read again from the checkpoint.
    if (!(error instanceof EventDeserializationError) || !(await parking.park(error))) throw error;
  } finally {
    outdated.abort();
    await watching;
  }
};

/** Lease of the only writer of a version, which also creates its first build. */
export const leaseOf = ({ name, version }: Pick<Projection, 'name' | 'version'>) => ({
  kind: ADVISORY_LOCKS.PROJECTION_LEASE,
  name: `${name} ${version}`,
});

/**
 * Maintains one projection. Any number of processes may run it: the lease holder writes, fenced by its checkpoint,
 * and the others stand by.
 */
export const runProjection = async (projection: Projection, options: RunnerOptions): Promise<void> => {
  const { signal, db } = options;
  const logger = options.logger.child({ projection: projection.name });
  let failures = 0;
  const onMoved = () => {
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      await withLease(options.connectionString, leaseOf(projection), signal, async (leased) => {
        await dropAbandoned(db, projection);
        while (!leased.aborted) await follow(projection, { ...options, signal: leased }, onMoved);
      });
    } catch (error) {
      if (signal.aborted) break;
      const delay = restartBackoffMs(failures);
      failures += 1;
      if (error instanceof EventDeserializationError || error instanceof ApplyEventError) {
        await reportStall(projection, error, delay, { db, logger });
      } else {
        const level = error instanceof CheckpointConflictError ? 'info' : levelOf(error, 'error');
        logger[level]({ err: error, delay }, 'projection runner failed; restarting');
      }
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
};
