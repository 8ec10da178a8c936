import type { Logger } from '../kernel/logger.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import { ahead } from '../write/log/ahead.ts';
import type { EventLog, EventPage } from '../write/log/port.ts';
import { type Builder, openBuilder } from './builder.ts';
import { type Build, createBuild, dropBuild, tablesOf } from './builds.ts';
import type { Projection } from './projection.ts';
import { haveGrown, loadSkips, type Skips, subscription } from './skips.ts';
import { mayBeOfTheEvents } from './unhandled.ts';
import { openWriter } from './writer.ts';

export interface AsideOptions {
  readonly db: Db;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Told after every page: positions passed, and where the work ends. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
}

const PAGE = 5_000;

/** The stretch of the log after a position, up to another or to the log's end, as a projection sees it. */
export const eachPage = async (
  projection: Projection,
  skips: Skips,
  stretch: { readonly after: bigint; readonly to?: bigint },
  { log, signal, onProgress }: AsideOptions,
  write: (page: EventPage) => Promise<void>,
): Promise<void> => {
  const total = stretch.to ?? (await log.head());
  const to = stretch.to === undefined ? {} : { to: stretch.to };
  const pages = log.readAll(stretch.after, { ...subscription(projection, skips), ...to, pageSize: PAGE });
  signal.throwIfAborted();
  for await (const page of ahead(pages)) {
    signal.throwIfAborted();
    await write(page);
    onProgress?.(page.through, total);
  }
  signal.throwIfAborted();
};

/** Fills a new build in bulk. When this returns, its rows are written; where it fails, nothing is being written. */
const inBulk = async (
  projection: Projection,
  schema: string,
  { db }: AsideOptions,
  fill: (builder: Builder) => Promise<void>,
): Promise<void> => {
  const builder = await openBuilder(db, projection, schema);
  try {
    await fill(builder);
    await builder.finish();
  } finally {
    await builder.idle();
  }
};

/** What a build is to be, if not all that the log holds under a name of its own kind. */
export interface Wanted {
  /** The last position that is in it. */
  readonly to?: bigint;
  readonly schema?: string;
}

/** Folds the log into a new build: in bulk, or so that an event that can't be taken in is named. */
const catchUp = async (
  projection: Projection,
  schema: string,
  skips: Skips,
  quick: boolean,
  { to }: Wanted,
  options: AsideOptions,
): Promise<void> => {
  const stretch = to === undefined ? {} : { to };
  if (quick) {
    await inBulk(projection, schema, options, (builder) =>
      eachPage(projection, skips, { after: 0n, ...stretch }, options, builder.write),
    );
  } else {
    const writer = await openWriter(options.db, projection, schema);
    await eachPage(projection, skips, { after: 0n, ...stretch }, options, writer.write);
  }
  await options.db.query(projection.indexes(schema));
  // What came in during that long pass is caught up with in a second, so that a switch is short.
  const writer = await openWriter(options.db, projection, schema);
  await eachPage(projection, skips, { after: writer.position(), ...stretch }, options, writer.write);
};

/**
 * Makes a build aside, with indexes and statistics. Where it fails it leaves nothing behind.
 * @throws {UnhandledEvent} for an event that can't be taken in.
 */
export const makeAside = async (
  projection: Projection,
  wanted: Wanted,
  options: AsideOptions,
  quick = true,
): Promise<Build> => {
  const { db, log, signal } = options;
  const skips = await loadSkips(log, projection);
  const build = await createBuild(db, projection, 'building', wanted.schema);
  try {
    await catchUp(projection, build.schema, skips, quick, wanted, options);
    await db.query(`analyze ${(await tablesOf(db, build.schema)).join(', ')}`);
    signal.throwIfAborted();
    if (!(await haveGrown(log, projection, skips))) return build;
  } catch (error) {
    await dropBuild(db, build.schema);
    // Of rows that were stored in bulk it can't be told which event they come from.
    if (!quick || signal.aborted || !mayBeOfTheEvents(error)) throw error;
    return makeAside(projection, wanted, options, false);
  }
  // What was skipped meanwhile may be in it.
  await dropBuild(db, build.schema);
  return makeAside(projection, wanted, options, quick);
};
