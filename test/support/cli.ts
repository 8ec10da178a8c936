import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE = join(ROOT, 'node_modules/.bin/node');

/** Whether a process exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A running program and its output so far. */
export interface RunningProgram {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** Waits until its output matches, and returns the match. */
  says(pattern: RegExp, limitMs?: number): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. @returns the exit code; null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  ended: Promise<number | null>;
}

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A home of Sightline and its commands, as a user runs them. */
export interface TestHome {
  readonly home: string;
  start(args: readonly string[], env?: Record<string, string>): RunningProgram;
  run(args: readonly string[], env?: Record<string, string>): Promise<Finished>;
  /** Ends what still runs and removes the folder. */
  remove(): Promise<void>;
}

/**
 * @param user who runs the programs, if not the user who runs the tests.
 * @param program the command that they are run by: that of the sources by default.
 */
export const createTestHome = async (
  base: Record<string, string> = {},
  user: { readonly uid?: number; readonly gid?: number } = {},
  program: readonly [string, ...string[]] = [NODE, join(ROOT, 'src/cli/main.ts')],
): Promise<TestHome> => {
  const home = await mkdtemp(join(tmpdir(), 'sightline-e2e-'));
  if (user.uid !== undefined && user.gid !== undefined) await chown(home, user.uid, user.gid);
  // The user that Postgres runs as when root starts it needs access.
  await chmod(home, 0o755);
  const running = new Set<ChildProcess>();
  // Only the variables that a program needs: nothing else of the shell that runs the tests may leak in.
  const clean = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  };

  const start = (args: readonly string[], env: Record<string, string> = {}): RunningProgram => {
    const [command, ...first] = program;
    const child = spawn(command, [...first, ...args], {
      cwd: ROOT,
      env: { ...clean, SIGHTLINE_HOME: home, CONSOLE_PORT: '0', ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    running.add(child);
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', (code) => {
        running.delete(child);
        resolve(code);
      });
    });
    return {
      child,
      out: () => out,
      err: () => err,
      says: async (pattern, limitMs) =>
        until(
          `the program says ${pattern}`,
          () => {
            const match = pattern.exec(out) ?? pattern.exec(err);
            if (match === null && child.exitCode !== null) throw new Error(`it ended:\n${out}\n${err}`);
            return match;
          },
          limitMs,
        ),
      end: (signal) => {
        child.kill(signal);
        return ended;
      },
      ended,
    };
  };

  return {
    home,
    start,
    run: async (args, env) => {
      const program = start(args, env);
      const code = await program.ended;
      return { code, out: program.out(), err: program.err() };
    },
    remove: async () => {
      for (const child of running) child.kill('SIGKILL');
      await until('all programs have ended', () => running.size === 0);
      // A Postgres whose parent was killed may still be writing its files.
      await until('the folder is removed', () =>
        rm(home, { recursive: true, force: true }).then(
          () => true,
          () => false,
        ),
      );
    },
  };
};

/** A line of the welcome of the demo, which a newcomer pastes. */
export interface CurlLine {
  readonly key: string;
  readonly url: string;
  /** JSON that it posts; null if it gets. */
  readonly body: string | null;
}

export const curlLines = (text: string): readonly CurlLine[] =>
  [
    ...text.matchAll(
      /curl -s -H 'Authorization: Bearer (slk_\w+)'(?: -H 'Content-Type: application\/json' -d '([^']*)')? '(\S+)'/g,
    ),
  ].map(([, key = '', body, url = '']) => ({ key, url, body: body ?? null }));

/** Sends the request of the line. */
export const sendLine = ({ key, url, body }: CurlLine): Promise<Response> =>
  fetch(url, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === null ? {} : { method: 'POST', body }),
  });
