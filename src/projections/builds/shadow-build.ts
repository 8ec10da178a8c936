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
  /** Called after every page with the positions processed and the total. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
}

const PAGE = 5_000;

/** Decode options of a projection: skipped events are excluded, and events of parked streams need not be readable. */
export const decodeOptionsFor = (parking: Parking, isParked: (stream: string) => boolean) => ({
  excludeIds: parking.control().skipped,
  opaque: (event: RecordedEvent) => isParked(event.stream) || startsSequence(parking.control(), event),
});

/** Pages of the log after a position, up to another position or the head, filtered for a projection. */
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

/** Builds in bulk. When it returns or throws, no write is in flight. */
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

/** Where the build ends and what its schema is called; by default the log's head and a generated name. */
export interface BuildTarget {
  /** The last position to apply. */
  readonly to?: bigint;
  readonly schema?: string;
}

/** Folds the log into a new build: in bulk (fast), or page by page so that a poison event is identified. */
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
  // An event whose rows break an index can only be identified if the indexes exist.
  await options.db.query(projection.indexes(schema));
  await catchUpOneByOne(projection, schema, parking, stretch, options);
};

/**
 * Brings a build up to the head of the log, or to a position. The stream of a poison event is parked.
 * @throws {ApplyEventError | EventDeserializationError} if that stream can't be parked.
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

/** Whether events that the build has applied were skipped or parked since it was started. */
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
 * Builds a projection beside the active build, with indexes and statistics. On failure the build is dropped.
 * @throws {ApplyEventError | EventDeserializationError} for a poison event whose stream can't be parked.
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
    // Rows stored in bulk can't be traced to an event: start over page by page.
    const isOfAnEvent =
      isCausedByEvent(error) ||
      error instanceof ApplyEventError ||
      error instanceof EventDeserializationError;
    if (!quick || signal.aborted || !isOfAnEvent) throw error;
    return buildShadow(projection, wanted, options, false);
  }
  // Events skipped or parked meanwhile may be in the build: start over.
  await dropBuild(db, build.schema);
  return buildShadow(projection, wanted, options, quick);
};
