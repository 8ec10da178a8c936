import type { Queryable } from '../kernel/postgres/pool.ts';
import type { EventDataOf, EventType } from '../write/event-types.ts';
import type { RecordedEvent } from '../write/log/port.ts';

/** An event that is applied to a build. */
export interface AppliedEvent extends RecordedEvent {
  /** Where it takes effect, if not at its own position: where its stream was retried after it had been parked. */
  readonly appliedAt?: bigint;
}

/** An event as a handler gets it. */
export interface ProjectedEvent<Type extends EventType = EventType> extends AppliedEvent {
  readonly type: Type;
  readonly data: EventDataOf<Type>;
}

/** What a projection does with each type of event; its keys are its subscription. */
export type Handlers<State> = {
  readonly [Type in EventType]?: (state: State, event: ProjectedEvent<Type>) => void;
};

/** The rows of one build while it is written to. One writer has it, which may keep rows in memory between batches. */
export interface Fold {
  /** Brings the rows that the events may touch into memory. */
  load(db: Queryable, events: readonly AppliedEvent[]): Promise<void>;
  /** Folds one event into the rows in memory. */
  apply(event: AppliedEvent): void;
  /** Writes what changed, one statement a table. */
  store(db: Queryable): Promise<void>;
  /** Forgets what is in memory: another writer was here, or the batch failed. */
  reset(): void;
  /** For folds that can hold rows back while a build is made that nobody reads yet. */
  readonly building?: {
    /** Writes what only ever grows; it is taken at once, so that folding may go on while it is written. */
    flush(db: Queryable): Promise<void>;
    /** Whether so many rows wait that all is to be stored before more are loaded. */
    isFull(): boolean;
  };
}

/** A view of the log in tables of its own. */
export interface Projection {
  readonly name: string;
  /** Goes up when the tables or what the handlers do changes: the new version is built from the log. */
  readonly version: number;
  /** `stream` promises to rely on the order within a stream only. */
  readonly order: 'stream' | 'global';
  readonly types: readonly EventType[];
  /** Narrows the subscription where the types live in few streams. */
  readonly streamPrefixes?: readonly string[];
  /**
   * Streams that are parked where one of their events can't be applied, so that all others go on. An event of any other
   * stream stalls the projection: what decides who is let in must not go on without it. None where it is not given.
   */
  readonly parks?: readonly string[];
  /** The tables, with the keys that folding needs. */
  readonly tables: (schema: string) => string;
  /** What only readers need: made when a build has caught up, which is several times faster. */
  readonly indexes: (schema: string) => string;
  readonly open: (schema: string) => Fold;
}

/** Dispatches events to their handlers; the door has parsed them. */
export const dispatch =
  <State>(handlers: Handlers<State>) =>
  (state: State, event: RecordedEvent): void => {
    const handler = handlers[event.type as EventType] as
      | ((state: State, event: RecordedEvent) => void)
      | undefined;
    handler?.(state, event);
  };

export const typesOf = <State>(handlers: Handlers<State>): readonly EventType[] =>
  Object.keys(handlers) as EventType[];
