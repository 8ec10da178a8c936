import { availableParallelism } from 'node:os';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { createBuildWriters } from '../../projections/builds/build-writers.ts';
import { type Build, tablesOf } from '../../projections/builds/builds.ts';
import {
  createPointInTimeCopy,
  dropBuildByName,
  type Pruned,
  pruneBuilds,
} from '../../projections/builds/point-in-time.ts';
import { rebuild, rebuildAll } from '../../projections/builds/rebuild.ts';
import { PROJECTION_NAMES } from '../../projections/names.ts';
import type { Projection } from '../../projections/projection.ts';
import { projections } from '../../projections/registry.ts';
import { ApplyEventError } from '../../projections/stalls.ts';
import { type Verification, verify } from '../../projections/verify.ts';
import { EventDeserializationError } from '../../write/log/codec.ts';
import { logSettingsOf } from '../../write/log/open-event-log.ts';
import type { EventName } from '../../write/log/port.ts';
import { positionAtTime } from '../../write/position-at-time.ts';
import { BUILDS_STREAM, type upkeepEvents } from '../../write/upkeep.ts';
import type { OnProgress, OperationsContext } from '../context.ts';

export type { RowDifference, Verification } from '../../projections/verify.ts';

/** Options of work that folds the whole log. */
export interface BuildOptions {
  /** Ends the work; the unfinished build is dropped. */
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** Threads that share the platforms of a build; one per core by default. */
  readonly writers?: number | undefined;
}

/** A position of the log, or an instant of `recorded_at` in milliseconds since 1970. */
export type PointInTime = { readonly position: bigint } | { readonly timeMs: number };

/**
 * The event at which a build failed, which can be skipped; null for every other error.
 */
export const failedEventOf = (error: unknown): EventName | null =>
  error instanceof ApplyEventError || error instanceof EventDeserializationError ? error.event : null;

/**
 * Rebuilds a projection from the log and switches readers to the new build.
 * @returns its schema.
 * @throws {OperatorError} `projection_unknown`, `build_in_progress`
 */
export const rebuildProjection = async (
  context: Context,
  name: string,
  options: BuildOptions,
): Promise<{ readonly schema: string }> => {
  const build = await rebuild(projectionNamed(name), optionsOf(context, options));
  await record(context, [build], 'ProjectionRebuilt');
  return { schema: build.schema };
};

/**
 * Rebuilds projections one after the other, and waits once for the readers of all that was replaced.
 * @throws {OperatorError} `projection_unknown`, `build_in_progress`
 */
export const rebuildProjections = async (
  context: Context,
  names: readonly string[],
  options: BuildOptions,
): Promise<void> =>
  record(
    context,
    await rebuildAll(names.map(projectionNamed), optionsOf(context, options)),
    'ProjectionRebuilt',
  );

/** A point-in-time copy of a projection: it is neither served nor updated. */
export interface Copy {
  readonly schema: string;
  readonly position: bigint;
  /** Qualified by their schema. */
  readonly tables: readonly string[];
}

/**
 * Makes a point-in-time copy of a projection, by default as of now.
 * @param copy `into`: its schema, by default `<name>_as_of_<position>`.
 * @throws {OperatorError} `projection_unknown`, `build_in_progress`, `copy_name_invalid`, `copy_exists`,
 * `position_beyond_head`
 */
export const copyProjection = async (
  context: Context,
  name: string,
  copy: { readonly asOf?: PointInTime | undefined; readonly into?: string | undefined },
  options: BuildOptions & { readonly onSchema?: (schema: string) => void },
): Promise<Copy> => {
  const projection = projectionNamed(name);
  const { db, log } = context;
  const { asOf } = copy;
  const position =
    asOf === undefined
      ? await log.head()
      : 'position' in asOf
        ? asOf.position
        : await positionAtTime(log, asOf.timeMs);
  const schema = copy.into ?? `${name}_as_of_${position}`;
  options.onSchema?.(schema);
  const build = await createPointInTimeCopy(projection, position, schema, optionsOf(context, options));
  await record(context, [build], 'ProjectionCopied', { position: String(position) });
  return { schema, position, tables: await tablesOf(db, schema) };
};

/**
 * Builds a projection beside the served build and compares the two, row by row.
 * @param options `max`: maximum differing rows to return; `onRow`: called with the rows compared, and their total.
 * @throws {OperatorError} `projection_unknown`, `build_missing`, `build_in_progress`
 */
export const verifyProjection = (
  context: Context,
  name: string,
  options: BuildOptions & { readonly max: number; readonly onRow: OnProgress },
): Promise<Verification> =>
  verify(projectionNamed(name), { ...optionsOf(context, options), max: options.max, onRow: options.onRow });

/**
 * Drops a copy, or a build of another version that no running program uses.
 * @throws {OperatorError} `build_unknown`, `build_served`, `build_newer`, `build_in_use`
 */
export const dropBuild = async (
  context: Pick<OperationsContext, 'db' | 'log'>,
  schema: string,
): Promise<Pick<Build, 'projection' | 'version' | 'status'>> => {
  const build = await dropBuildByName(context.db, schema, projections);
  await record(context, [build], 'ProjectionBuildDropped');
  return build;
};

/** Drops every build that nothing needs. */
export const prune = async (context: Pick<OperationsContext, 'db' | 'log'>): Promise<Pruned> => {
  const pruned = await pruneBuilds(context.db, projections);
  await record(context, pruned.dropped, 'ProjectionBuildDropped');
  return pruned;
};

/** @throws {OperatorError} `projection_unknown` */
export const projectionNamed = (name: string): Projection => {
  const found = projections.find((projection) => projection.name === name);
  if (found !== undefined) return found;
  throw new OperatorError(
    'projection_unknown',
    `"${name}" is no projection. The projections are: ${PROJECTION_NAMES.join(', ')}`,
  );
};

/** The named projections; all by default. @throws {OperatorError} `projection_unknown` */
export const projectionsNamed = (names: readonly string[] | undefined): readonly Projection[] =>
  names === undefined ? projections : names.map(projectionNamed);

/** The trimmed reason for an operator's action, which the log keeps. @throws {OperatorError} `reason_missing` */
export const requireReason = (text: string): string => {
  const reason = text.trim();
  if (reason !== '') return reason;
  throw new OperatorError('reason_missing', 'A reason is required: the event log keeps it.');
};

/** Notes in the log what an operator did with builds. */
const record = async (
  { log }: Pick<OperationsContext, 'log'>,
  builds: readonly Build[],
  type: keyof typeof upkeepEvents,
  about: object = {},
): Promise<void> => {
  const now = systemClock.now();
  const events = builds.map(({ projection, version, schema }) => ({
    id: uuidV7(now),
    type,
    data: { at: isoOf(now), projection, version, schema, ...about },
  }));
  if (events.length > 0) await log.append(BUILDS_STREAM, events, 'any');
};

type Context = Pick<OperationsContext, 'db' | 'log' | 'logger' | 'url' | 'config'>;

const optionsOf = (
  { db, log, logger, url, config }: Context,
  { signal, onProgress, writers = availableParallelism() }: BuildOptions,
) => ({
  db,
  log,
  logger,
  signal,
  writers: createBuildWriters(
    { connectionString: url, logSettings: logSettingsOf(config) },
    { count: writers },
  ),
  onProgress: (done: bigint | number, total: bigint | number) => onProgress(Number(done), Number(total)),
});
