import { uuidV7 } from '../../kernel/ids.ts';
import type { AppendOutcome, EventLog, Metadata, NewEvent, RecordedEvent } from './port.ts';

/** An event before it has an ID. */
interface Decided {
  readonly type: string;
  readonly data: unknown;
}

/** How a stream category makes decisions. */
export interface Decider<State, Event extends Decided> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /** Number of newest events that the state is folded from; by default the whole stream. */
  readonly window?: number;
  /** Whether the state needs older events: they are then read as well, a window at a time. */
  readonly lacks?: (state: State) => boolean;
  /** Maximum events read for a decision, whatever the state lacks; unlimited by default. */
  readonly reach?: number;
}

export interface Decision<State, Event> {
  readonly state: State;
  /** The events appended; empty if there was nothing to append. */
  readonly events: readonly Event[];
  readonly outcome: Extract<AppendOutcome, { status: 'appended' }> | null;
}

const MAX_TRIES = 20;

/** Reads the newest events of a stream, as many as the decider needs, and folds them. */
const historyOf = async <State, Event extends Decided>(
  log: EventLog,
  { initial, evolve, window, lacks, reach = Number.POSITIVE_INFINITY }: Decider<State, Event>,
  stream: string,
): Promise<{ readonly newestFirst: readonly RecordedEvent[]; readonly state: State }> => {
  const newestFirst: RecordedEvent[] = [];
  for (;;) {
    const last = newestFirst.at(-1);
    newestFirst.push(
      ...(await log.readStream(stream, {
        direction: 'backwards',
        ...(last === undefined ? {} : { from: last.revision - 1n }),
        ...(window === undefined ? {} : { limit: window }),
      })),
    );
    const history = newestFirst.toReversed() as unknown as readonly Event[];
    // Events of types that only a newer program knows do not affect this state.
    const state = history.reduce((before, event) => evolve(before, event) ?? before, initial);
    const oldest = newestFirst.at(-1);
    const whole = window === undefined || oldest === undefined || oldest.revision === 0n || oldest === last;
    if (whole || newestFirst.length >= reach || lacks?.(state) !== true) return { newestFirst, state };
  }
};

/**
 * Folds a stream, decides and appends at the revision that was read; on a conflict starts over. IDs are drawn once
 * per decision, so retrying an append whose outcome is unknown is idempotent.
 * @throws whatever `decide` throws to reject a command: nothing is appended then.
 */
export const handleCommand = async <State, Event extends Decided>(
  log: EventLog,
  decider: Decider<State, Event>,
  stream: string,
  decide: (state: State) => readonly Event[],
  context: { readonly nowMs: number; readonly metadata?: Metadata; readonly idOf?: (event: Event) => string },
): Promise<Decision<State, Event>> => {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const { newestFirst, state } = await historyOf(log, decider, stream);
    const events = decide(state);
    if (events.length === 0) return { state, events, outcome: null };
    const batch: NewEvent[] = events.map((event) => ({
      id: context.idOf?.(event) ?? uuidV7(context.nowMs),
      type: event.type,
      data: event.data,
      ...(context.metadata === undefined ? {} : { metadata: context.metadata }),
    }));
    const last = newestFirst[0];
    const outcome = await log.append(stream, batch, last === undefined ? 'no_stream' : last.revision);
    if (outcome.status === 'appended') {
      return { state: events.reduce(decider.evolve, state), events, outcome };
    }
  }
  throw new Error(
    `too many concurrent writers: every one of ${MAX_TRIES} attempts to append to ${stream} conflicted`,
  );
};
