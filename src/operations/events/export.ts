import { csvText } from '../../kernel/csv.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { COLUMNS, csvRecordOf, jsonOf } from './event-format.ts';
import type { Target } from './output-sink.ts';
import { type ReadOptions, selectedPages } from './selected-events.ts';
import type { Selection } from './selection.ts';

/** Writes redacted events in some form. Each call is over when what it was given has left, or waits for its group. */
export interface EventWriter {
  write(events: readonly RecordedEvent[]): Promise<void>;
  end(): Promise<void>;
}

/** An object a line. */
export const ndjsonWriter = (target: Target): EventWriter => ({
  write: async (events) => {
    if (events.length > 0) await target.write(events.map((event) => `${jsonOf(event)}\n`).join(''));
  },
  end: async () => undefined,
});

/** RFC 4180: a head, records, each ended by CRLF. */
export const csvWriter = (target: Target): EventWriter => {
  let headed = false;
  const write = async (events: readonly RecordedEvent[]): Promise<void> => {
    const head = headed ? [] : [COLUMNS];
    headed = true;
    const text = csvText([...head, ...events.map(csvRecordOf)]);
    if (text !== '') await target.write(text);
  };
  return { write, end: () => write([]) };
};

/** Exports the selected events. @returns how many there were. */
export const exportEvents = async (
  log: EventLog,
  selection: Selection,
  writer: EventWriter,
  options: ReadOptions,
): Promise<number> => {
  let count = 0;
  for await (const events of selectedPages(log, selection, options)) {
    await writer.write(events);
    count += events.length;
  }
  await writer.end();
  return count;
};
