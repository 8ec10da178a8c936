import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import type { Handler } from './handler.ts';

const SHAPE = 'export default { initial, apply(state, event), result?(state) }, or a function (state, event)';
const NAMES: ReadonlySet<string> = new Set(['initial', 'apply', 'result']);

/** What is wrong with a default export; null where it is a handler. */
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

/** Imports an analyst's module, TypeScript as it is or JavaScript. @throws {OperatorError} where it is no handler. */
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
