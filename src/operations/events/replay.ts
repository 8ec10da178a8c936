import { OperatorError } from '../../kernel/errors.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import type { Handler, LogEvent } from './handler.ts';
import { type ReadOptions, selectedPages } from './selected-events.ts';
import type { Selection } from './selection.ts';

/** The error, and where in the analyst's own code it came from: the frames of Sightline and Node say nothing to them. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const ours = frames.findIndex((line) => line.includes(import.meta.url));
  const own = ours < 0 ? [] : frames.slice(0, ours);
  return [`${error.name}: ${error.message}`, ...own].join('\n');
};

const locationOf = (event: RecordedEvent): string =>
  `at position ${event.position} (${event.type} of ${event.stream})`;

const isPromise = (value: unknown): value is Promise<unknown> =>
  value !== null && typeof value === 'object' && typeof (value as Promise<unknown>).then === 'function';

/**
 * Folds the selected events with a handler.
 * @returns what the handler makes of its last state.
 * @throws {OperatorError} where the handler throws or forgets its state: it names the event.
 */
export const replay = async (
  log: EventLog,
  selection: Selection,
  handler: Handler<unknown, unknown>,
  options: ReadOptions,
): Promise<{ readonly result: unknown; readonly count: number }> => {
  let state = handler.initial;
  let count = 0;
  for await (const events of selectedPages(log, selection, options)) {
    for (const event of events) {
      try {
        const next = handler.apply(state, event as LogEvent);
        // Nearly all folds are plain functions: they need not wait a turn for each event.
        state = isPromise(next) ? await next : next;
      } catch (error) {
        throw new OperatorError(
          'handler_failed',
          `the handler failed ${locationOf(event)}: ${describe(error)}`,
          {
            cause: error,
          },
        );
      }
      if (state === undefined) {
        throw new OperatorError(
          'handler_failed',
          `the handler returned nothing ${locationOf(event)}: apply has to return the state`,
        );
      }
    }
    count += events.length;
  }
  if (handler.result === undefined) return { result: state, count };
  try {
    return { result: await handler.result(state), count };
  } catch (error) {
    throw new OperatorError('handler_failed', `the handler's result failed: ${describe(error)}`, {
      cause: error,
    });
  }
};

/** What JSON has no form for and folds are often made of: 64-bit numbers as text, maps as objects, sets as lists. */
const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
};

/** A result as JSON; null where there is none. @throws {OperatorError} where it can't be written so. */
export const resultJson = (result: unknown): string => {
  try {
    return JSON.stringify(result, plain, 2) ?? 'null';
  } catch (error) {
    throw new OperatorError('handler_failed', `the handler's result is no JSON: ${describe(error)}`, {
      cause: error,
    });
  }
};
