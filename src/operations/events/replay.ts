import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import type { Handler, LogEvent } from './handler.ts';
import { type ReadOptions, selectedPages } from './read-events.ts';
import type { Selection } from './selection.ts';

/**
 * Folds the selected events with a handler.
 * @returns the handler's result for its last state, and the number of events.
 * @throws {OperatorError} `handler_failed`, naming the event, if the handler throws or returns no state.
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
        // Most handlers are synchronous: an await per event would cost more than the fold.
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

/** A result as JSON; `null` without one. @throws {OperatorError} `handler_failed` if it has no JSON form. */
export const resultJson = (result: unknown): string => {
  try {
    return JSON.stringify(result, plain, 2) ?? 'null';
  } catch (error) {
    throw new OperatorError('handler_failed', `the handler's result is no JSON: ${describe(error)}`, {
      cause: error,
    });
  }
};

/** A default export as a handler. @throws {OperatorError} `handler_invalid` */
export const handlerOf = (value: unknown, file: string): Handler<unknown, unknown> => {
  if (typeof value === 'function') {
    return { initial: undefined, apply: value as Handler<unknown>['apply'] };
  }
  const fault = faultOf(value);
  if (fault !== null)
    throw new OperatorError('handler_invalid', `${file} is no handler: ${fault}.\nA handler is: ${SHAPE}`);
  return value as Handler<unknown, unknown>;
};

/** Imports an analyst's module, TypeScript or JavaScript. @throws {OperatorError} `handler_invalid` */
export const loadHandler = async (file: string): Promise<Handler<unknown, unknown>> => {
  const path = resolve(file);
  if (!existsSync(path))
    throw new OperatorError('handler_invalid', `${file} is not there: name a module, as ./my-fold.ts`);
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new OperatorError('handler_invalid', `${file} can't be loaded: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  return handlerOf(module.default, file);
};

/** The error with the stack frames of the analyst's own code; those of Sightline and Node would not help. */
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

/** JSON forms of common state types: 64-bit numbers as text, maps as objects, sets as lists. */
const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
};

const SHAPE = 'export default { initial, apply(state, event), result?(state) }, or a function (state, event)';
const NAMES: ReadonlySet<string> = new Set(['initial', 'apply', 'result']);

/** What is wrong with a default export; null if it is a handler. */
const faultOf = (value: unknown): string | null => {
  if (value === undefined) return 'it has no default export';
  if (value === null || typeof value !== 'object') return 'its default export is no object or function';
  const { apply, result } = value as { apply?: unknown; result?: unknown };
  if (typeof apply !== 'function') {
    return apply === undefined ? 'it has no apply' : `its apply is no function but ${typeof apply}`;
  }
  if (!('initial' in value)) return 'it has no initial';
  if (result !== undefined && typeof result !== 'function')
    return `its result is no function but ${typeof result}`;
  const stranger = Object.keys(value).find((name) => !NAMES.has(name));
  return stranger === undefined ? null : `it has "${stranger}", which is none of initial, apply and result`;
};
