import type { Append, DoorOptions, EventLog, EventPage, Metadata, NewEvent, RecordedEvent } from './port.ts';
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
  readonly event: RecordedEvent;
  constructor(event: RecordedEvent, cause: unknown) {
    super(
      `event ${event.type} at position ${event.position} (stream ${event.stream}) does not fit its schema`,
      {
        cause,
      },
    );
    this.event = event;
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

  const parse = (event: RecordedEvent): RecordedEvent => {
    const definition = definitions[event.type];
    const version = event.metadata.version ?? 1;
    if (definition === undefined || version > definition.version) return event;
    try {
      return { ...event, data: definition.schema.parse(upcast(definition, event.data, version)) };
    } catch (error) {
      throw new UnreadableEvent(event, error);
    }
  };

  const leave = (events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
    events.filter((event) => !withholding.withholds(event)).map(parse);

  /** A page whose reader stumbles over one of its events has been handed those before it. */
  function* leavePage(page: EventPage, { without, raw }: DoorOptions): Iterable<EventPage> {
    const events: RecordedEvent[] = [];
    for (const event of page.events) {
      if (withholding.withholds(event) || without?.has(event.id) === true) continue;
      try {
        events.push(raw === true ? event : parse(event));
      } catch (error) {
        const last = events.at(-1);
        if (last !== undefined) yield { events, through: last.position };
        throw error;
      }
    }
    yield { events, through: page.through };
  }

  async function* pages(source: AsyncIterable<EventPage>, options: DoorOptions): AsyncIterable<EventPage> {
    for await (const page of source) yield* leavePage(page, options);
  }

  const appendMany = async (appends: readonly Append[]) =>
    inner.appendMany(
      appends.map((append) => {
        if (append.events.length === 0) throw new LogRefusal(`nothing to append to ${append.stream}`);
        return { ...append, events: append.events.map(enter) };
      }),
    );

  return {
    startsAnywhere: inner.startsAnywhere ?? true,
    positionsPerEvent: inner.positionsPerEvent ?? 1n,
    appendMany,
    append: async (stream, events, expected) => {
      if (events.length === 0) throw new LogRefusal(`nothing to append to ${stream}`);
      return inner.append(stream, events.map(enter), expected);
    },
    readStream: async (stream, options) => leave(await inner.readStream(stream, options)),
    readAll: (after, options = {}) => {
      const { without: _, raw: __, ...rest } = options;
      return pages(inner.readAll(after, rest), options);
    },
    subscribe: (after, options) => {
      const { without: _, raw: __, ...rest } = options;
      return pages(inner.subscribe(after, rest), options);
    },
    head: () => inner.head(),
    close: () => inner.close(),
  };
};
