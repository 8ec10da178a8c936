/**
 * The event log as the program knows it. Adapters (Postgres, EventStoreDB) store and hand out; what stands in
 * front of them (`door.ts`) parses, upcasts and withholds. Everything here holds for any adapter; the contract
 * suite in `test/contracts/event-log.ts` proves it.
 */

/** An event that is to be written. */
export interface NewEvent {
  /**
   * UUIDv7, or UUIDv5 of the cause where a retry must be the same event. Whoever gives it sees to it that it has one
   * stream for ever: Postgres would refuse it in another, EventStoreDB does not look beyond the stream.
   */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: Metadata;
}

/** What is said about an event rather than by it. */
export interface Metadata {
  /** Version of the type's schema; set by the door. */
  readonly version?: number;
  /** The request that caused the event. */
  readonly request_id?: string;
}

/** An event as the log holds it. */
export interface RecordedEvent {
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, from 0 without gaps. */
  readonly revision: bigint;
  /** Place in the log: only increases; gaps are allowed; means nothing else. */
  readonly position: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Metadata;
  /**
   * When the log took it, ISO 8601 UTC. Never decreases with the position, but where it is a node's clock that says so:
   * after EventStoreDB chose another leader, by as much as its clock is behind.
   */
  readonly recorded_at: string;
}

/** Which event it is, without what it says: that may be nobody's business, and errors are logged with all they carry. */
export type EventName = Pick<RecordedEvent, 'id' | 'position' | 'stream' | 'revision' | 'type'>;

export const eventName = ({ id, position, stream, revision, type }: EventName): EventName => ({
  id,
  position,
  stream,
  revision,
  type,
});

/** What the writer knows of the stream: nothing, that it does not exist, or its last revision. */
export type ExpectedRevision = 'any' | 'no_stream' | bigint;

export interface Append {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
}

export type AppendOutcome =
  /** Taken, now or at an earlier try with the same ids. `revision` and `position` are the last event's. */
  | { readonly status: 'appended'; readonly revision: bigint; readonly position: bigint }
  /** Not taken: the stream stands at `revision`, null where there is none. */
  | { readonly status: 'conflict'; readonly revision: bigint | null };

/** Which events a reader wants. Both narrow: an event must be of one of the types and in one of the streams. */
export interface EventFilter {
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

/** A run of the log: the wanted events of it, and how far it goes, wanted or not. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  /** The reader has seen all up to here: go on after it. */
  readonly endPosition: bigint;
}

/** What the door does for a reader; adapters are not told of it. */
export interface DecodeOptions {
  /** Ids of events that this reader is to do without: they are dropped before they are looked at. */
  readonly excludeIds?: ReadonlySet<string>;
  /** Events as they stand in the log, neither parsed nor brought up to date. What is withheld stays withheld. */
  readonly raw?: boolean;
  /** Events that this reader does not look into: they come as they stand in the log. */
  readonly opaque?: (event: RecordedEvent) => boolean;
}

export interface ReadStreamOptions extends DecodeOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** First revision to read; from the stream's start, or its end when backwards. */
  readonly from?: bigint;
  readonly limit?: number;
}

export interface ReadAllOptions extends EventFilter, DecodeOptions {
  /** Read no further than this position, which is still read. */
  readonly to?: bigint;
  /** Most events in one page. */
  readonly pageSize?: number;
}

export interface SubscribeOptions extends EventFilter, DecodeOptions {
  readonly pageSize?: number;
  readonly signal: AbortSignal;
}

export interface EventLog {
  /**
   * False where reading can begin only at 0, at a position that an event has, at the one right before such, or where a
   * page went through to; otherwise it can at any number.
   */
  readonly canSeekAnyPosition?: boolean;
  /** About how many positions an event takes up, for people, who think in events; 1 where there are no gaps. */
  readonly positionsPerEvent?: bigint;
  /**
   * Appends to one stream. Never throws for a conflict, which is an outcome.
   * @throws {LogRequestRejectedError} where no events are given, they are more than the log takes at once, or an id is seen to stand
   * elsewhere already.
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendOutcome>;
  /** Many streams at once: each atomic, one outcome each, in order. */
  appendMany(appends: readonly Append[]): Promise<readonly AppendOutcome[]>;
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[]>;
  /** Pages of the log after a position, in global order, until the end as it was when asked for. */
  readAll(after: bigint, options?: ReadAllOptions): AsyncIterable<EventPage>;
  /**
   * The same without an end: catches up, then waits for what comes. Ends when the signal says so. While nothing
   * comes, an empty page does, about once a second, so that a reader can tend to what it put off.
   */
  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<EventPage>;
  /** Position of the last event; 0 where there is none. */
  head(): Promise<bigint>;
  close(): Promise<void>;
}

/** The log does not take what it was given, now or later: a fault of the caller. */
export class LogRequestRejectedError extends Error {
  override readonly name = 'LogRequestRejectedError';
}

/** The log can't be reached, and whether an append was taken is not known. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError';
}
