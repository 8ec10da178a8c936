import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { errorMessage, OperatorError } from '../kernel/errors.ts';

/** The text of a file; of standard input for `-`. @throws {OperatorError} `argument_invalid` if it can't be read. */
export const inputText = async (path: string): Promise<string> => {
  try {
    return await (path === '-' ? text(process.stdin) : readFile(path, 'utf8'));
  } catch (error) {
    const what = path === '-' ? 'standard input' : `"${path}"`;
    const message = `Cannot read ${what}: ${errorMessage(error)}; name a readable file`;
    throw new OperatorError('argument_invalid', message, { cause: error });
  }
};
