/** Poison events: the error that names one, recorded stalls, and the backoff of stalled partitions. */

import type { Logger } from '../kernel/logger.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { raw, sql } from '../kernel/postgres/statement.ts';
import { backoffMs, RESTART_BACKOFF, steadyMs } from '../kernel/retry.ts';
import { EventDeserializationError } from '../write/log/codec.ts';
import { type EventName, eventName, LogUnavailableError } from '../write/log/port.ts';
import { CheckpointConflictError } from './checkpoints.ts';
import { type Projection, UNPARTITIONED } from './projection.ts';

type ProjectionKey = Pick<Projection, 'name' | 'version'>;

/** A projection stalled at a poison event. */
export interface Stall {
  readonly projection: string;
  readonly version: number;
  readonly partition: string;
  readonly position: bigint;
  readonly reason: string;
  readonly stalledAt: string;
}

/** Records a stall. Further attempts at the same event do not change it. */
export const recordStall = async (
  db: Queryable,
  { name, version }: ProjectionKey,
  event: Omit<EventName, 'revision'>,
  reason: string,
  partition = UNPARTITIONED,
): Promise<void> => {
  await db.query(sql`
    insert into projections.stalls as s (projection, version, partition, position, event_id, stream, type, reason)
    values (${name}, ${version}, ${partition}, ${String(event.position)}, ${event.id}, ${event.stream},
      ${event.type}, ${reason})
    on conflict (projection, version, partition) do update set
      position = excluded.position, event_id = excluded.event_id, stream = excluded.stream, type = excluded.type,
      reason = excluded.reason,
      stalled_at = case when s.event_id = excluded.event_id then s.stalled_at else excluded.stalled_at end`);
};

/**
 * Clears all stalls up to a position, those of partitions and of the unpartitioned build alike: a build may have changed from one
 * to the other.
 * @param endPosition every event up to here is applied, in all partitions.
 * @returns the partitions that resumed.
 */
export const clearStalls = async (
  db: Queryable,
  { name, version }: ProjectionKey,
  endPosition: bigint,
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ partition: string }>(sql`
    delete from projections.stalls where projection = ${name} and version = ${version}
      and position <= ${String(endPosition)} returning partition`);
  return rows.map(({ partition }) => partition);
};

/** Clears a partition's stall once it is past it. */
export const clearStall = async (
  db: Queryable,
  { name, version }: ProjectionKey,
  endPosition: bigint,
  partition: string,
): Promise<void> => {
  await db.query(sql`
    delete from projections.stalls where projection = ${name} and version = ${version} and partition = ${partition}
      and position <= ${String(endPosition)}`);
};

interface Row {
  readonly projection: string;
  readonly version: number;
  readonly partition: string;
  readonly position: string;
  readonly reason: string;
  readonly stalled_at: string;
}

const SELECT = 'select projection, version, partition, position, reason, stalled_at from projections.stalls';

const stallFrom = ({ partition, position, stalled_at, ...row }: Row): Stall => ({
  ...row,
  partition: partition,
  position: BigInt(position),
  stalledAt: stalled_at,
});

/** The stalled partitions of a projection. */
export const stalledPartitions = async (
  db: Queryable,
  { name, version }: ProjectionKey,
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ partition: string }>(
    sql`select partition from projections.stalls where projection = ${name} and version = ${version}`,
  );
  return rows.map(({ partition }) => partition);
};

export const listStalls = async (db: Queryable): Promise<readonly Stall[]> => {
  const { rows } = await db.query<Row>(sql`${raw(SELECT)} order by projection, version, position`);
  return rows.map(stallFrom);
};

/** A poison event: its handler throws, or the resulting rows violate a constraint. */
export class ApplyEventError extends Error {
  override readonly name = 'ApplyEventError';
  readonly projection: string;
  readonly event: EventName;
  constructor(projection: string, event: EventName, cause: unknown) {
    super(
      `${projection} can't apply event ${event.type} at position ${event.position} (stream ${event.stream}): ` +
        (cause instanceof Error ? cause.message : String(cause)),
      { cause },
    );
    this.projection = projection;
    this.event = eventName(event);
  }
}

/** The command that makes a projection skip an event. */
const skipCommand = (projection: string, position: bigint): string =>
  `sightline projections skip ${position} --projection ${projection} --reason "…"`;

