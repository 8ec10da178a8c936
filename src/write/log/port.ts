/**
 * Port of the event log. Adapters (Postgres, EventStoreDB) store and return events; `codec/` wraps them with
 * validation, upcasting and redaction. Everything stated here holds for any adapter and is verified by the contract
 * suite in `test/contracts/event-log.ts`.
 */

/** An event to append. */
export interface NewEvent {
  /**
   * UUIDv7, or UUIDv5 of the cause and the contents if a retry must be the same event. The caller must never use an ID in two
   * streams: Postgres rejects that, EventStoreDB checks only within a stream.
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
}

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
   * When the log recorded it, ISO 8601 UTC. Never decreases with the position; except that EventStoreDB uses the
   * leader's clock, which may be behind that of the leader before.
   */
  readonly recorded_at: string;
}

/** Identifies an event without its data, which may be confidential, since errors are logged with all they carry. */
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
  /** Appended, now or by an earlier attempt with the same IDs. `revision` and `position` are the last event's. */
  | { readonly status: 'appended'; readonly revision: bigint; readonly position: bigint }
  /**
   * Not appended: the stream is at `revision`; null if it does not exist. Also if it has an ID with other contents, which is
   * checked of appends at any revision, and in Postgres of all.
   */
  | { readonly status: 'conflict'; readonly revision: bigint | null };

/** Event filter; both conditions must match. */
export interface EventFilter {
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

/** A range of the log: its matching events, and where it ends. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here was read: resume after it. */
  readonly endPosition: bigint;
}

/** Decoding of a reader's events; adapters don't know these options. */
export interface DecodeOptions {
  /** IDs of events to exclude, before they are decoded. */
  readonly excludeIds?: ReadonlySet<string>;
  /** Returns events as stored, neither validated nor upcast. Redacted events stay hidden. */
  readonly raw?: boolean;
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
   * False if reading can start only at 0, at the position of an event, at the one just before it, or at the end of
   * a page; by default it can start anywhere.
   */
  readonly canSeekAnyPosition?: boolean;
  /**
   * False if an append at any revision reads its stream back, for an earlier one of the same events: to its beginning, where
   * their IDs do not say when they were drawn. By default the log finds IDs by an index.
   */
  readonly indexesIds?: boolean;
  /** Approximate positions per event, to estimate numbers of events; 1 if positions have no gaps. */
  readonly positionsPerEvent?: bigint;
  /**
   * Appends to one stream. A conflict is an outcome, not an error.
   * @throws {LogRequestRejectedError} if there are no events, they exceed the limit of an append, or an ID is in
   * use elsewhere.
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendOutcome>;
  /** Appends to many streams: each append is atomic, with one outcome each, in order. */
  appendMany(appends: readonly Append[]): Promise<readonly AppendOutcome[]>;
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[]>;
  /** Pages of the log after a position, in global order, up to the head at the time of the call. */
  readAll(after: bigint, options?: ReadAllOptions): AsyncIterable<EventPage>;
  /**
   * The same without an end: catches up, then waits for new events until the signal fires. While idle it yields an
   * empty page about once a second, so that the reader can do deferred work.
   */
  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<EventPage>;
  /** Position of the last event; 0 if there is none. */
  head(): Promise<bigint>;
  close(): Promise<void>;
}

/** The log permanently rejects a request: a fault of the caller. */
export class LogRequestRejectedError extends Error {
  override readonly name = 'LogRequestRejectedError';
}

/** The log is unavailable; the outcome of an append is unknown. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError';
}
