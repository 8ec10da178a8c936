import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog, EventPage, RecordedEvent } from '../../write/log/port.ts';
import { prefetch } from '../../write/log/prefetch.ts';
import { type Control, startsSequence } from '../dead-letters/control.ts';
import { parkedStreams } from '../dead-letters/parked-rows.ts';
import { openParking, type Parking } from '../dead-letters/parking.ts';
import { checkpointOf } from '../engine/checkpoint-store.ts';
import { openWriter } from '../engine/writer.ts';
import type { Projection } from '../projection.ts';
import { ApplyEventError, isCausedByEvent } from '../stalls/apply-event-error.ts';
import { subscription } from '../stalls/skipped-events.ts';
import { type Build, createBuild, dropBuild, tablesOf } from './builds.ts';
import { type Builder, openBuilder } from './bulk-builder.ts';

export interface ShadowBuildOptions {
  readonly db: Db;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Told after every page: positions passed, and where the work ends. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
}

const PAGE = 5_000;

/** What a reader of the log does without, and what it does not look into: events that can't be read may be parked. */
export const decodeOptionsFor = (parking: Parking, isParked: (stream: string) => boolean) => ({
  excludeIds: parking.control().skipped,
  opaque: (event: RecordedEvent) => isParked(event.stream) || startsSequence(parking.control(), event),
});

/** The stretch of the log after a position, up to another or to the log's end, as a projection sees it. */
export const eachPage = async (
  projection: Projection,
  parking: Parking,
  stretch: { readonly after: bigint; readonly to?: bigint },
  { log, signal, onProgress }: ShadowBuildOptions,
  write: (page: EventPage) => Promise<void>,
  isParked: (stream: string) => boolean = () => false,
): Promise<void> => {
  const total = stretch.to ?? (await log.head());
  const to = stretch.to === undefined ? {} : { to: stretch.to };
  const pages = log.readAll(stretch.after, {
    ...subscription(projection),
    ...to,
    ...decodeOptionsFor(parking, isParked),
    pageSize: PAGE,
  });
  signal.throwIfAborted();
  for await (const page of prefetch(pages)) {
    signal.throwIfAborted();
    await write(page);
    onProgress?.(page.endPosition, total);
  }
  signal.throwIfAborted();
};

/** Fills a new build in bulk. When this returns, its rows are written; where it fails, nothing is being written. */
const inBulk = async (
  projection: Projection,
  schema: string,
  parking: Parking,
  { db, log }: ShadowBuildOptions,
  fill: (builder: Builder) => Promise<void>,
): Promise<void> => {
  const builder = await openBuilder(db, projection, schema, { log, parking });
  try {
    await fill(builder);
    await builder.finish();
  } finally {
    await builder.idle();
  }
};

/** What a build is to be, if not all that the log holds under a name of its own kind. */
export interface BuildTarget {
  /** The last position that is in it. */
  readonly to?: bigint;
  readonly schema?: string;
}

/** Folds the log into a new build: in bulk, or so that an event that can't be taken in is known. */
const catchUp = async (
  projection: Projection,
  schema: string,
  parking: Parking,
  quick: boolean,
  { to }: BuildTarget,
  options: ShadowBuildOptions,
): Promise<void> => {
  const stretch = to === undefined ? {} : { to };
  if (quick) {
    await inBulk(projection, schema, parking, options, (builder) =>
      eachPage(projection, parking, { after: 0n, ...stretch }, options, builder.write, builder.isParked),
    );
  }
  // Where the rows of some event can't be indexed, it is told which only if the indexes are there.
  await options.db.query(projection.indexes(schema));
  await catchUpOneByOne(projection, schema, parking, stretch, options);
};

/**
 * Brings a build up to the log's end, or to a position. An event that can't be taken in is parked with its stream.
 * @throws {ApplyEventError | EventDeserializationError} where it can't be.
 */
export const catchUpOneByOne = async (
  projection: Projection,
  schema: string,
  parking: Parking,
  stretch: { readonly to?: bigint },
  options: ShadowBuildOptions,
): Promise<bigint> => {
  const writer = await openWriter(options.db, projection, schema, { log: options.log, parking });
  for (;;) {
    try {
      const after = writer.position();
      await eachPage(projection, parking, { after, ...stretch }, options, writer.write, writer.isParked);
      return writer.position();
    } catch (error) {
      if (!(error instanceof EventDeserializationError) || !(await parking.park(error))) throw error;
    }
  }
};

/** Whether events were skipped or parked, while a build was made, that are in its rows. */
const isSuperseded = async (db: Db, { schema }: Build, begun: Control, now: Control): Promise<boolean> => {
  if (now.skipped.size !== begun.skipped.size) return true;
  const [position, parked] = await Promise.all([checkpointOf(db, schema), parkedStreams(db, schema)]);
  return [...now.sequences].some(([stream, sequences]) =>
    sequences
      .slice(begun.sequences.get(stream)?.length ?? 0)
      .some((sequence) => sequence.position <= position && parked.get(stream)?.eventId !== sequence.eventId),
  );
};

/**
 * Makes a build aside, with indexes and statistics. Where it fails it leaves nothing behind.
 * @throws {ApplyEventError | EventDeserializationError} for an event that can't be taken in, where its stream can't be parked.
 */
export const buildShadow = async (
  projection: Projection,
  wanted: BuildTarget,
  options: ShadowBuildOptions,
  quick = true,
): Promise<Build> => {
  const { db, log, logger, signal } = options;
  const parking = await openParking(projection, { log, logger });
  const begun = parking.control();
  const build = await createBuild(db, projection, 'building', wanted.schema);
  try {
    await catchUp(projection, build.schema, parking, quick, wanted, options);
    await db.query(`analyze ${(await tablesOf(db, build.schema)).join(', ')}`);
    signal.throwIfAborted();
    if (!(await isSuperseded(db, build, begun, await parking.reload()))) return build;
  } catch (error) {
    await dropBuild(db, build.schema);
    // Of rows that were stored in bulk it can't be told which event they come from.
    const isOfAnEvent =
      isCausedByEvent(error) ||
      error instanceof ApplyEventError ||
      error instanceof EventDeserializationError;
    if (!quick || signal.aborted || !isOfAnEvent) throw error;
    return buildShadow(projection, wanted, options, false);
  }
  // What was skipped or parked meanwhile may be in it.
  await dropBuild(db, build.schema);
  return buildShadow(projection, wanted, options, quick);
};
