/** Settings of this process: compile cache, heap and priority. */

import { enableCompileCache } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from './logger.ts';

/**
 * Folder of Node's compile cache, which halves the time to load the program. NODE_COMPILE_CACHE takes precedence. Where the folder
 * can't be written, Node compiles each time.
 */
export const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** Uses the cache for all modules that this process loads from now on. */
export const useCompileCache = (): void => {
  // Older versions of Node have no compile cache.
  enableCompileCache?.(COMPILE_CACHE);
};

/**
 * Sets V8 options for the heaps of this process and its threads. `npm run bench:crawl` measures them.
 *
 * A heap grows by at most half of what survived the last collection. By default V8 sizes heaps by the memory of the machine, and
 * keeps garbage for as long as that allows. There is no hard limit.
 *
 * V8 does not allocate objects in the old generation because earlier objects of the same code survived. In one crawler of four it
 * did so for the objects of requests, since dozens are always in flight. Each then kept the text of its page alive, so that every
 * collection was a full one for as long as the process ran.
 */
export const tuneHeap = (): void => {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-allocation-site-pretenuring');
};

/** Niceness of background work: responses get the processor first. */
const BACKGROUND = 10;

/** The niceness that this process was started with. */
const STARTED_WITH = getPriority();

/** Lowers the priority of this process, unless it is low already. Children that it starts inherit the priority. */
export const runInBackground = (): void => {
  // Every system allows a process to lower its priority; few allow it to raise it.
  if (getPriority() < BACKGROUND) setPriority(0, BACKGROUND);
};

/** Restores the original priority for a child. Systems allow this to root and with `CAP_SYS_NICE` only. */
export const runInForeground = (pid: number | undefined, logger: Logger): void => {
  if (pid === undefined || getPriority() === STARTED_WITH) return;
  try {
    setPriority(pid, STARTED_WITH);
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    // The child may have ended already.
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ESRCH') throw error;
    logger.debug(
      { child_pid: pid, code },
      'the priority of a process could not be raised; it keeps the low priority of its parent',
    );
  }
};
