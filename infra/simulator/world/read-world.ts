import { readFile } from 'node:fs/promises';
import { DEFAULT_PARAMETERS, type Parameters, parseParameters } from './parameters.ts';

/**
 * The parameters of a JSON file; the defaults without one.
 * @throws {SyntaxError | z.ZodError} for a file that is no such document.
 */
export const readWorld = async (file: string | undefined): Promise<Parameters> =>
  file === undefined ? DEFAULT_PARAMETERS : parseParameters(JSON.parse(await readFile(file, 'utf8')));
