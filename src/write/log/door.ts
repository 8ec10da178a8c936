import { z } from 'zod';
import { isKey } from '../../kernel/text.ts';
import { text } from './fields.ts';
import type { Append, DoorOptions, EventLog, EventPage, Metadata, NewEvent, RecordedEvent } from './port.ts';
import { LogRefusal } from './port.ts';
import { openReadDoor, type ReadDoor } from './read-door.ts';
import type { EventDefinitions } from './schema.ts';

/** Longest name of a stream: rows are found by it. */
const MAX_STREAM = 512;

const metadataSchema = z.strictObject({
  version: z.int().positive().optional(),
  request_id: text(200).optional(),
});

/** Adapters are told nothing of what the door does. */
const withoutDoor = <Options extends DoorOptions>({
  without: _,
  raw: __,
  opaque: ___,
  ...rest
}: Options): Omit<Options, keyof DoorOptions> => rest;

/** The one door of the log: every event is parsed on its way in, and passes the read door on its way out. */
export const openDoor = (
  inner: EventLog,
  definitions: EventDefinitions,
  readDoor: ReadDoor = openReadDoor(definitions),
): EventLog => {
  const enterStream = (stream: string, events: readonly NewEvent[]): readonly NewEvent[] => {
    if (events.length === 0) throw new LogRefusal(`nothing to append to ${stream}`);
    if (stream.length > MAX_STREAM || !isKey(stream)) {
      throw new LogRefusal(
        `a stream's name is in normal form (NFC), without control characters, ${MAX_STREAM} characters at the most`,
      );
    }
    return events.map(enter);
  };

  const enter = (event: NewEvent): NewEvent => {
    const definition = definitions[event.type];
    if (definition === undefined) throw new LogRefusal(`no such event type: ${event.type}`);
    const result = definition.schema.safeParse(event.data);
    if (!result.success) {
      throw new LogRefusal(`event ${event.type} does not fit its schema: ${result.error.message}`);
    }
    if (event.metadata !== undefined && !metadataSchema.safeParse(event.metadata).success) {
      throw new LogRefusal(`metadata of event ${event.type} does not fit its schema`);
    }
    const metadata: Metadata =
      definition.version === 1 ? (event.metadata ?? {}) : { ...event.metadata, version: definition.version };
    return { id: event.id, type: event.type, data: result.data, metadata };
  };

  const leave = (events: readonly RecordedEvent[], options: DoorOptions): readonly RecordedEvent[] =>
    events.flatMap((event) => readDoor.pass(event, options) ?? []);

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
      appends.map((append) => ({ ...append, events: enterStream(append.stream, append.events) })),
    );

  return {
    startsAnywhere: inner.startsAnywhere ?? true,
    positionsPerEvent: inner.positionsPerEvent ?? 1n,
    appendMany,
    append: async (stream, events, expected) => inner.append(stream, enterStream(stream, events), expected),
    readStream: async (stream, options = {}) =>
      leave(await inner.readStream(stream, withoutDoor(options)), options),
    readAll: (after, options = {}) => pages(inner.readAll(after, withoutDoor(options)), options),
    subscribe: (after, options) => pages(inner.subscribe(after, withoutDoor(options)), options),
    head: () => inner.head(),
    close: () => inner.close(),
  };
};
