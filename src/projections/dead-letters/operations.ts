import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import {
  activeSequence,
  activeSequences,
  type Control,
  type ControlContext,
  type DeadLetterSequence,
  loadControl,
  retryStream,
  skipEvent,
} from '../../write/projection-control.ts';
import type { Projection } from '../projection.ts';

/** A stream in a projection's dead-letter queue. */
export interface ParkedEntry extends DeadLetterSequence {
  readonly projection: string;
  readonly version: number;
}

/** The parked streams, by projection and in the order in which they were parked. */
export const listParked = async (
  log: EventLog,
  projections: readonly Projection[],
): Promise<readonly ParkedEntry[]> => {
  const found: ParkedEntry[] = [];
  for (const projection of projections) {
    const { name, version } = projection;
    const sequences = activeSequences(await loadControl(log, projection));
    found.push(...sequences.map((sequence) => ({ ...sequence, projection: name, version })));
  }
  return found;
};

/** Events of a stream that a projection has not applied, in order: its part of the dead-letter queue. */
export const waitingEvents = async (
  log: EventLog,
  { types }: Projection,
  { stream, revision }: Pick<DeadLetterSequence, 'stream' | 'revision'>,
): Promise<readonly RecordedEvent[]> => {
  const events = await log.readStream(stream, { from: revision, raw: true });
  return events.filter(({ type }) => (types as readonly string[]).includes(type));
};

const sequenceOf = async (log: EventLog, projection: Projection, stream: string) => {
  const control = await loadControl(log, projection);
  return { control, sequence: activeSequence(control, stream) };
};

const contextOf = (log: EventLog, projection: Projection, known: Control): ControlContext => ({
  log,
  projection,
  known,
  nowMs: systemClock.now(),
});

/** The projections that have a stream parked. */
const concerned = async (
  log: EventLog,
  projections: readonly Projection[],
  stream: string,
): Promise<readonly Projection[]> => {
  const found: Projection[] = [];
  for (const projection of projections) {
    if ((await sequenceOf(log, projection, stream)).sequence !== null) found.push(projection);
  }
  if (found.length === 0) {
    throw new OperatorError('stream_not_parked', `${stream} is not parked.`, { params: { stream } });
  }
  return found;
};

/**
 * Retries a parked stream: the projections apply its queued events now.
 * @returns the names of those projections; an event that fails again is parked again.
 * @throws {OperatorError} if no projection has parked it.
 */
export const retryParked = async (
  log: EventLog,
  projections: readonly Projection[],
  stream: string,
  reason: string,
): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const projection of await concerned(log, projections, stream)) {
    const { control, sequence } = await sequenceOf(log, projection, stream);
    if (sequence !== null) await retryStream(contextOf(log, projection, control), sequence, reason);
    names.push(projection.name);
  }
  return names;
};

/**
 * Makes a projection skip an event. If the event's stream is parked for it, the rest of the stream is applied now.
 * @returns whether the skip is new, and whether the stream was parked for the event.
 */
export const skipAndRetry = async (
  log: EventLog,
  projection: Projection,
  event: RecordedEvent,
  why: string,
): Promise<{ readonly isNew: boolean; readonly wasParked: boolean }> => {
  const { control, sequence } = await sequenceOf(log, projection, event.stream);
  const isNew = await skipEvent(log, projection, event, why, systemClock.now());
  if (sequence === null || sequence.eventId !== event.id) return { isNew, wasParked: false };
  await retryStream(contextOf(log, projection, control), sequence, `without the event: ${why}`);
  return { isNew, wasParked: true };
};

/**
 * Makes projections skip the event for which a stream is parked, and apply the rest of the stream.
 * @returns those projections, and the position of the event.
 * @throws {OperatorError} if no projection has parked it.
 */
export const skipParked = async (
  log: EventLog,
  projections: readonly Projection[],
  stream: string,
  why: string,
): Promise<readonly { readonly projection: string; readonly position: bigint }[]> => {
  const skipped: { projection: string; position: bigint }[] = [];
  for (const projection of await concerned(log, projections, stream)) {
    const { sequence } = await sequenceOf(log, projection, stream);
    if (sequence === null) continue;
    const [event] = await log.readStream(stream, { from: sequence.revision, limit: 1, raw: true });
    if (event === undefined)
      throw new OperatorError('event_unknown', `${stream} has no event at revision ${sequence.revision}.`);
    await skipAndRetry(log, projection, event, why);
    skipped.push({ projection: projection.name, position: event.position });
  }
  return skipped;
};
