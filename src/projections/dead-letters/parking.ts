/**
 * Parked streams: who parks them, what a build knows of them, and how a page is planned around them.
 * Decision: `docs/adr/0004-dead-letter-queue.md`.
 */

import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { releaseId } from '../../kernel/release.ts';
import { storable, truncated } from '../../kernel/text.ts';
import type { EventDeserializationError } from '../../write/log/codec.ts';
import type { EventLog, EventPage, RecordedEvent } from '../../write/log/port.ts';
import {
  activeSequence,
  activeSequences,
  type Control,
  type DeadLetterSequence,
  hasMoreControl,
  loadControl,
  parkStream,
  projectionStream,
  retryStream,
  STREAM_RETRIED,
  startsSequence,
} from '../../write/projection-control.ts';
import type { AppliedEvent, Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls.ts';

/** Maximum number of parked streams per projection. If this many fail, the events are not the cause. */
const MAX_PARKED = 10_000;

/** Reads and extends a projection's control stream. */
export interface Parking {
  control(): Control;
  /** Brings the state up to the end of the projection's stream. */
  reload(): Promise<Control>;
  /** Whether the projection's stream has newer events. */
  isOutdated(): Promise<boolean>;
  /**
   * Parks the stream of a poison event.
   * @returns whether it is parked from that event on; false if the projection has to stall.
   */
  park(error: ApplyEventError | EventDeserializationError): Promise<boolean>;
  /** Retries streams that another release parked and this one has not tried yet. */
  retryAfterUpgrade(): Promise<void>;
}

export interface ParkingOptions {
  readonly log: EventLog;
  readonly logger: Logger;
  /** The running release. */
  readonly release?: () => Promise<string>;
  readonly clock?: Clock;
}

export const openParking = async (
  projection: Projection,
  { log, logger, release = releaseId, clock = systemClock }: ParkingOptions,
): Promise<Parking> => {
  let control = await loadControl(log, projection);
  const reload = async () => {
    control = await loadControl(log, projection, control);
    return control;
  };

  const context = () => ({ log, projection, known: control, nowMs: clock.now() });

  const mayPark = (stream: string): boolean =>
    projection.parks?.some((prefix) => stream.startsWith(prefix)) === true &&
    (activeSequence(control, stream) !== null || activeSequences(control).length < MAX_PARKED);

  return {
    control: () => control,
    reload,
    isOutdated: () => hasMoreControl(log, projection, control),
    park: async (error) => {
      const { id, position, revision, stream, type } = error.event;
      if (!mayPark(stream)) return false;
      control = await parkStream(context(), {
        stream,
        eventId: id,
        revision,
        position,
        type,
        reason: truncated(storable(error.message), 2_000),
        release: await release(),
      });
      const isParked = activeSequence(control, stream)?.eventId === id;
      if (isParked) {
        logger.error(
          { err: error, projection: projection.name, position: String(position), stream, type },
          `stream parked: ${projection.name} queues its events as dead letters and continues with the ` +
            `other streams; see: sightline projections parked show ${stream}`,
        );
      }
      return isParked;
    },
    retryAfterUpgrade: async () => {
      const sequences = activeSequences(control);
      if (sequences.length === 0) return;
      const own = await release();
      for (const sequence of sequences) {
        const tried = control.sequences
          .get(sequence.stream)
          ?.some(({ eventId, release: by }) => eventId === sequence.eventId && by === own);
        if (tried === true) continue;
        logger.info(
          { projection: projection.name, stream: sequence.stream },
          'retrying a stream that another release parked',
        );
        const reason = 'another release parked the stream';
        control = await retryStream(context(), sequence, reason);
      }
    },
  };
};

/** A stream whose events from a revision on are not in a build. */
export interface ParkedStream {
  readonly stream: string;
  readonly eventId: string;
  readonly revision: bigint;
  readonly position: bigint;
}

/** The parked streams of a build, by name. */
export type ParkedStreams = ReadonlyMap<string, ParkedStream>;

/** A stream that is parked at a position of the log, or unparked if `row` is null. */
export interface ParkedChange {
  readonly at: bigint;
  readonly stream: string;
  readonly row: ParkedStream | null;
}

interface Row {
  readonly stream: string;
  readonly event_id: string;
  readonly revision: string;
  readonly position: string;
}

const streamOf = (row: Row): ParkedStream => ({
  stream: row.stream,
  eventId: row.event_id,
  revision: BigInt(row.revision),
  position: BigInt(row.position),
});

export const parkedStreams = async (db: Queryable, schema: string): Promise<ParkedStreams> => {
  const { rows } = await db.query<Row>(sql`
    select stream, event_id, revision, position from projections.parked where schema_name = ${schema}
      order by position`);
  return new Map(rows.map((row) => [row.stream, streamOf(row)]));
};

/** Writes changes in order. Call it in the transaction that writes the rows concerned. */
export const storeParked = async (
  db: Queryable,
  schema: string,
  changes: readonly ParkedChange[],
): Promise<void> => {
  const last = new Map(changes.map((change) => [change.stream, change.row]));
  if (last.size === 0) return;
  await db.query(
    sql`delete from projections.parked where schema_name = ${schema} and stream = any(${[...last.keys()]})`,
  );
  const rows = [...last.values()].filter((row) => row !== null);
  if (rows.length === 0) return;
  await db.query(sql`
    insert into projections.parked (schema_name, stream, event_id, revision, position)
    select ${schema}, * from unnest(${rows.map(({ stream }) => stream)}::text[],
      ${rows.map(({ eventId }) => eventId)}::uuid[], ${rows.map(({ revision }) => String(revision))}::bigint[],
      ${rows.map(({ position }) => String(position))}::bigint[])`);
};

/** Number of parked streams of each active build, by projection and version. */
export const countParked = async (
  db: Queryable,
): Promise<
  readonly { readonly projection: string; readonly version: number; readonly streams: number }[]
> => {
  const { rows } = await db.query<{ projection: string; version: number; streams: number }>(sql`
    select b.projection, b.version, count(*)::int as streams
    from projections.parked p join projections.builds b using (schema_name)
    where b.status = 'active' group by 1, 2 order by 1, 2`);
  return rows;
};

/** The effect of a batch on a build: the events to apply, and the streams that are parked or unparked. */
export interface Plan {
  readonly events: readonly AppliedEvent[];
  readonly changes: readonly ParkedChange[];
}

export interface PlanContext {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly projection: Projection;
  readonly control: Control;
  /** The build's parked streams before the batch. */
  readonly parked: ParkedStreams;
  /** Whether the rows already contain the effects on a stream at a position. */
  readonly isDone?: (stream: string, position: bigint) => boolean;
  /** Whether a retry is applied later than at its position; by default never. */
  readonly isDeferred?: (stream: string, at: bigint) => boolean;
}

export const isRetry = ({ type }: RecordedEvent): boolean => type === STREAM_RETRIED;

const parkedAt = ({ stream, id, revision, position }: RecordedEvent): ParkedStream => ({
  stream,
  eventId: id,
  revision,
  position,
});

/** The sequence that a stream is in after a position. */
const sequenceAfter = (control: Control, stream: string, at: bigint): DeadLetterSequence | undefined =>
  control.sequences.get(stream)?.find((sequence) => sequence.until === null || sequence.until > at);

/** A retry of a stream: its position, and the end of the queued events. */
export interface Retry {
  readonly at: bigint;
  /** Events at or after this position are not in the queue. */
  readonly before: bigint;
  /** The position at which they take effect. */
  readonly appliedAt: bigint;
}

/**
 * The queued events of a retried stream, in order, up to one that failed again.
 * @returns also the remainder that stays parked.
 * @throws {EventDeserializationError}
 */
const queueOf = async (
  { log, projection, control }: PlanContext,
  { stream, revision }: ParkedStream,
  { at, before, appliedAt }: Retry,
): Promise<{ readonly events: readonly AppliedEvent[]; readonly rest: ParkedStream | null }> => {
  const next = sequenceAfter(control, stream, at);
  const isOut = (event: RecordedEvent) =>
    event.position >= before || (next !== undefined && event.revision >= next.revision);
  const found = await log.readStream(stream, { from: revision, excludeIds: control.skipped, opaque: isOut });
  const failed = found.find((event) => event.id === next?.eventId && event.position < before);
  const isIn = (event: RecordedEvent) =>
    failed === undefined ? event.position < before : event.revision < failed.revision;
  const types: readonly string[] = projection.types;
  return {
    events: found
      .filter((event) => isIn(event) && types.includes(event.type))
      .map((event) => ({ ...event, appliedAt })),
    rest: failed === undefined ? null : parkedAt(failed),
  };
};

/**
 * Plans a page of the log. Events of parked streams are left out; at a retry the stream's queued events are
 * inserted in order, taking effect at the retry's position.
 * @throws {EventDeserializationError} if a retried event does not match its schema.
 */
export const planPage = async (page: Pick<EventPage, 'events'>, context: PlanContext): Promise<Plan> => {
  const { control, projection } = context;
  const own = projectionStream(projection.name);
  const isDone = context.isDone ?? (() => false);
  if (!page.events.some(isRetry) && control.sequences.size === 0 && context.parked.size === 0) {
    return { events: page.events, changes: [] };
  }
  const parked = new Map(context.parked);
  const events: AppliedEvent[] = [];
  const changes: ParkedChange[] = [];
  const change = (at: bigint, stream: string, row: ParkedStream | null) => {
    if (row === null) parked.delete(stream);
    else parked.set(stream, row);
    changes.push({ at, stream, row });
  };
  const retry = async (event: RecordedEvent) => {
    const { stream, version } = event.data as { stream: string; version: number };
    const row = parked.get(stream);
    if (event.stream !== own || version !== projection.version || row === undefined) return;
    const at = event.position;
    if (context.isDeferred?.(stream, at) === true || isDone(stream, at)) return;
    const queue = await queueOf(context, row, { at, before: at, appliedAt: at });
    for (const one of queue.events) events.push(one);
    change(at, stream, queue.rest);
  };
  for (const event of page.events) {
    if (isRetry(event)) await retry(event);
    else if (parked.has(event.stream) || isDone(event.stream, event.position)) continue;
    else if (startsSequence(control, event)) change(event.position, event.stream, parkedAt(event));
    else events.push(event);
  }
  return { events, changes };
};

/** Position of the retry that ended a stream's sequence; null while it is active. */
export const retriedAt = (control: Control, { stream, eventId }: ParkedStream): bigint | null =>
  control.sequences.get(stream)?.findLast((sequence) => sequence.eventId === eventId)?.until ?? null;

/** A parked stream's events that are applied at the partition's checkpoint, which is past their retry. */
export interface LateRetry {
  readonly position: bigint;
  readonly stream: string;
  readonly events: readonly AppliedEvent[];
  readonly changes: readonly ParkedChange[];
}

/**
 * Streams that were retried at a position that their partition has passed: retries are not published to Kafka. Rows
 * of such projections depend only on the order within a stream, so applying them late gives the same result.
 * @param reached checkpoint of a stream's partition; null if the partition is assigned elsewhere.
 * @throws {EventDeserializationError}
 */
export const lateRetries = async (
  context: Omit<PlanContext, 'parked' | 'isDone' | 'isDeferred'>,
  parked: ParkedStreams,
  reached: (stream: string) => bigint | null,
): Promise<readonly LateRetry[]> => {
  const found: LateRetry[] = [];
  for (const row of parked.values()) {
    const at = retriedAt(context.control, row);
    const position = reached(row.stream);
    if (at === null || position === null || position < at) continue;
    const { events, rest } = await queueOf({ ...context, parked }, row, {
      at,
      before: position + 1n,
      appliedAt: position,
    });
    found.push({
      position,
      stream: row.stream,
      events,
      changes: [{ at: position, stream: row.stream, row: rest }],
    });
  }
  return found;
};
