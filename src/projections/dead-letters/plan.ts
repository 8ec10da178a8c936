import type { EventLog, EventPage, RecordedEvent } from '../../write/log/port.ts';
import {
  type Control,
  type DeadLetterSequence,
  startsSequence,
} from '../../write/projection-control/control.ts';
import { projectionStream, STREAM_RETRIED } from '../../write/projection-control/events.ts';
import type { AppliedEvent, Projection } from '../projection.ts';
import type { ParkedChange, ParkedStream, ParkedStreams } from './parked-rows.ts';

/** What a batch means for a build: the events to apply, and the streams that are parked or unparked. */
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
  /** Whether the effects on a stream at a position are in the rows already. */
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
export const queueOf = async (
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
