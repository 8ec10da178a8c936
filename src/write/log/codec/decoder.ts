import type { EventDefinition, EventDefinitions } from '../event-definition.ts';
import { type DecodeOptions, type EventName, eventName, type RecordedEvent } from '../port.ts';
import { repaired } from './repair.ts';

/** What a reader must not see, although the log still holds it. */
export interface RedactionFilter {
  redacts(event: RecordedEvent): boolean;
}

const nothingRedacted: RedactionFilter = { redacts: () => false };

/** An event in the log does not fit its schema: the log was written by something else, or a schema was changed. */
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

const upcast = (definition: EventDefinition, data: unknown, from: number): unknown => {
  let value = data;
  for (let version = from; version < definition.version; version++) {
    const step = definition.upcasts[version];
    if (step === undefined) throw new Error(`no upcast from version ${version}`);
    value = step(value);
  }
  return value;
};

/** Bounds refuse what is appended. What is stored already is read, and repaired where it is beyond them. */
const parsed = ({ schema, stored, version }: EventDefinition, data: unknown, from: number): unknown => {
  const result = (from === version ? (stored ?? schema) : schema).safeParse(data);
  return result.success ? result.data : schema.parse(repaired(schema, data));
};

/**
 * What stands before every reader, of the log and of what was handed out of it: withheld events reach none, old
 * versions are brought up to date, and every event is parsed. An event of a type that this program does not know yet
 * (a newer one wrote it) passes as it is: nobody here asks for it.
 */
export interface EventDecoder {
  /**
   * The event as a reader gets it; null where the reader gets nothing.
   * @throws {EventDeserializationError}
   */
  decode(event: RecordedEvent, options?: DecodeOptions): RecordedEvent | null;
}

export const createDecoder = (
  definitions: EventDefinitions,
  redaction: RedactionFilter = nothingRedacted,
): EventDecoder => ({
  decode: (event, { excludeIds, raw, opaque } = {}) => {
    if (redaction.redacts(event) || excludeIds?.has(event.id) === true) return null;
    const definition = definitions[event.type];
    const version = event.metadata.version ?? 1;
    if (raw === true || definition === undefined || version > definition.version || opaque?.(event) === true)
      return event;
    try {
      return { ...event, data: parsed(definition, upcast(definition, event.data, version), version) };
    } catch (error) {
      throw new EventDeserializationError(event, error);
    }
  },
});
