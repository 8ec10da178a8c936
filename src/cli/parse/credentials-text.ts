import { createReadStream } from 'node:fs';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';

const MAX_BYTES = 64 * 1024;

const readBounded = async (name: string, chunks: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new OperatorError('session_invalid', `${name} is larger than 64 KiB, too large for credentials.`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString();
};

/**
 * Credentials from a file or standard input: never from arguments, which other users of the machine can see.
 * @throws {OperatorError} `file_unusable`; `session_invalid` if there is more than 64 KiB.
 */
export const readCredentials = async (file: string | undefined): Promise<string> => {
  if (file === undefined) {
    if (process.stdin.isTTY)
      process.stderr.write('Paste the credentials as JSON or lines of name=value, then press Ctrl-D.\n');
    return readBounded('The input', process.stdin);
  }
  try {
    return await readBounded(file, createReadStream(file));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      'file_unusable',
      `${file} can't be read: ${errorMessage(error)}. Give --file the path of a file with the credentials.`,
      { cause: error },
    );
  }
};
