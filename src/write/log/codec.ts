/** What lies between an adapter of the log and its callers: validation on append; upcasts and validation on read; and what was erased, on both. */

import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { isStreamName } from '../../kernel/text.ts';
import { type EventDefinition, type EventDefinitions, text } from './event-definition.ts';
import {
  type Append,
  type AppendOutcome,
  type DecodeOptions,
  type EventLog,
  type EventName,
  type EventPage,
  eventName,
  LogRequestRejectedError,
  type Metadata,
  type NewEvent,
  type RecordedEvent,
} from './port.ts';
import { prefetch } from './prefetch.ts';

/**
 * Upcasts an event's data from an older version to the current one, one step per version.
 * @throws {Error} if a step is missing.
 */
const upcast = (definition: EventDefinition, data: unknown, from: number): unknown => {
  let value = data;
  for (let version = from; version < definition.version; version++) {
    const step = definition.upcasts[version];
    if (step === undefined) throw new Error(`no upcast from version ${version}`);
    value = step(value);
  }
  return value;
};

/** A stored event does not match its schema: another program wrote it, or the schema was changed incompatibly. */
export class EventDeserializationError extends Error {
  override readonly name = 'EventDeserializationError';
  readonly event: EventName;
  constructor(event: RecordedEvent, cause: unknown) {
    super(
      `event ${event.type} at position ${event.position} (stream ${event.stream}) does not fit its schema`,
      { cause },
    );
    this.event = eventName(event);
  }
}

/**
 * Decodes events for every reader, of the log and of Kafka: it upcasts old versions, validates, and drops what was erased. An event
 * of an unknown type, which a newer program wrote, passes unchanged: no handler subscribes to it.
 */
export interface EventDecoder {
  /**
   * The decoded event; null if it is erased or excluded.
   * @throws {EventDeserializationError}
   */
  decode(event: RecordedEvent, options?: DecodeOptions): RecordedEvent | null;
  /** The same for an event object that several readers share: it is upcast and validated once. */
  decodeShared(event: RecordedEvent, options?: DecodeOptions): RecordedEvent | null;
}

/** What the log lets in and out: it refuses what was erased. Each event is judged when it passes, since that may change. */
export interface Door {
  /** Whether everything may pass. */
  readonly isOpen: boolean;
  /**
   * What may pass of an event's data: the same object if all of it may, null if nothing may.
   * @param isKept whether what is suppressed may pass.
   */
  pass(
    event: Pick<RecordedEvent, 'stream' | 'type' | 'data'> &
      Partial<Pick<RecordedEvent, 'revision' | 'position'>>,
    isKept: boolean,
  ): unknown;
  /** Whether it voided what is not void any more. */
  isUndone(event: RecordedEvent): boolean;
}

/** What readers get in place of an event that voided what is not void any more: no handler knows it. */
const NO_LONGER_VOID = 'ErasureUndone';

const OPEN: Door = { isOpen: true, pass: ({ data }) => data, isUndone: () => false };

/** What may pass of an event; null if nothing may. */
const allowed = (
  door: Door,
  event: RecordedEvent,
  { suppressed = false }: DecodeOptions,
): RecordedEvent | null => {
  if (door.isOpen || event.metadata.erased === true) return event;
  const data = door.pass(event, suppressed);
  if (data === null) return null;
  // It keeps its place: whoever appends next expects the revision after it.
  if (!suppressed && door.isUndone(event)) return { ...event, type: NO_LONGER_VOID };
  return data === event.data ? event : { ...event, data };
};

/**
 * A reading was made before it was recorded. One that says otherwise, from a host whose clock was ahead, counts as made at that
 * moment: it would be the newest until its time comes, and every reading until then would be outdated.
 */
const withoutFuture = (data: unknown, recordedAt: string): unknown => {
  const { observed_at: at } = data as { readonly observed_at?: unknown };
  // As texts first: nearly all are in order, and parsing two times costs more than the comparison.
  if (typeof at !== 'string' || at <= recordedAt || Date.parse(at) <= Date.parse(recordedAt)) return data;
  return { ...(data as object), observed_at: isoOf(Date.parse(recordedAt)) };
};

export const createDecoder = (definitions: EventDefinitions, door: Door = OPEN): EventDecoder => {
  const shared = new WeakMap<RecordedEvent, RecordedEvent>();

  const decoded = (definition: EventDefinition, event: RecordedEvent, version: number): RecordedEvent => {
    try {
      const data = definition.stored.parse(upcast(definition, event.data, version));
      return { ...event, data: withoutFuture(data, event.recorded_at) };
    } catch (error) {
      throw new EventDeserializationError(event, error);
    }
  };

  const decodedOnce = (definition: EventDefinition, event: RecordedEvent, version: number): RecordedEvent => {
    const known = shared.get(event);
    if (known !== undefined) return known;
    const found = decoded(definition, event, version);
    shared.set(event, found);
    return found;
  };

  const through =
    (decodeData: typeof decoded): EventDecoder['decode'] =>
    (event, options = {}) => {
      const { excludeIds, raw, opaque } = options;
      if (excludeIds?.has(event.id) === true) return null;
      const isErased = event.metadata.erased === true;
      // What is left of it says when something was read, and nothing else.
      if (isErased && raw !== true) return null;
      const definition = definitions[event.type];
      const version = event.metadata.version ?? 1;
      if (
        isErased ||
        raw === true ||
        definition === undefined ||
        version > definition.version ||
        opaque?.(event) === true
      )
        return allowed(door, event, options);
      return allowed(door, decodeData(definition, event, version), options);
    };

  return { decode: through(decoded), decodeShared: through(decodedOnce) };
};

