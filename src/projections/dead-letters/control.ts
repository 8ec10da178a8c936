import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { type ProjectionEvent, projectionStream } from '../../write/projection-skips/events.ts';
import type { Projection } from '../projection.ts';

/** Type of the event at whose position a parked stream is applied. */
export const RETRIED = 'ProjectionStreamRetried';

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

/** The state of a projection's own stream: skipped events and dead-letter sequences. */
export interface Control {
  /** IDs of skipped events. */
  readonly skipped: ReadonlySet<string>;
  /** Sequences of this version by stream, in order. */
  readonly sequences: ReadonlyMap<string, readonly DeadLetterSequence[]>;
  /** Revision of the stream at which this was read; -1 if the stream does not exist. */
  readonly revision: bigint;
}

type Versioned = Pick<Projection, 'name' | 'version'>;

export const emptyControl: Control = { skipped: new Set(), sequences: new Map(), revision: -1n };

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

/** Brings the state up to the end of the projection's stream, reading only new events. */
export const loadControl = async (
  log: EventLog,
  { name, version }: Versioned,
  known: Control = emptyControl,
): Promise<Control> => {
  const events = await log.readStream(projectionStream(name), { from: known.revision + 1n });
  const last = events.at(-1);
  if (last === undefined) return known;
  const skipped = new Set(known.skipped);
  const sequences = new Map(known.sequences);
  for (const recorded of events) {
    const event = recorded as unknown as ProjectionEvent & Pick<RecordedEvent, 'position'>;
    if (event.type === 'ProjectionEventSkipped') {
      skipped.add(event.data.event_id);
    } else if (event.data.version === version) {
      const before = sequences.get(event.data.stream) ?? [];
      if (event.type === 'ProjectionStreamParked') {
        sequences.set(event.data.stream, [...before, sequenceOf(event.data)]);
      } else {
        const until = event.position;
        sequences.set(
          event.data.stream,
          before.map((sequence) => (sequence.until === null ? { ...sequence, until } : sequence)),
        );
      }
    }
  }
  return { skipped, sequences, revision: last.revision };
};

/** Whether the projection's stream has events newer than the given state. */
export const hasMoreControl = async (
  log: EventLog,
  { name }: Pick<Projection, 'name'>,
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
