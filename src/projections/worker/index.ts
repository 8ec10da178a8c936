import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import type { Fanout } from '../../write/fanout/port.ts';
import type { ReadDoor } from '../../write/log/read-door.ts';
import { activeBuild } from '../builds.ts';
import { checkpointOf, inPlaces } from '../checkpoints.ts';
import { openParking } from '../dead-letters/parking.ts';
import { dropAbandoned } from '../exclusive.ts';
import type { Projection } from '../projection.ts';
import { leaseOf, ownBuild, type RunnerOptions } from '../runner.ts';
import { clearStops } from '../stops.ts';
import { backoffMs, levelOf } from '../telling.ts';
import { openMember } from './member.ts';
import { placesOf, topicsOf } from './share.ts';

export interface WorkerOptions extends RunnerOptions {
  readonly fanout: Fanout;
  /** Stands before what Kafka brings, as it stands before the log. */
  readonly readDoor: ReadDoor;
  /** Told how many places are this worker's; null while it is in no group. */
  readonly onShare?: (places: number | null) => void;
}

/** The consumer group of a version of a projection. */
export const groupOf = ({ name, version }: Projection): string => `sightline.${name}.v${version}`;

const LOOK_MS = 1_000;

/** The active build, made by one of the workers where there is none, with a checkpoint for each place. */
const buildInPlaces = async (projection: Projection, options: WorkerOptions): Promise<string> => {
  const { db, signal } = options;
  let schema = (await activeBuild(db, projection.name, projection.version))?.schema;
  if (schema === undefined) {
    await withLease(options.connectionString, leaseOf(projection), signal, async (leased) => {
      await dropAbandoned(db, projection);
      schema = await ownBuild(projection, { ...options, signal: leased });
    });
  }
  if (schema === undefined) throw new Error('stopped while it was built');
  await inPlaces(db, schema, placesOf(projection));
  return schema;
};

/** Keeps one build up to date as a member of the group, until the build is replaced or the signal fires. */
const work = async (projection: Projection, options: WorkerOptions): Promise<void> => {
  const { db, log, logger, fanout } = options;
  const schema = await buildInPlaces(projection, options);
  const parking = await openParking(projection, { log, logger });
  await parking.retryAfterUpgrade();
  const replaced = new AbortController();
  const signal = AbortSignal.any([options.signal, replaced.signal]);
  const member = openMember({ ...options, signal, projection, schema, parking });
  const look = async () => {
    const active = await activeBuild(db, projection.name, projection.version);
    if (active?.schema !== schema) return replaced.abort();
    if (await parking.isOutdated()) await parking.reload();
    await member.tend();
    // Among them one of the whole, from a process that followed the log itself.
    await clearStops(db, projection, await checkpointOf(db, schema));
  };
  const watch = async () => {
    while (!signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await look().catch((error) =>
        logger[levelOf(error, 'warn')]({ err: messageOf(error) }, 'a worker could not look about'),
      );
    }
  };
  const watching = watch();
  try {
    await fanout.consume({
      group: groupOf(projection),
      topics: topicsOf(projection).map(({ topic }) => topic),
      assigned: async (share) => {
        const beginnings = await member.assigned(share);
        options.onShare?.(share.length);
        return beginnings;
      },
      lost: () => options.onShare?.(null),
      handle: member.handle,
      signal,
    });
  } finally {
    replaced.abort();
    await watching;
    await member.idle();
  }
};

/**
 * Keeps a projection that relies on the order within a stream only: any number of processes share its places, as
 * members of a consumer group. Positions are in Postgres, moved with the rows; what Kafka holds is never trusted to
 * be complete, or to come once.
 */
export const runWorker = async (projection: Projection, options: WorkerOptions): Promise<void> => {
  const { signal } = options;
  const logger = options.logger.child({ projection: projection.name });
  let failures = 0;
  while (!signal.aborted) {
    try {
      await work(projection, { ...options, logger });
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const delay = backoffMs(failures);
      failures += 1;
      logger[levelOf(error, 'error')]({ err: error, delay }, 'a worker stopped and starts again');
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
};
