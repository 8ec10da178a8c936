import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import type { OperationsContext } from '../context.ts';
import { redacted, type Selection, type SelectionOptions, selectionOf } from './selection.ts';

export type { RecordedEvent } from '../../write/log/port.ts';
export type { SelectionOptions } from './selection.ts';

/** The selected events in the order of the log, redacted, a page at a time, up to the current end of the log. */
export async function* readEvents(
  { log }: Context,
  options: SelectionOptions,
  signal: AbortSignal,
): AsyncIterable<readonly RecordedEvent[]> {
  const selection: Selection = await selectionOf(log, options);
  yield* selectedPages(log, selection, { signal, onProgress: () => undefined });
}

/**
 * The selected events as they are appended, redacted, until the signal fires or the last position is passed. Without a
 * start it begins at the end of the log.
 */
export async function* tailEvents(
  { log }: Context,
  options: SelectionOptions,
  signal: AbortSignal,
): AsyncIterable<readonly RecordedEvent[]> {
  const { after, to, filter } = await selectionOf(log, options);
  const start = options.from === undefined && options.since === undefined ? to : after;
  const last = options.to;
  for await (const page of log.subscribe(start, { ...filter, signal })) {
    yield page.events.filter((event) => last === undefined || event.position <= last).map(redacted);
    if (last !== undefined && page.endPosition >= last) return;
  }
}

export interface ReadOptions {
  /** Ends the read between two pages, with an AbortError. */
  readonly signal: AbortSignal;
  /** Called with the positions of the range that were read, and their total. */
  readonly onProgress: (done: number, total: number) => void;
  /** Maximum events of a page. */
  readonly pageSize?: number;
}

/**
 * The selected events, redacted, a page at a time. The next page is read when the caller asks for it, so that memory holds
 * one page.
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

type Context = Pick<OperationsContext, 'log'>;
