/** Rebuilds a projection beside the active build and switches to it. */

import type { Logger } from '../../kernel/logger.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { type Db, inTransaction } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import { pause } from '../../kernel/retry.ts';
import { EventDeserializationError } from '../../write/log/codec.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { Control } from '../../write/projection-control.ts';
import { platformOf } from '../../write/stream-platform.ts';
import { checkpointOf, checkpointsOf, isSharedByPlatform, maxPosition, repartition } from '../checkpoints.ts';
import { openParking, type Parking, parkedStreams } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { projections } from '../registry.ts';
import { openWriter } from '../writer.ts';
import { BuildWriterError, type BuildWriters } from './build-writers.ts';
import {
  activateBuild,
  type Build,
  createBuild,
  dropBuild,
  dropLeftovers,
  retireActive,
  tablesOf,
  withBuildLock,
} from './builds.ts';
import { eachPage, foldInBulk, isOfAnEvent } from './bulk-fold.ts';

export interface RebuildOptions extends ShadowBuildOptions {
  /** How long the replaced build is kept for readers that still use it. */
  readonly graceMs?: number;
  /** Called once readers are led to the new build. */
  readonly onSwitched?: () => void;
}

const GRACE_MS = 3_000;

/**
 * Activates a build in one transaction. The previous build accepts no writes meanwhile and the new one has caught
 * up with it, so readers never see an older state.
 * @returns whether a previous build was replaced.
 */
const switchTo = async (projection: Projection, build: Build, options: RebuildOptions): Promise<boolean> => {
  const { db, log, logger } = options;
  const parking = await openParking(projection, { log, logger });
  // Catches up once more before it blocks the writer, so that little is left for the locked phase.
  await catchUpOneByOne(projection, build.schema, parking, {}, withoutProgress(options));
  return inTransaction(db, async (client) => {
    const before = await retireActive(client, build);
    if (before !== null) {
      const to = maxPosition(await checkpointsOf(client, before));
      await parking.reload();
      if ((await checkpointOf(db, build.schema)) < to) {
        await catchUpOneByOne(projection, build.schema, parking, { to }, withoutProgress(options));
      }
    }
    await activateBuild(client, build);
    return before !== null;
  });
};

const withoutProgress = (options: RebuildOptions): RebuildOptions => ({
  ...options,
  onProgress: () => undefined,
});

/**
 * Rebuilds a projection from the log and switches to the new build. Readers and the writer of the present build are
 * not interrupted; a rebuild that fails or is stopped is dropped.
 * @returns the new active build.
 * @throws {OperatorError} if another build of the projection is in progress.
 */
export const rebuild = (projection: Projection, options: RebuildOptions): Promise<Build> =>
  withBuildLock(options.db, projection, async () => {
    const { db, signal, logger } = options;
    await dropLeftovers(db, projection);
    const build = await buildShadow(projection, {}, options);
    let replaced: boolean;
    try {
      replaced = await switchTo(projection, build, options);
    } catch (error) {
      await dropBuild(db, build.schema);
      throw error;
    }
    logger.info({ projection: projection.name, build: build.schema }, 'projection rebuilt');
    options.onSwitched?.();
    if (replaced) {
      await pause(options.graceMs ?? GRACE_MS, signal);
      await dropLeftovers(db, projection);
    }
    return { ...build, status: 'active' };
  });

/**
 * Rebuilds projections one after the other. The build that one replaced is kept for its readers while the next one is built, so
 * that all of them together wait once.
 * @returns the new active builds.
 * @throws {OperatorError} as `rebuild`. Those after the one that failed are not begun.
 */
export const rebuildAll = async (
  which: readonly Projection[],
  options: Omit<RebuildOptions, 'onSwitched'>,
): Promise<readonly Build[]> => {
  const rebuilding: Promise<Build>[] = [];
  for (const projection of which) {
    const isSwitched = await new Promise<boolean>((resolve) => {
      const one = rebuild(projection, { ...options, onSwitched: () => resolve(true) });
      one.catch(() => resolve(false));
      rebuilding.push(one);
    });
    if (!isSwitched) break;
  }
  // None is left at work behind the failure of another.
  await Promise.allSettled(rebuilding);
  return Promise.all(rebuilding);
};

export interface ShadowBuildOptions {
  readonly db: Db;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called after every page with the positions processed and the total. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
  /** Writers that share the platforms of a build. By default this thread folds all of it. */
  readonly writers?: BuildWriters;
}

/** Whether another thread can find the projection by its name. */
const isRegistered = (projection: Projection): boolean => projections.includes(projection);

/** The end of the build and the name of its schema; the log's head and a generated name by default. */
export interface BuildTarget {
  /** The last position to apply. */
  readonly to?: bigint;
  readonly schema?: string;
}

