/** Control streams: skipped events and dead-letter sequences of a projection, and the source of all; events, state, commands. */

import { z } from 'zod';
import { isoOf } from '../kernel/clock.ts';
import { uuidV5 } from '../kernel/ids.ts';
import { type Decider, handleCommand } from './log/command-handler.ts';
import { type EventOf, event, instant, streamName, text } from './log/event-definition.ts';
import type { EventLog, RecordedEvent } from './log/port.ts';

export const projectionStream = (projection: string): string => `projection-${projection}`;

const number = z.string().regex(/^\d{1,20}$/);

/** An event that a projection can't apply. Identified by ID: positions change if a log is restored elsewhere. */
const subject = {
  at: instant,
  event_id: z.uuid(),
  position: number,
  stream: streamName(512),
  type: text(100),
};

export const projectionEvents = {
  /** A projection skips an event. */
  ProjectionEventSkipped: event({ ...subject, why: text(2_000) }),
  /**
   * From this event on, a version of a projection puts a stream's events into the dead-letter queue until the
   * stream is retried.
   */
  ProjectionStreamParked: event({
    ...subject,
    version: z.int().positive(),
    /** Revision of the event in its stream. */
    revision: number,
    /** The error of applying it. */
    reason: text(2_000),
    /** Digest of the release that could not apply it; another one may. */
    release: z.string().regex(/^[0-9a-f]{16}$/),
  }),
  /** At this event's position a version of a projection applies the queued events of a stream. */
  ProjectionStreamRetried: event({
    at: instant,
    version: z.int().positive(),
    stream: streamName(512),
    /** The event that it was parked for. */
    event_id: z.uuid(),
    reason: text(2_000),
  }),
  /** Where projections that Kafka can feed get their events from. */
  ProjectionSourceChosen: event({ at: instant, source: z.enum(['kafka', 'log']), reason: text(2_000) }),
};

/** Type of the event at whose position a parked stream is applied. */
export const STREAM_RETRIED: keyof typeof projectionEvents = 'ProjectionStreamRetried';

export type ProjectionEvent = EventOf<typeof projectionEvents>;

/** A dead-letter sequence: a version of a projection queues a stream from one event on until it is retried. */
export interface DeadLetterSequence {
  readonly stream: string;
  /** The event that could not be applied. */
  readonly eventId: string;
  readonly revision: bigint;
  readonly position: bigint;
  readonly type: string;
  readonly reason: string;
  /** The release that could not apply it. */
  readonly release: string;
  readonly parkedAt: string;
  /** Position of the event that ended it; null while it is active. */
  readonly until: bigint | null;
}

/** The state of a projection's own stream for one version: skipped events and dead-letter sequences. */
export interface Control {
  /** IDs of skipped events. */
  readonly skipped: ReadonlySet<string>;
  /** Sequences of this version by stream, in order. */
  readonly sequences: ReadonlyMap<string, readonly DeadLetterSequence[]>;
  /** Revision of the stream at which this was read; -1 if the stream does not exist. */
  readonly revision: bigint;
}

/** A version of a projection. */
export interface VersionedProjection {
  readonly name: string;
  readonly version: number;
}

export const emptyControl: Control = { skipped: new Set(), sequences: new Map(), revision: -1n };

/** An event of the stream; one that is only decided has no position yet. */
type ControlEvent = ProjectionEvent & Partial<Pick<RecordedEvent, 'position' | 'revision'>>;

const sequenceOf = (
  data: Extract<ProjectionEvent, { type: 'ProjectionStreamParked' }>['data'],
): DeadLetterSequence => ({
  stream: data.stream,
  eventId: data.event_id,
  revision: BigInt(data.revision),
  position: BigInt(data.position),
  type: data.type,
  reason: data.reason,
  release: data.release,
  parkedAt: data.at,
  until: null,
});

const withSequences = (
  { sequences }: Control,
  stream: string,
  change: (before: readonly DeadLetterSequence[]) => readonly DeadLetterSequence[],
): Control['sequences'] => new Map(sequences).set(stream, change(sequences.get(stream) ?? []));