/** SQLSTATE classes that are deterministic for the same rows: data, constraints, limits, raised errors. */
const OF_THE_DATA = /^(21|22|23|44|54|P0)/;
/** Checkpoint conflicts, errors that already name their event, and an unreadable log. */
const NOT_OF_THEM = [
  CheckpointConflictError,
  ApplyEventError,
  EventDeserializationError,
  LogUnavailableError,
] as const;
const SQL_STATE = /^[0-9A-Z]{5}$/;

/** Errors of connections, as opposed to errors that the server reported. */
const connectionErrors = new WeakSet<object>();

/** A connection that marks its own failures, to distinguish them from query errors. */
export const withConnectionErrors = (db: Queryable): Queryable => {
  const query = (...args: Parameters<Queryable['query']>) =>
    (db.query(...args) as unknown as Promise<unknown>).catch((error: { code?: unknown }) => {
      if (typeof error.code !== 'string' || !SQL_STATE.test(error.code)) connectionErrors.add(error);
      throw error;
    });
  return Object.create(db, { query: { value: query } }) as Queryable;
};

/**
 * Whether an event may have caused a failure. Server and connection failures never count: without an answer of the server nothing
 * is known about the events.
 */
export const isCausedByEvent = (error: unknown): boolean => {
  if (NOT_OF_THEM.some((kind) => error instanceof kind) || (error as Error).name === 'AbortError')
    return false;
  if (connectionErrors.has(error as object)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return true;
  return SQL_STATE.test(code) ? OF_THE_DATA.test(code) : code.startsWith('ERR_');
};

/** Log level of a failure. An unavailable event log is logged once per process, so here only at debug. */
export const levelOf = <Level extends string>(error: unknown, level: Level): Level | 'debug' =>
  error instanceof LogUnavailableError ? 'debug' : level;

/**
 * Logs the event at which a projection or one of its partitions is stalled, with the command that skips it, and
 * records the stall.
 */
export const reportStall = async (
  projection: Projection,
  error: EventDeserializationError | ApplyEventError,
  delay: number,
  { db, logger }: { readonly db: Queryable; readonly logger: Logger },
  partition?: string,
): Promise<void> => {
  const { position, stream, type } = error.event;
  const what = partition === undefined ? 'projection stalled' : `partition ${partition} stalled`;
  logger.error(
    { err: error, projection: projection.name, position: String(position), stream, type, delay },
    `${what}: cannot apply the event at position ${position}; retrying in ${delay / 1_000} s. ` +
      `To skip it: ${skipCommand(projection.name, position)}`,
  );
  await recordStall(db, projection, error.event, error.message, partition).catch((failure: Error) =>
    logger.warn({ err: failure.message }, 'stall could not be recorded'),
  );
};

/** Exponential backoff per partition. */
export interface PartitionBackoff {
  /** Starts the next, longer delay. @returns it, in milliseconds. */
  delay(partition: string): number;
  isDue(partition: string): boolean;
  has(partition: string): boolean;
  /** Milliseconds until the partition is due. */
  leftMs(partition: string): number;
  /** @returns whether the partition was backing off. */
  release(partition: string): boolean;
  /** Starts with partitions that are known to be stalled. They are due at once. */
  reset(partitions: Iterable<string>): void;
}

export const createPartitionBackoff = (): PartitionBackoff => {
  const delayed = new Map<string, { readonly tries: number; readonly untilMs: number }>();
  return {
    delay: (partition) => {
      const tries = delayed.get(partition)?.tries ?? 0;
      const delay = backoffMs(RESTART_BACKOFF, tries);
      delayed.set(partition, { tries: tries + 1, untilMs: steadyMs() + delay });
      return delay;
    },
    has: (partition) => delayed.has(partition),
    leftMs: (partition) => Math.max(0, (delayed.get(partition)?.untilMs ?? 0) - steadyMs()),
    isDue: (partition) => (delayed.get(partition)?.untilMs ?? 0) <= steadyMs(),
    release: (partition) => delayed.delete(partition),
    reset: (partitions) => {
      delayed.clear();
      for (const partition of partitions) delayed.set(partition, { tries: 0, untilMs: 0 });
    },
  };
};
