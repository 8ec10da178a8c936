import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../kernel/process-settings.ts';

/** A process of the API. */
export interface ForkedApi {
  readonly child: ChildProcess;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
}

/** The program of the API. */
export const API_PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * Starts the program of the API, which loads its modules and then waits for the message `start`.
 * @param home shown in its command line, by which a process that was left behind is recognized.
 */
export const forkApi = (home: string): ForkedApi => {
  const child = fork(API_PROGRAM, [home], {
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
