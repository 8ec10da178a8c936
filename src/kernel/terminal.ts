/** What commands print. Texts of strangers reach a terminal only through these functions, so that none can steer it. */

import { shown, shownJson } from './text.ts';

/** Prints lines to standard output. */
export const print = (lines: string): void => write(`${lines}\n`);

/** Prints a value as JSON, on one line or indented by so many spaces. */
export const printJson = (value: unknown, space?: number): void => print(shownJson(value, space));

/** Writes to standard output without a line end. */
export const write = (text: string): void => {
  process.stdout.write(shown(text));
};

/** Writes to standard error without a line end. */
export const writeError = (text: string): void => {
  process.stderr.write(shown(text));
};
