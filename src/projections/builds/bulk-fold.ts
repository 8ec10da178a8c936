/** Folds the log in bulk into a build that has no readers. */

import { type Db, inTransaction } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec.ts';
import type { EventLog, EventPage } from '../../write/log/port.ts';
import { advanceCheckpoints, checkpointsOf, deliveriesOf } from '../checkpoints.ts';
import { isRetry, type ParkedStream, type Parking, planPage, storeParked } from '../dead-letters/parking.ts';
import type { AppliedEvent, Projection } from '../projection.ts';
import { ApplyEventError, isCausedByEvent } from '../stalls.ts';
import { decodeOptionsFor, subscription } from '../subscription.ts';
import type { WriterParking } from '../writer.ts';

/** Whether an event may have caused a build to fail. */
export const isOfAnEvent = (error: unknown): boolean =>
  isCausedByEvent(error) || error instanceof ApplyEventError || error instanceof EventDeserializationError;

/**
 * Folds the log into a new build, or the streams of some platforms into their partitions. When it returns or throws, no write is in
 * flight.
 */
export const foldInBulk = async (
  projection: Projection,
  schema: string,
  parking: Parking,
  stretch: Omit<Stretch, 'after'>,
  options: EachPageOptions & { readonly db: Db },
): Promise<void> => {
  const { db, log } = options;
  const builder = await openBuilder(db, projection, schema, { log, parking }, stretch.platforms);
  try {
    await eachPage(projection, parking, { after: 0n, ...stretch }, options, builder.write, builder.isParked);
    await builder.finish();
  } finally {
    await builder.idle();
  }
};

/**
 * Folds the log into a new build. The build has no readers and is dropped on failure, so rows can stay in memory: a row that later
 * events change is written once, and one page is folded while the previous one is written.
 */
export interface Builder {
  /** @throws {ApplyEventError} if the event's handler fails. */
  write(page: EventPage): Promise<void>;
  /** Whether the stream is in the dead-letter queue. */
  isParked(stream: string): boolean;
  /** Flushes all buffered rows. Until then the rows lag behind the checkpoint. */
  finish(): Promise<void>;
  /** Resolves once no write is in flight, whether or not it failed. */
  idle(): Promise<void>;
}

export interface BuilderParking extends WriterParking {
  /** Whether a retry is applied later than at its own position. */
  readonly isDeferred?: (stream: string, at: bigint) => boolean;
}

/**
 * Opens partitions of a new build, all at the same position, for folding the log into them.
 * @param partitions all that the build has by default.
 */
export const openBuilder = async (
  db: Db,
  projection: Projection,
  schema: string,
  { log, parking, isDeferred }: BuilderParking,
  partitions?: readonly string[],
): Promise<Builder> => {
  const reached = new Map(
    [...(await checkpointsOf(db, schema))].filter(([partition]) => partitions?.includes(partition) ?? true),
  );
  const fold = projection.open(schema);
  const { building } = fold;
  const parked = new Map<string, ParkedStream>();
  let writing: Promise<void> = Promise.resolve();

  const applyNamed = (event: AppliedEvent): void => {
    try {
      fold.apply(event);
    } catch (error) {
      throw new ApplyEventError(projection.name, event, error);
    }
  };

  /** The events to apply. Changes of the dead-letter queue are buffered until `finish`. */
  const planned = async (page: EventPage): Promise<readonly AppliedEvent[]> => {
    const control = page.events.some(isRetry) ? await parking.reload() : parking.control();
    const context = { log, projection, control, parked, ...(isDeferred === undefined ? {} : { isDeferred }) };
    const { events, changes } = await planPage(page, context);
    for (const { stream, row } of changes) {
      if (row === null) parked.delete(stream);
      else parked.set(stream, row);
    }
    return events.flatMap((event) => deliveriesOf(event, reached));
  };

  const write = async (page: EventPage): Promise<void> => {
    if (building?.isFull() === true) {
      await writing;
      await inTransaction(db, (client) => fold.store(client));
    }
    const events = await planned(page);
    await fold.load(db, events);
    for (const event of events) applyNamed(event);
    await writing;
    const moves = [...reached].map(([partition, from]) => ({ partition, from, to: page.endPosition }));
    for (const { partition, to } of moves) reached.set(partition, to);
    writing = inTransaction(db, async (client) => {
      await advanceCheckpoints(client, schema, moves);
      await (building === undefined ? fold.store(client) : building.flush(client));
    });
    // The next page reports the failure. Until then it must not count as an unhandled rejection.
    writing.catch(() => undefined);
    if (building === undefined) await writing;
  };

  return {
    write,
    isParked: (stream) => parked.has(stream),
    finish: async () => {
      await writing;
      await inTransaction(db, async (client) => {
        await fold.store(client);
        const rows = [...parked.values()].map((row) => ({ at: row.position, stream: row.stream, row }));
        await storeParked(client, schema, rows);
      });
    },
    idle: () => writing.catch(() => undefined),
  };
};

const PAGE = 5_000;

/** A part of the log. */
export interface Stretch {
  readonly after: bigint;
  /** The last position; by default the head. */
  readonly to?: bigint;
  /** The platforms whose streams are read; by default all. */
  readonly platforms?: readonly string[];
}

export interface EachPageOptions {
  readonly log: EventLog;
  readonly signal: AbortSignal;
  /** Called after every page with the positions processed and the total. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
}

/** Pages of the log after a position, up to another position or the head, filtered for a projection. */
export const eachPage = async (
  projection: Projection,
  parking: Parking,
  { after, to, platforms }: Stretch,
  { log, signal, onProgress }: EachPageOptions,
  write: (page: EventPage) => Promise<void>,
  isParked: (stream: string) => boolean = () => false,
): Promise<void> => {
  const total = to ?? (await log.head());
  const pages = log.readAll(after, {
    ...subscription(projection, platforms ?? null),
    ...(to === undefined ? {} : { to }),
    ...decodeOptionsFor(parking.control, isParked),
    pageSize: PAGE,
  });
  signal.throwIfAborted();
  for await (const page of pages) {
    signal.throwIfAborted();
    await write(page);
    onProgress?.(page.endPosition, total);
  }
  signal.throwIfAborted();
};
