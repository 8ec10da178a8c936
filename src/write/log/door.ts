import type { Append, EventLog, EventPage, Metadata, NewEvent, RecordedEvent } from './port.ts';
import { LogRefusal } from './port.ts';
import type { EventDefinition, EventDefinitions } from './schema.ts';

/** What a reader must not see, although the log still holds it. */
export interface Withholding {
  withholds(event: RecordedEvent): boolean;
}

const nothingWithheld: Withholding = { withholds: () => false };

/** An event in the log does not fit its schema: the log was written by something else, or a schema was changed. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly position: bigint;
  constructor(event: RecordedEvent, cause: unknown) {
    super(
      `event ${event.type} at position ${event.position} (stream ${event.stream}) does not fit its schema`,
      {
        cause,
      },
    );
    this.position = event.position;
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

/**
 * The one door of the log: every event is parsed on its way in and out, old versions are brought up to date, and
 * withheld events reach no reader. An event of a type that this program does not know yet (a newer one wrote it)
 * passes as it is: nobody here asks for it.
 */
export const openDoor = (
  inner: EventLog,
  definitions: EventDefinitions,
  withholding: Withholding = nothingWithheld,
): EventLog => {
  const enter = (event: NewEvent): NewEvent => {
    const definition = definitions[event.type];
    if (definition === undefined) throw new LogRefusal(`no such event type: ${event.type}`);
    const result = definition.schema.safeParse(event.data);
    if (!result.success) {
      throw new LogRefusal(`event ${event.type} does not fit its schema: ${result.error.message}`);
    }
    const metadata: Metadata =
      definition.version === 1 ? (event.metadata ?? {}) : { ...event.metadata, version: definition.version };
    return { id: event.id, type: event.type, data: result.data, metadata };
  };

  const leave = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
    const out: RecordedEvent[] = [];
    for (const event of events) {
      if (withholding.withholds(event)) continue;
      const definition = definitions[event.type];
      const version = event.metadata.version ?? 1;
      if (definition === undefined || version > definition.version) {
        out.push(event);
        continue;
      }
      try {
        const data = definition.schema.parse(upcast(definition, event.data, version));
        out.push({ ...event, data });
      } catch (error) {
        throw new UnreadableEvent(event, error);
      }
    }
    return out;
  };

  async function* pages(source: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
    for await (const page of source) yield { events: leave(page.events), through: page.through };
  }

  const appendMany = async (appends: readonly Append[]) =>
    inner.appendMany(
      appends.map((append) => {
        if (append.events.length === 0) throw new LogRefusal(`nothing to append to ${append.stream}`);
        return { ...append, events: append.events.map(enter) };
      }),
    );

  return {
    appendMany,
    append: async (stream, events, expected) => {
      if (events.length === 0) throw new LogRefusal(`nothing to append to ${stream}`);
      return inner.append(stream, events.map(enter), expected);
    },
    readStream: async (stream, options) => leave(await inner.readStream(stream, options)),
    readAll: (after, options) => pages(inner.readAll(after, options)),
    subscribe: (after, options) => pages(inner.subscribe(after, options)),
    head: () => inner.head(),
    close: () => inner.close(),
  };
};
