import type { Append, DoorOptions, EventLog, EventPage, Metadata, NewEvent, RecordedEvent } from './port.ts';
import { LogRefusal } from './port.ts';
import { openReadDoor, type ReadDoor } from './read-door.ts';
import type { EventDefinitions } from './schema.ts';

/** The one door of the log: every event is parsed on its way in, and passes the read door on its way out. */
export const openDoor = (
  inner: EventLog,
  definitions: EventDefinitions,
  readDoor: ReadDoor = openReadDoor(definitions),
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

  const leave = (events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
    events.flatMap((event) => readDoor.pass(event) ?? []);

  /** A page whose reader stumbles over one of its events has been handed those before it. */
  function* leavePage(page: EventPage, options: DoorOptions): Iterable<EventPage> {
    const events: RecordedEvent[] = [];
    for (const event of page.events) {
      try {
        const passed = readDoor.pass(event, options);
        if (passed !== null) events.push(passed);
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
