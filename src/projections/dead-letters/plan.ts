import type { EventLog, EventPage, RecordedEvent } from '../../write/log/port.ts';
import { projectionStream } from '../../write/projection-skips/events.ts';
import type { AppliedEvent, Projection } from '../projection.ts';
import { type Control, type DeadLetterSequence, RETRIED, startsSequence } from './control.ts';
import type { ParkedChange, ParkedStream, ParkedStreams } from './parked-rows.ts';

/** What a run of the log comes to for a build: the events to apply, and the streams that become parked or unparked. */
export interface Plan {
  readonly events: readonly AppliedEvent[];
  readonly changes: readonly ParkedChange[];
}

export interface PlanContext {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly projection: Projection;
  readonly control: Control;
  /** The streams that the build lacks events of before the run. */
  readonly parked: ParkedStreams;
  /** Whether what happens to a stream at a position is in the rows already. */
  readonly isDone?: (stream: string, position: bigint) => boolean;
  /** Whether a retry is not to be applied at its position; never where it is not given. */
  readonly isPutOff?: (stream: string, at: bigint) => boolean;
}

export const isRetry = ({ type }: RecordedEvent): boolean => type === RETRIED;

const parkedAt = ({ stream, id, revision, position }: RecordedEvent): ParkedStream => ({
  stream,
  eventId: id,
  revision,
  position,
});

/** The hold that a stream is under from a position on. */
const sequenceAfter = (control: Control, stream: string, at: bigint): DeadLetterSequence | undefined =>
  control.sequences.get(stream)?.find((sequence) => sequence.until === null || sequence.until > at);

/** When a stream is retried: the retry's position, and up to where its events are in the queue. */
export interface Retry {
  readonly at: bigint;
  /** Events at or after this position are not in the queue. */
  readonly before: bigint;
  /** The position that they take effect at. */
  readonly appliedAt: bigint;
}

/**
 * What was parked of a stream when it is retried, in the stream's order, up to an event that failed again then.
 * @returns also what stays parked.
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
 * Plans a page of the log. The events of parked streams are left out; where a stream is retried, what was parked of it
 * comes in, in the stream's order, with the retry's position as the one that it takes effect at.
 * @throws {EventDeserializationError} where a parked event that is retried does not fit its schema.
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
    if (context.isPutOff?.(stream, at) === true || isDone(stream, at)) return;
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