/** Folds the stream of a projection for one of its versions. */
const controlDecider = (version: number): Decider<Control, ControlEvent> => ({
  initial: emptyControl,
  evolve: (control, event) => {
    const { position = 0n, revision = control.revision } = event;
    switch (event.type) {
      case 'ProjectionEventSkipped':
        return { ...control, revision, skipped: new Set(control.skipped).add(event.data.event_id) };
      case 'ProjectionStreamParked': {
        if (event.data.version !== version) return { ...control, revision };
        const parked = sequenceOf(event.data);
        const sequences = withSequences(control, parked.stream, (before) => [...before, parked]);
        return { ...control, revision, sequences };
      }
      case 'ProjectionStreamRetried': {
        if (event.data.version !== version) return { ...control, revision };
        const sequences = withSequences(control, event.data.stream, (before) =>
          before.map((sequence) => (sequence.until === null ? { ...sequence, until: position } : sequence)),
        );
        return { ...control, revision, sequences };
      }
      // Of the stream of the source.
      case 'ProjectionSourceChosen':
        return control;
    }
  },
});

/** Brings the state up to the end of the projection's stream, reading only new events. */
export const loadControl = async (
  log: EventLog,
  { name, version }: VersionedProjection,
  known: Control = emptyControl,
): Promise<Control> => {
  const events = await log.readStream(projectionStream(name), { from: known.revision + 1n });
  const { evolve } = controlDecider(version);
  return (events as unknown as readonly ControlEvent[]).reduce(evolve, known);
};

/** Whether the projection's stream has events newer than the given state. */
export const hasMoreControl = async (
  log: EventLog,
  { name }: Pick<VersionedProjection, 'name'>,
  known: Control,
): Promise<boolean> => {
  const [last] = await log.readStream(projectionStream(name), { direction: 'backwards', limit: 1 });
  return (last?.revision ?? -1n) !== known.revision;
};

/** The active sequence of a stream; null if it was never parked or has been retried since. */
export const activeSequence = (control: Control, stream: string): DeadLetterSequence | null => {
  const last = control.sequences.get(stream)?.at(-1);
  return last === undefined || last.until !== null ? null : last;
};

/** Active sequences in the order in which their streams were parked. */
export const activeSequences = (control: Control): readonly DeadLetterSequence[] =>
  [...control.sequences.keys()].flatMap((stream) => activeSequence(control, stream) ?? []);

/** Whether a sequence starts at an event, active or ended. */
export const startsSequence = (
  control: Control,
  { stream, id }: Pick<RecordedEvent, 'stream' | 'id'>,
): boolean => control.sequences.get(stream)?.some((sequence) => sequence.eventId === id) === true;

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

/** Where projections that Kafka can feed get their events from. Until an operator chooses, it is Kafka wherever it is configured. */
export type Source = Extract<ProjectionEvent, { type: 'ProjectionSourceChosen' }>['data']['source'];

const SOURCE_STREAM = projectionStream('source');

const sourceDecider: Decider<Source, ProjectionEvent> = {
  initial: 'kafka',
  evolve: (source, event) => (event.type === 'ProjectionSourceChosen' ? event.data.source : source),
  window: 1,
};

export const readSource = async (log: EventLog): Promise<Source> => {
  const [last] = await log.readStream(SOURCE_STREAM, { direction: 'backwards', limit: 1 });
  return last === undefined
    ? sourceDecider.initial
    : sourceDecider.evolve(sourceDecider.initial, last as unknown as ProjectionEvent);
};

/** Chooses the source for all processes, which follow within seconds. @returns whether it is another one. */
export const chooseSource = async (
  log: EventLog,
  source: Source,
  reason: string,
  nowMs: number,
): Promise<boolean> => {
  const data = { at: isoOf(nowMs), source, reason };
  const decide = (now: Source): readonly ProjectionEvent[] =>
    now === source ? [] : [{ type: 'ProjectionSourceChosen', data }];
  const { outcome } = await handleCommand(log, sourceDecider, SOURCE_STREAM, decide, { nowMs });
  return outcome !== null;
};
