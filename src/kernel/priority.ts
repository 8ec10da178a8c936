import { setPriority } from 'node:os';
import type { Logger } from './logger.ts';

/** Niceness of background work: responses get the processor first. */
const BACKGROUND = 10;
const NORMAL = 0;

/** Lowers the priority of this process, which every system allows. Children that it starts inherit it. */
export const runInBackground = (): void => setPriority(0, BACKGROUND);

/** Undoes the inheritance for a child; systems allow that to root and to `CAP_SYS_NICE` only. */
export const runInForeground = (pid: number | undefined, logger: Logger): void => {
  if (pid === undefined) return;
  try {
    setPriority(pid, NORMAL);
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    // The child may have ended already.
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ESRCH') throw error;
    logger.debug({ pid, code }, 'a process keeps the low priority of its parent');
  }
};
