import { isoOf } from '../../kernel/clock.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import { handleCommand } from '../log/command-handler.ts';
import type { EventLog, RecordedEvent } from '../log/port.ts';
import {
  activeSequence,
  type Control,
  controlDecider,
  type DeadLetterSequence,
  loadControl,
  type VersionedProjection,
} from './control.ts';
import { type ProjectionEvent, projectionStream } from './events.ts';

/** What a command decides on: the projection's stream, and its state as far as it is known. */
export interface ControlContext {
  readonly log: EventLog;
  readonly projection: VersionedProjection;
  /** By default nothing is known. */
  readonly known?: Control;
  readonly nowMs: number;
}

const change = async (
  { log, projection, known, nowMs }: ControlContext,
  decide: (control: Control) => readonly ProjectionEvent[],
  idOf?: () => string,
): Promise<{ readonly control: Control; readonly isChanged: boolean }> => {
  const control = await loadControl(log, projection, known);
  const { outcome } = await handleCommand(
    log,
    controlDecider(projection.version),
    projectionStream(projection.name),
    decide,
    {
      nowMs,
      snapshot: control.revision === -1n ? null : { state: control, revision: control.revision },
      ...(idOf === undefined ? {} : { idOf }),
    },
  );
  return { control: await loadControl(log, projection, control), isChanged: outcome !== null };
};

/** The cause of a dead-letter sequence: the event, the error and the release that could not apply it. */
export type ParkingCause = Pick<
  DeadLetterSequence,
  'stream' | 'eventId' | 'revision' | 'position' | 'type' | 'reason' | 'release'
>;

/** Parks a stream from an event on, unless it is parked already, for whichever event. @returns the new state. */
export const parkStream = async (context: ControlContext, cause: ParkingCause): Promise<Control> => {
  const { stream, type, reason, release } = cause;
  const data = {
    at: isoOf(context.nowMs),
    event_id: cause.eventId,
    position: String(cause.position),
    stream,
    type,
    version: context.projection.version,
    revision: String(cause.revision),
    reason,
    release,
  };
  const { control } = await change(context, (now) =>
    activeSequence(now, stream) === null ? [{ type: 'ProjectionStreamParked', data }] : [],
  );
  return control;
};

/**
 * Ends a stream's sequence at the head of the log: its queued events are applied there.
 * @returns the new state; unchanged if the active sequence is another one.
 */
export const retryStream = async (
  context: ControlContext,
  { stream, eventId }: Pick<DeadLetterSequence, 'stream' | 'eventId'>,
  reason: string,
): Promise<Control> => {
  const { version } = context.projection;
  const data = { at: isoOf(context.nowMs), version, stream, event_id: eventId, reason };
  const { control } = await change(context, (now) =>
    activeSequence(now, stream)?.eventId === eventId ? [{ type: 'ProjectionStreamRetried', data }] : [],
  );
  return control;
};

/**
 * Makes a projection skip an event from now on, in the active build, rebuilds and copies. A second skip, for whatever
 * reason, changes nothing.
 * @returns whether the skip is new.
 */
export const skipEvent = async (
  log: EventLog,
  projection: VersionedProjection,
  { id, position, stream, type }: RecordedEvent,
  why: string,
  nowMs: number,
): Promise<boolean> => {
  const data = { at: isoOf(nowMs), event_id: id, position: String(position), stream, type, why };
  const { isChanged } = await change(
    { log, projection, nowMs },
    (now) => (now.skipped.has(id) ? [] : [{ type: 'ProjectionEventSkipped', data }]),
    () => uuidV5(`skip ${projection.name} ${id}`),
  );
  return isChanged;
};