/** Folds the log in bulk, in several threads if that is worthwhile. */
const fold = async (
  projection: Projection,
  schema: string,
  parking: Parking,
  { to }: BuildTarget,
  options: ShadowBuildOptions,
): Promise<void> => {
  const { db, log, writers } = options;
  const end = to ?? (await log.head());
  const isLong = writers !== undefined && end / (log.positionsPerEvent ?? 1n) >= writers.leastEvents;
  if (!isLong || writers.count < 2 || !isSharedByPlatform(projection) || !isRegistered(projection)) {
    return foldInBulk(projection, schema, parking, to === undefined ? {} : { to }, options);
  }
  await repartition(db, schema, PLATFORMS);
  const shares = dividePlatforms(await sampleLoad(log, projection, end), writers.count);
  await foldShares(projection, schema, shares, end, { ...options, writers });
};

/** Folds each share in a writer of its own. If one fails, the others are stopped. When this settles, all have ended. */
const foldShares = async (
  { name }: Projection,
  schema: string,
  shares: readonly PlatformShare[],
  to: bigint,
  { writers, signal, onProgress }: ShadowBuildOptions & { readonly writers: BuildWriters },
): Promise<void> => {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const reached = new Map<PlatformShare, bigint>();
  const report = (share: PlatformShare, position: bigint) => {
    reached.set(share, position);
    const done = [...reached].reduce((sum, [{ weight }, at]) => sum + weight * Number(at), 0);
    onProgress?.(BigInt(Math.floor(done)), to);
  };
  const ended = await Promise.allSettled(
    shares.map((share) => {
      const task = { projection: name, schema, platforms: share.platforms, to };
      const folding = writers.fold(task, (position) => report(share, position), either);
      return folding.catch((error: unknown) => {
        // The first failure counts: the failures of the others follow from it.
        failed.abort(error);
        throw error;
      });
    }),
  );
  signal.throwIfAborted();
  if (ended.some(({ status }) => status === 'rejected')) throw failed.signal.reason;
};

/** Folds the log into a new build, either in bulk (fast), or page by page so that a poison event is identified. */
const catchUp = async (
  projection: Projection,
  schema: string,
  parking: Parking,
  quick: boolean,
  target: BuildTarget,
  options: ShadowBuildOptions,
): Promise<void> => {
  if (quick) await fold(projection, schema, parking, target, options);
  // An event whose rows violate an index can only be identified if the indexes exist.
  await options.db.query(raw(projection.indexes(schema)));
  const stretch = target.to === undefined ? {} : { to: target.to };
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
    await db.query(sql`analyze ${raw((await tablesOf(db, build.schema)).join(', '))}`);
    signal.throwIfAborted();
    if (!(await isSuperseded(db, build, begun, await parking.reload()))) return build;
  } catch (error) {
    await dropBuild(db, build.schema);
    // Rows stored in bulk can't be traced to an event, so the build starts over page by page.
    const isPoison = error instanceof BuildWriterError ? error.isCausedByEvent : isOfAnEvent(error);
    if (!quick || signal.aborted || !isPoison) throw error;
    return buildShadow(projection, wanted, options, false);
  }
  // The build may contain events that were skipped or parked meanwhile, so it starts over.
  await dropBuild(db, build.schema);
  return buildShadow(projection, wanted, options, quick);
};

/** The platforms that one writer of a build folds, and their share of the events. */
export interface PlatformShare {
  readonly platforms: readonly Platform[];
  /** The shares' weights add up to 1. */
  readonly weight: number;
}

/** Samples of the log, evenly spaced, and events of each. */
const SAMPLES = 20n;
const SAMPLE_EVENTS = 200;

/** Estimates how many events a projection has to apply of each platform, from samples of the log. */
export const sampleLoad = async (
  log: Pick<EventLog, 'readAll' | 'canSeekAnyPosition'>,
  { types }: Projection,
  to: bigint,
): Promise<ReadonlyMap<Platform, number>> => {
  const wanted: ReadonlySet<string> = new Set(types);
  const load = new Map<Platform, number>();
  // A log that can't be read from any position is sampled at its start only.
  const samples = log.canSeekAnyPosition === false ? 1n : SAMPLES;
  for (let n = 0n; n < samples; n++) {
    const options = { to, raw: true, pageSize: SAMPLE_EVENTS };
    for await (const page of log.readAll((to * n) / samples, options)) {
      for (const { stream, type } of page.events) {
        const platform = platformOf(stream);
        if (platform == null || !wanted.has(type)) continue;
        load.set(platform, (load.get(platform) ?? 0) + 1);
      }
      break;
    }
  }
  return load;
};

/**
 * Divides the platforms among writers so that their loads differ little: the largest platform first, to the least loaded writer.
 */
export const dividePlatforms = (
  load: ReadonlyMap<Platform, number>,
  writers: number,
): readonly PlatformShare[] => {
  // Platforms without a sampled event may still have events.
  const loadOf = (platform: Platform) => (load.get(platform) ?? 0) + 1;
  const shares = Array.from({ length: Math.max(1, Math.min(writers, PLATFORMS.length)) }, () => {
    return { platforms: [] as Platform[], load: 0 };
  });
  for (const platform of PLATFORMS.toSorted((a, b) => loadOf(b) - loadOf(a))) {
    const least = shares.reduce((a, b) => (b.load < a.load ? b : a));
    least.platforms.push(platform);
    least.load += loadOf(platform);
  }
  const total = shares.reduce((sum, share) => sum + share.load, 0);
  return shares.map(({ platforms, load: own }) => ({ platforms, weight: own / total }));
};
