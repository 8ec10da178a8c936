import { getPriority, setPriority } from 'node:os';
import type { Logger } from './logger.ts';

/** Niceness of background work: responses get the processor first. */
const BACKGROUND = 10;

/** The niceness with which this process was started. */
const STARTED_WITH = getPriority();

/** Lowers the priority of this process, unless it is low already. Children that it starts inherit it. */
export const runInBackground = (): void => {
  // Every system allows lowering it; raising it, few.
  if (getPriority() < BACKGROUND) setPriority(0, BACKGROUND);
};

/** Undoes the inheritance for a child; systems allow that to root and to `CAP_SYS_NICE` only. */
export const runInForeground = (pid: number | undefined, logger: Logger): void => {
  if (pid === undefined || getPriority() === STARTED_WITH) return;
  try {
    setPriority(pid, STARTED_WITH);
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    // The child may have ended already.
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ESRCH') throw error;
    logger.debug({ pid, code }, 'a process keeps the low priority of its parent');
  }
};
