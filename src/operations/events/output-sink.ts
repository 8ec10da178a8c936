import { rmSync } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { OperatorError } from '../../kernel/errors.ts';
import { withoutHidden } from '../../kernel/text.ts';

/** A sink with backpressure: a write resolves once the next chunk fits, so that a writer holds at most one chunk. */
export interface Target {
  write(chunk: string | Uint8Array): Promise<void>;
}

/** Writes into a stream whose reader may be slow or stop. The signal ends the wait for it. */
export const intoStream = (stream: Writable, signal: AbortSignal): Target => ({
  write: (chunk) => {
    signal.throwIfAborted();
    if (stream.write(chunk)) return Promise.resolve();
    return new Promise((done, fail) => {
      const settle = () => {
        stream.off('drain', settle);
        signal.removeEventListener('abort', settle);
        if (signal.aborted) fail(signal.reason);
        else done();
      };
      stream.on('drain', settle);
      signal.addEventListener('abort', settle);
    });
  },
});

/** Writes into standard output: exactly into a pipe or a file, and what nobody sees is left out at a terminal. */
export const intoStdout = (
  signal: AbortSignal,
  stdout: Writable & { isTTY?: boolean } = process.stdout,
): Target => {
  const target = intoStream(stdout, signal);
  if (stdout.isTTY !== true) return target;
  return { write: (chunk) => target.write(typeof chunk === 'string' ? withoutHidden(chunk) : chunk) };
};

/**
 * Lets `work` write a file, which gets its name only when it is complete. Until then it has a temporary name beside it,
 * and is removed if the work fails or the process ends. An existing file is then replaced, or stays as it was. Only the
 * owner may read the file, like everything exported from the log.
 * @throws {OperatorError} `file_unusable` if no such file can be created.
 */
export const intoFile = async (file: string, work: (target: Target) => Promise<void>): Promise<void> => {
  const whole = await realFile(file);
  const partial = `${whole}.${process.pid}.partial`;
  const handle = await open(partial, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = REFUSALS[error.code ?? ''];
    throw why === undefined
      ? error
      : new OperatorError('file_unusable', `${file} can't be written: ${why}`, { cause: error });
  });
  const removeAtExit = () => rmSync(partial, { force: true });
  process.once('exit', removeAtExit);
  try {
    try {
      await work({ write: (chunk) => handle.appendFile(chunk) });
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, whole);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    process.off('exit', removeAtExit);
  }
};

const REFUSALS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is no folder',
  EACCES: 'its folder may not be written to',
  EPERM: 'its folder may not be written to',
  EROFS: 'its folder can only be read',
};

/** The path of the file, with links resolved. @throws {OperatorError} `file_unusable` if it is no regular file. */
const realFile = async (file: string): Promise<string> => {
  const found = await stat(file).catch(() => null);
  if (found === null) return resolve(file);
  if (!found.isFile())
    throw new OperatorError(
      'file_unusable',
      `${file} is no regular file: name one, or one that is not there`,
    );
  return realpath(file);
};
