import { rmSync } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { OperatorError } from '../../kernel/errors/operator-error.ts';

/** A sink with backpressure: a write resolves when the next one fits, so that a writer holds one chunk at most. */
export interface Target {
  write(chunk: string | Uint8Array): Promise<void>;
}

/** A stream whose reader can be slower than the writer or stop reading: the signal ends the wait. */
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

/**
 * Lets `work` write a file, which has its name only when it is complete: until then it is beside it, under another,
 * and gone again if the work fails or the process ends. A file of that name is replaced, or as it was.
 * Only its owner may read it, as of all that leaves the log.
 * @throws {OperatorError} where no such file can be made.
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

/** The file itself where the name is a link; what is neither missing nor a regular file can't be replaced. */
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
