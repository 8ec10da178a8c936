import type { EventDataOf, EventType } from '../../write/event-types.ts';
import type { RecordedEvent } from '../../write/log/port.ts';

/** An event of the log, by its type: `if (event.type === 'AccountSighted')` narrows `event.data`. */
export type LogEvent = {
  readonly [Type in EventType]: Omit<RecordedEvent, 'type' | 'data'> & {
    readonly type: Type;
    readonly data: EventDataOf<Type>;
  };
}[EventType];

/** What `sightline replay` folds the log with: the default export of an analyst's module. */
export interface Handler<State, Result = State> {
  readonly initial: State;
  /** The state after the event. It may be the same object, changed, but it must be returned. */
  apply(state: State, event: LogEvent): State | Promise<State>;
  /** The result to print; the last state by default. */
  result?(state: State): Result | Promise<Result>;
}

/** The short form, a function: its first state is undefined, so it is best given as a default. */
export type Reducer<State> = (state: State | undefined, event: LogEvent) => State | Promise<State>;
