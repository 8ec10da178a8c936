import type { Author, EventLog, NewEvent } from './port.ts';

/**
 * A log that writes into the metadata of each appended event who caused it, and why. An event that has metadata keeps it: a
 * restore appends what was recorded.
 */
export const withAuthor = (log: EventLog, author: Author): EventLog => {
  const signed = (events: readonly NewEvent[]): readonly NewEvent[] =>
    events.map((event) => ({ ...event, metadata: event.metadata ?? author }));
  return {
    ...log,
    append: (stream, events, expected) => log.append(stream, signed(events), expected),
    appendMany: (appends) =>
      log.appendMany(appends.map((append) => ({ ...append, events: signed(append.events) }))),
  };
};
