import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { redacted } from './event-format.ts';
import type { Selection } from './selection.ts';

export interface Reading {
  /** Ends the reading between two pages, with an AbortError. */
  readonly signal: AbortSignal;
  /** How many positions of the selected stretch are passed, wanted or not, and how many it has. */
  readonly onProgress: (done: number, total: number) => void;
  /** Most events of a page. */
  readonly pageSize?: number;
}

/**
 * The selected events, redacted, a page at a time. The next page is asked for when the caller is done with the last
 * one, so that whoever takes what it is given holds one page, however long the log is.
 */
export async function* selectedPages(
  log: EventLog,
  { after, to, filter }: Selection,
  { signal, onProgress, pageSize }: Reading,
): AsyncIterable<readonly RecordedEvent[]> {
  const total = Number(to - after);
  signal.throwIfAborted();
  onProgress(0, total);
  if (total === 0) return;
  const size = pageSize === undefined ? {} : { pageSize };
  for await (const page of log.readAll(after, { ...filter, ...size, to })) {
    signal.throwIfAborted();
    yield page.events.map(redacted);
    onProgress(Number(page.endPosition - after), total);
  }
}
