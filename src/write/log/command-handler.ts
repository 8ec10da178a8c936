import { uuidV7 } from '../../kernel/ids.ts';
import type { AppendOutcome, EventLog, Metadata, NewEvent, RecordedEvent } from './port.ts';

/** An event that has no ID yet. */
interface Decided {
  readonly type: string;
  readonly data: unknown;
}

/** How a stream category makes decisions. */
export interface Decider<State, Event extends Decided> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /** Number of newest events that the state is folded from; the whole stream by default. */
  readonly window?: number;
  /** Whether the state needs older events, which are then read one window at a time. */
  readonly lacks?: (state: State) => boolean;
  /** Maximum number of events read for a decision, even if the state still lacks some; unlimited by default. */
  readonly reach?: number;
}

/** A state as of a revision of its stream. */
export interface Snapshot<State> {
  readonly state: State;
  /** Null if there is no stream. */
  readonly revision: bigint | null;
  /** Whether the state holds only if the stream ends at the revision. Otherwise the events after it are added. */
  readonly isAssumed?: boolean;
}

/** A state to decide on, and the revision at which to append. */
interface Base<State> {
  readonly state: State;
  /** Null if there is no stream. */
  readonly revision: bigint | null;
}

export interface Decision<State, Event> {
  readonly state: State;
  /** The appended events; empty if there was nothing to append. */
  readonly events: readonly Event[];
  readonly outcome: Extract<AppendOutcome, { status: 'appended' }> | null;
}

const MAX_TRIES = 20;

/** Folds events. Event types that only a newer program knows do not affect the state. */
const folded = <State, Event extends Decided>(
  { evolve }: Decider<State, Event>,
  state: State,
  events: readonly RecordedEvent[],
): State =>
  (events as unknown as readonly Event[]).reduce((before, event) => evolve(before, event) ?? before, state);

/** Reads as many of the newest events of a stream as the decider needs, and folds them. */
const baseOf = async <State, Event extends Decided>(
  log: EventLog,
  decider: Decider<State, Event>,
  stream: string,
): Promise<Base<State>> => {
  const { initial, window, lacks, reach = Number.POSITIVE_INFINITY } = decider;
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
    const state = folded(decider, initial, newestFirst.toReversed());
    const oldest = newestFirst.at(-1);
    const whole = window === undefined || oldest === undefined || oldest.revision === 0n || oldest === last;
    if (whole || newestFirst.length >= reach || lacks?.(state) !== true) {
      return { state, revision: newestFirst[0]?.revision ?? null };
    }
  }
};

/** Brings a snapshot up to date with the events after it, unless there are more of them than a window. */
const caughtUp = async <State, Event extends Decided>(
  log: EventLog,
  decider: Decider<State, Event>,
  stream: string,
  { state, revision }: Snapshot<State>,
): Promise<Base<State>> => {
  const { window = Number.POSITIVE_INFINITY } = decider;
  const limit = Number.isFinite(window) ? { limit: window + 1 } : {};
  const events = await log.readStream(stream, { from: (revision ?? -1n) + 1n, ...limit });
  if (events.length > window) return baseOf(log, decider, stream);
  return { state: folded(decider, state, events), revision: events.at(-1)?.revision ?? revision };
};

/**
 * Folds a stream, decides, and appends at the revision that was read. On a conflict it starts over. IDs are drawn once per
 * decision, so retrying an append whose outcome is unknown is idempotent.
 * @param context.snapshot a state to decide on in place of the stream. If the stream has gone on, the events after it are read.
 * @throws an error that `decide` throws to reject the command. Nothing is appended then.
 */
export const handleCommand = async <State, Event extends Decided>(
  log: EventLog,
  decider: Decider<State, Event>,
  stream: string,
  decide: (state: State) => readonly Event[],
  context: {
    readonly nowMs: number;
    readonly metadata?: Metadata;
    readonly idOf?: (event: Event) => string;
    readonly snapshot?: Snapshot<State> | null;
    /** How the events are appended; by default by `log.append`. */
    readonly append?: EventLog['append'];
  },
): Promise<Decision<State, Event>> => {
  let snapshot = context.snapshot ?? null;
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const isFirst = attempt === 0;
    const { state, revision }: Base<State> =
      snapshot === null
        ? await baseOf(log, decider, stream)
        : isFirst
          ? snapshot
          : await caughtUp(log, decider, stream, snapshot);
    const events = decide(state);
    if (events.length === 0) return { state, events, outcome: null };
    const batch: NewEvent[] = events.map((event) => ({
      id: context.idOf?.(event) ?? uuidV7(context.nowMs),
      type: event.type,
      data: event.data,
      ...(context.metadata === undefined ? {} : { metadata: context.metadata }),
    }));
    const expected = revision ?? 'no_stream';
    const outcome = await (context.append?.(stream, batch, expected) ?? log.append(stream, batch, expected));
    if (outcome.status === 'appended') {
      return { state: events.reduce(decider.evolve, state), events, outcome };
    }
    // A snapshot beyond the end of the stream belongs to a log that was replaced by an older one.
    const isOther = outcome.revision === null || outcome.revision <= (snapshot?.revision ?? -1n);
    if (isOther || snapshot?.isAssumed === true) snapshot = null;
  }
  throw new Error(
    `too many concurrent writers: every one of ${MAX_TRIES} attempts to append to ${stream} conflicted`,
  );
};
