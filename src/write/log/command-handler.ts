import { uuidV7 } from '../../kernel/ids.ts';
import type { AppendOutcome, EventLog, Metadata, NewEvent, RecordedEvent } from './port.ts';

/** An event before it has an id. */
interface Decided {
  readonly type: string;
  readonly data: unknown;
}

/** Everything a stream family brings to a decision. */
export interface Decider<State, Event extends Decided> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /** Newest events that a state is folded from; the whole stream where it is not given. */
  readonly window?: number;
  /** Whether a state lacks what older events may tell: they are read too then, a window at a time. */
  readonly lacks?: (state: State) => boolean;
  /** Most events that are read for a decision, however much the state lacks; no bound where it is not given. */
  readonly reach?: number;
}

export interface Decision<State, Event> {
  readonly state: State;
  /** What was written; empty where there was nothing to write. */
  readonly events: readonly Event[];
  readonly outcome: Extract<AppendOutcome, { status: 'appended' }> | null;
}

const MAX_TRIES = 20;

/** The newest events of a stream, as many as the decider needs, and the state that they make. */
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
    // An event of a type that a newer program wrote changes nothing that this one knows of.
    const state = history.reduce((before, event) => evolve(before, event) ?? before, initial);
    const oldest = newestFirst.at(-1);
    const whole = window === undefined || oldest === undefined || oldest.revision === 0n || oldest === last;
    if (whole || newestFirst.length >= reach || lacks?.(state) !== true) return { newestFirst, state };
  }
};

/**
 * Folds a stream, decides, appends what was decided at the revision that was read, and starts over where another
 * writer came first. Ids are drawn once a decision, so an append in doubt that is sent again is the same events.
 * @throws whatever `decide` throws for a command that is refused: nothing is written then.
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
    `${stream} is written to by so many that no decision could be placed in ${MAX_TRIES} tries`,
  );
};
