import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../kernel/config.ts';
import type { Logger } from '../../kernel/logger.ts';
import { apiProcessFile } from '../../kernel/postgres/embedded/home.ts';
import { COMPILE_CACHE } from '../../kernel/process-settings.ts';
import { commandOf, listenerOn, parentOf } from '../../kernel/processes.ts';

/** A process of the API. */
export interface ForkedApi {
  readonly child: ChildProcess;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
}

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

/** Remembers the process of a home's API. Several processes may serve an external database from one home. */
export const rememberApi = ({ SIGHTLINE_HOME, DATABASE_URL }: Home, pid: number): void => {
  if (DATABASE_URL !== undefined) return;
  writeFileSync(apiProcessFile(SIGHTLINE_HOME), String(pid), { mode: 0o600 });
};

/**
 * Ends the process of the API that a killed owner of the home has left. This process owns the home, so no other one may
 * serve it; only a process of the API of this very home is touched.
 * @param own the process of the API that this one has started.
 */
export const endOrphan = async (
  { SIGHTLINE_HOME: home, DATABASE_URL }: Home,
  own: number | undefined,
  logger: Logger,
): Promise<void> => {
  if (DATABASE_URL !== undefined) return;
  const pid = Number(await readFile(apiProcessFile(home), 'utf8').catch(() => ''));
  // The id may be that of the process that was just started.
  if (!(pid > 0) || pid === own || !(await isApi(pid, home))) return;
  logger.warn({ child_pid: pid }, 'a killed Sightline left a hanging API process behind; killing it');
  process.kill(pid, 'SIGKILL');
  for (let looks = 0; looks < LOOKS && (await isApi(pid, home)); looks++) await sleep(LOOK_MS);
};

/** Who has a port, and what to do about it; null if that can't be found out. */
export const describeListener = async (port: number): Promise<string | null> => {
  const pid = await listenerOn(port);
  const command = pid === null ? null : await commandOf(pid);
  if (pid === null || command === null) return null;
  const parent = await parentOf(pid);
  const isOrphan =
    command.includes(API_PROGRAM) && !/cli\/main\.|\bsightline\b/.test((await commandOf(parent ?? 0)) ?? '');
  const remedy = isOrphan ? `, which a killed Sightline has left: end it with kill -9 ${pid}` : '';
  return `process ${pid} (${command.slice(0, 200)})${remedy}`;
};

/** The program of the API. */
const API_PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));

/** A process of the API ends with its parent, unless it hangs or is stopped: then it keeps its port. */

type Home = Pick<Config, 'SIGHTLINE_HOME' | 'DATABASE_URL'>;

const isApi = async (pid: number, home = ''): Promise<boolean> =>
  (await commandOf(pid))?.endsWith(`${API_PROGRAM} ${home}`.trim()) === true;

const LOOK_MS = 20;
const LOOKS = 250;
