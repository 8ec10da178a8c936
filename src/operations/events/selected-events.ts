import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { redacted } from './event-format.ts';
import type { Selection } from './selection.ts';

export interface ReadOptions {
  /** Ends the read between two pages, with an AbortError. */
  readonly signal: AbortSignal;
  /** Positions of the range that were read, and how many it has. */
  readonly onProgress: (done: number, total: number) => void;
  /** Maximum events of a page. */
  readonly pageSize?: number;
}

/**
 * The selected events, redacted, a page at a time. The next page is read when the caller asks for it, so that memory is
 * bounded by one page.
 */
export async function* selectedPages(
  log: EventLog,
  { after, to, filter }: Selection,
  { signal, onProgress, pageSize }: ReadOptions,
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
