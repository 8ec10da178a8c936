import type { RecordedEvent } from '../../write/log/port.ts';
import type { OperationsContext } from '../context.ts';
import { redacted } from './event-format.ts';
import { selectedPages } from './selected-events.ts';
import { type Selection, type SelectionOptions, selectionOf } from './selection.ts';

export type { RecordedEvent } from '../../write/log/port.ts';
export type { SelectionOptions } from './selection.ts';

type Context = Pick<OperationsContext, 'log'>;

/** The selected events in the order of the log, redacted, a page at a time, until its end as it is now. */
export async function* readEvents(
  { log }: Context,
  options: SelectionOptions,
  signal: AbortSignal,
): AsyncIterable<readonly RecordedEvent[]> {
  const selection: Selection = await selectionOf(log, options);
  yield* selectedPages(log, selection, { signal, onProgress: () => undefined });
}

/**
 * The selected events as they are appended, redacted, until the signal fires or the last position is passed. Starts at
 * the end of the log, where no start is given.
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
