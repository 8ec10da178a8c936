import { type ChildProcess, fork } from 'node:child_process';
import { COMPILE_CACHE } from '../../kernel/compile-cache.ts';

/** A process of the API. */
export interface ForkedApi {
  readonly child: ChildProcess;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
}

const PROGRAM = new URL('./main.ts', import.meta.url);

/** Starts the program of the API, which loads its modules and then waits for the message `start`. */
export const forkApi = (): ForkedApi => {
  const child = fork(PROGRAM, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return { child, ended };
};
