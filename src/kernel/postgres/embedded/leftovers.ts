import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, commandOf } from '../../processes.ts';

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/**
 * Cleans up after a killed owner: ends an orphaned server of this data folder, or removes a stale pid file. Only a
 * Postgres process of this very folder is touched, and its children.
 */
export const clearLeftovers = async (data: string): Promise<void> => {
  const pidFile = join(data, 'postmaster.pid');
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const text = await readFile(pidFile, 'utf8').catch(() => null);
    if (text === null) return;
    const pid = Number(text.split('\n')[0]);
    const isOurs = async () => {
      const command = await commandOf(pid);
      return command?.includes('postgres') === true && command.includes(data);
    };
    if (!(await isOurs())) {
      await rm(pidFile, { force: true });
      return;
    }
    const children = await childrenOf(pid);
    send(pid, signal);
    // Backends of a killed server would keep its shared memory, without which no other one starts.
    if (signal === 'SIGKILL') for (const child of children) send(child, signal);
    // A process that is stopped gets no other signal.
    for (const stopped of [pid, ...children]) send(stopped, 'SIGCONT');
    for (let i = 0; i < 100 && (await isOurs()); i++) await sleep(100);
  }
};