/** Maximum length of a stream's name, which is an index key. */
const MAX_STREAM = 512;

/** Callers with smaller pages look for one event and stop: no page is read ahead for them. */
const READ_AHEAD_FROM = 500;

const metadataSchema = z.strictObject({
  version: z.int().positive().optional(),
  request_id: text(200).optional(),
  actor: text(200).optional(),
  reason: text(2_000).optional(),
});

/**
 * The outcome of an append that says nothing but what was erased. Its writer has nothing more to do, so it is told what it would be
 * told of an append.
 */
const REFUSED: AppendOutcome = { status: 'appended', revision: -1n, position: 0n };

/** Removes the decode options, which adapters don't know. */
const withoutDecodeOptions = <Options extends DecodeOptions>({
  excludeIds: _,
  raw: __,
  opaque: ___,
  suppressed: ____,
  ...rest
}: Options): Omit<Options, keyof DecodeOptions> => rest;

/** Wraps an adapter with validation: events are validated on append and decoded on read. */
export const withValidation = (
  inner: EventLog,
  definitions: EventDefinitions,
  door: Door = OPEN,
  decoder: EventDecoder = createDecoder(definitions, door),
): EventLog => {
  const enterStream = (stream: string, events: readonly NewEvent[]): readonly NewEvent[] => {
    if (events.length === 0) throw new LogRequestRejectedError(`nothing to append to ${stream}`);
    if (stream.length > MAX_STREAM || !isStreamName(stream)) {
      throw new LogRequestRejectedError(
        `a stream's name is in normal form (NFC), without control characters, at most ${MAX_STREAM} characters`,
      );
    }
    return events.flatMap((event) => {
      const entered = enter(event);
      if (door.isOpen) return entered;
      const data = door.pass({ stream, type: entered.type, data: entered.data }, false);
      return data === null ? [] : { ...entered, data };
    });
  };

  const enter = (event: NewEvent): NewEvent => {
    const definition = definitions[event.type];
    if (definition === undefined) throw new LogRequestRejectedError(`no such event type: ${event.type}`);
    const result = definition.schema.safeParse(event.data);
    if (!result.success) {
      throw new LogRequestRejectedError(
        `event ${event.type} does not match its schema: ${result.error.message}`,
      );
    }
    const about = metadataSchema.safeParse(event.metadata ?? {});
    if (!about.success) {
      throw new LogRequestRejectedError(`metadata of event ${event.type} does not match its schema`);
    }
    const metadata = definition.version === 1 ? about.data : { ...about.data, version: definition.version };
    return { id: event.id, type: event.type, data: result.data, metadata: metadata as Metadata };
  };

  const leave = (events: readonly RecordedEvent[], options: DecodeOptions): readonly RecordedEvent[] =>
    events.flatMap((event) => decoder.decode(event, options) ?? []);

  /** If an event of a page can't be decoded, the reader gets the events before it first. */
  function* leavePage(
    page: EventPage,
    options: DecodeOptions,
    decode: EventDecoder['decode'],
  ): Iterable<EventPage> {
    const events: RecordedEvent[] = [];
    for (const event of page.events) {
      try {
        const passed = decode(event, options);
        if (passed !== null) events.push(passed);
      } catch (error) {
        const last = events.at(-1);
        if (last !== undefined) yield { events, endPosition: last.position };
        throw error;
      }
    }
    yield { events, endPosition: page.endPosition };
  }

  async function* pages(
    source: AsyncIterable<EventPage>,
    options: DecodeOptions,
    decode: EventDecoder['decode'],
  ): AsyncIterable<EventPage> {
    for await (const page of source) yield* leavePage(page, options, decode);
  }

  const appendMany = async (appends: readonly Append[]): Promise<readonly AppendOutcome[]> => {
    const entered = appends.map((append) => ({
      ...append,
      events: enterStream(append.stream, append.events),
    }));
    const kept = entered.filter(({ events }) => events.length > 0);
    const outcomes = kept.length === 0 ? [] : await inner.appendMany(kept);
    const byAppend = new Map(kept.map((append, i) => [append, outcomes[i] as AppendOutcome]));
    return entered.map((append) => byAppend.get(append) ?? REFUSED);
  };

  return {
    canSeekAnyPosition: inner.canSeekAnyPosition ?? true,
    indexesIds: inner.indexesIds ?? true,
    positionsPerEvent: inner.positionsPerEvent ?? 1n,
    appendMany,
    append: async (stream, events, expected) => {
      const entered = enterStream(stream, events);
      return entered.length === 0 ? REFUSED : inner.append(stream, entered, expected);
    },
    readStream: async (stream, options = {}) =>
      leave(await inner.readStream(stream, withoutDecodeOptions(options)), options),
    readAll: (after, options = {}) => {
      const source = inner.readAll(after, withoutDecodeOptions(options));
      const isLookUp = options.pageSize !== undefined && options.pageSize < READ_AHEAD_FROM;
      return pages(isLookUp ? source : prefetch(source), options, decoder.decode);
    },
    subscribe: (after, options) =>
      pages(inner.subscribe(after, withoutDecodeOptions(options)), options, decoder.decodeShared),
    head: () => inner.head(),
    close: () => inner.close(),
  };
};
