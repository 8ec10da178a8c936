import type { EventDefinition, EventDefinitions } from '../event-definition.ts';
import { type DecodeOptions, type EventName, eventName, type RecordedEvent } from '../port.ts';

/**
 * Upcasts an event's data from an older version to the current one, a step per version.
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

/** Decides which events are redacted: hidden from readers although the log still contains them. */
export interface RedactionFilter {
  redacts(event: RecordedEvent): boolean;
}

const nothingRedacted: RedactionFilter = { redacts: () => false };

/** A stored event does not match its schema: another program wrote it, or a schema was changed incompatibly. */
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
 * Decodes events for every reader, of the log and of Kafka: drops redacted events, upcasts old versions and
 * validates. An event of an unknown type, written by a newer program, passes unchanged: no handler subscribes to
 * it.
 */
export interface EventDecoder {
  /**
   * The decoded event; null if it is redacted or excluded.
   * @throws {EventDeserializationError}
   */
  decode(event: RecordedEvent, options?: DecodeOptions): RecordedEvent | null;
  /** The same for an event that several readers have by reference: it is upcast and validated once. */
  decodeShared(event: RecordedEvent, options?: DecodeOptions): RecordedEvent | null;
}

export const createDecoder = (
  definitions: EventDefinitions,
  redaction: RedactionFilter = nothingRedacted,
): EventDecoder => {
  const shared = new WeakMap<RecordedEvent, RecordedEvent>();

  const decoded = (definition: EventDefinition, event: RecordedEvent, version: number): RecordedEvent => {
    try {
      return { ...event, data: definition.stored.parse(upcast(definition, event.data, version)) };
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
    (event, { excludeIds, raw, opaque } = {}) => {
      // Whether an event is redacted is asked for each reader: it may have been since.
      if (redaction.redacts(event) || excludeIds?.has(event.id) === true) return null;
      const definition = definitions[event.type];
      const version = event.metadata.version ?? 1;
      if (
        raw === true ||
        definition === undefined ||
        version > definition.version ||
        opaque?.(event) === true
      )
        return event;
      return decodeData(definition, event, version);
    };

  return { decode: through(decoded), decodeShared: through(decodedOnce) };
};
