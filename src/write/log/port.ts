/**
 * Port of the event log. Adapters (Postgres, EventStoreDB) store and return events; `codec.ts` wraps them with validation,
 * upcasting and the fence of what was erased. Everything stated here holds for any adapter and is verified by the contract suite in
 * `test/contracts/event-log.ts`.
 */

/** An event to append. */
export interface NewEvent {
  /**
   * UUIDv7, or UUIDv5 of the cause and the contents if a retry must be the same event. An ID must never be used in two streams:
   * Postgres rejects that, EventStoreDB checks only within a stream.
   */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: Metadata;
}

/** Metadata of an event. */
export interface Metadata {
  /** Version of the type's schema; set on append. */
  readonly version?: number;
  /** The request that caused the event. */
  readonly request_id?: string;
  /** Who caused the event: `local:<user of the system>` for a command, `operator:<name>` for the console; absent for what the program does by itself. */
  readonly actor?: string;
  /** Why, in the words of the actor. */
  readonly reason?: string;
  /** The event was about an account that was erased: its data says when something was read, and nothing else. */
  readonly erased?: true;
  /** What the event said of its account is not kept any longer, but for its ID, its handle and when it was read. */
  readonly emptied?: true;
}

/** Who causes events, and why. */
export type Author = Pick<Metadata, 'actor' | 'reason'>;

/** An event as recorded in the log. */
export interface RecordedEvent {
  readonly id: string;
  readonly stream: string;
  /** Position in its stream, from 0 without gaps. */
  readonly revision: bigint;
  /** Position in the log: strictly increasing, with gaps; opaque otherwise. */
  readonly position: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Metadata;
  /**
   * When the log recorded the event, ISO 8601 UTC. It never decreases with the position, with one exception: EventStoreDB uses the
   * leader's clock, which may be behind that of the previous leader.
   */
  readonly recorded_at: string;
}

/** Identifies an event without its data. The data may be confidential, and errors are logged with everything they carry. */
export type EventName = Pick<RecordedEvent, 'id' | 'position' | 'stream' | 'revision' | 'type'>;

export const eventName = ({ id, position, stream, revision, type }: EventName): EventName => ({
  id,
  position,
  stream,
  revision,
  type,
});

/** The writer's expectation of the stream: any state, that it does not exist, or its last revision. */
export type ExpectedRevision = 'any' | 'no_stream' | bigint;

export interface Append {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
}

export type AppendOutcome =
  /**
   * The events were appended, now or by an earlier attempt with the same IDs. `revision` and `position` are those of the last
   * event.
   */
  | { readonly status: 'appended'; readonly revision: bigint; readonly position: bigint }
  /**
   * Nothing was appended: the stream is at `revision`, or does not exist if that is null. It is also a conflict if the stream has
   * an ID with other contents. Postgres checks that for all appends, EventStoreDB for appends at any revision.
   */
  | { readonly status: 'conflict'; readonly revision: bigint | null };

/** Event filter; both conditions must match. */
export interface EventFilter {
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

/** Events of a range of the log that match, and the end of the range. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here was read. Resume after it. */
  readonly endPosition: bigint;
}

/** Options for decoding a reader's events. Adapters don't know them. */
export interface DecodeOptions {
  /** IDs of events to exclude before they are decoded. */
  readonly excludeIds?: ReadonlySet<string>;
  /** Returns events as stored, neither validated nor upcast. What was erased stays hidden. */
  readonly raw?: boolean;
  /** Returns what is suppressed as well: it is hidden, and kept. */
  readonly suppressed?: boolean;
  /** Events to return as stored, without decoding. */
  readonly opaque?: (event: RecordedEvent) => boolean;
}

export interface ReadStreamOptions extends DecodeOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** First revision to read; by default the stream's start, or its end if backwards. */
  readonly from?: bigint;
  readonly limit?: number;
}

export interface ReadAllOptions extends EventFilter, DecodeOptions {
  /** Last position to read, inclusive. */
  readonly to?: bigint;
  /** Maximum events of a page. */
  readonly pageSize?: number;
}

export interface SubscribeOptions extends EventFilter, DecodeOptions {
  readonly pageSize?: number;
  readonly signal: AbortSignal;
}

export interface EventLog {
  /**
   * Whether reading can start at any position; true by default. If false, it can start only at 0, at the position of an event, just
   * before one, or at the end of a page.
   */
  readonly canSeekAnyPosition?: boolean;
  /**
   * Whether the log finds event IDs by an index; true by default. If false, an append at any revision reads its stream back for an
   * earlier append of the same events, to its beginning if their IDs don't tell when they were drawn.
   */
  readonly indexesIds?: boolean;
  /** Approximate number of positions per event, to estimate numbers of events; 1 if positions have no gaps. */
  readonly positionsPerEvent?: bigint;
  /**
   * Appends to one stream. A conflict is an outcome and not an error.
   * @throws {LogRequestRejectedError} if there are no events, if they exceed the limit of an append, or if an ID is in use
   *   elsewhere.
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendOutcome>;
  /** Appends to many streams. Each append is atomic and has its own outcome, in the order of the appends. */
  appendMany(appends: readonly Append[]): Promise<readonly AppendOutcome[]>;
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[]>;
  /** Pages of the log after a position, in global order, up to the head at the time of the call. */
  readAll(after: bigint, options?: ReadAllOptions): AsyncIterable<EventPage>;
  /**
   * The same without an end: it catches up, then waits for new events until the signal fires. While idle it yields an empty page
   * about once a second, so that the reader can do deferred work.
   */
  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<EventPage>;
  /** Position of the last event; 0 if there is none. */
  head(): Promise<bigint>;
  close(): Promise<void>;
}

/** The log permanently rejects a request, which is the caller's fault. */
export class LogRequestRejectedError extends Error {
  override readonly name = 'LogRequestRejectedError';
}

/** The log is unavailable. The outcome of an append is unknown. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError';
}
