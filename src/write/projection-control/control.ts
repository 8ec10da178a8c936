import type { Decider } from '../log/command-handler.ts';
import type { EventLog, RecordedEvent } from '../log/port.ts';
import { type ProjectionEvent, projectionStream } from './events.ts';

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
export const controlDecider = (version: number): Decider<Control, ControlEvent> => ({
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
