import { fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Types are stripped once, not in every process: the stripper alone takes tens of megabytes. */
const COMPILED = join(tmpdir(), 'sightline-bench-compiled');

/** What `npm start`, `npm run demo` and the image start Node with. */
export const PROGRAM_FLAGS: readonly string[] = ['--max-semi-space-size=16'];

/** A process of its own that answers questions. */
export interface Child {
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

interface Reply {
  readonly answer?: unknown;
  readonly error?: string;
}

/** Starts a script that calls `serve`. Its standard output goes to standard error: results are printed by the parent. */
export const startChild = (
  script: URL,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Child => {
  const child = fork(fileURLToPath(script), [...args], {
    execArgv: [...execArgv],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...environment },
    stdio: ['ignore', 2, 2, 'ipc'],
    serialization: 'advanced',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    ask: <Answer>(question: unknown) =>
      new Promise<Answer>((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`${script.pathname} ended with ${code}`));
        child.once('exit', onExit);
        child.once('message', (reply: Reply) => {
          child.off('exit', onExit);
          if (reply.error === undefined) resolve(reply.answer as Answer);
          else reject(new Error(reply.error));
        });
        child.send(question as object);
      }),
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};

/** The child's side: answers one question after the other until the parent lets go of it. */
export const serve = <Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
  close: () => Promise<void> = async () => undefined,
): void => {
  process.on('message', (question: Question) => {
    answer(question).then(
      (given) => process.send?.({ answer: given }),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) }),
    );
  });
  process.once('disconnect', () => {
    close().finally(() => process.exit());
  });
};

/** Peak memory of this process so far, in MB. */
export const peakMb = (): number => process.resourceUsage().maxRSS / 1024;
