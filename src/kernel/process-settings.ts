import { enableCompileCache } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from './logger.ts';

/**
 * Folder of Node's compile cache, which halves the time to load the program. NODE_COMPILE_CACHE takes precedence; where
 * the folder can't be written, Node compiles every time.
 */
export const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** Uses the cache for what this process loads from now on. */
export const useCompileCache = (): void => {
  // Older versions of Node have none.
  enableCompileCache?.(COMPILE_CACHE);
};

/**
 * Settings of V8 for the heaps of this process, those of its threads included. `docs/benchmarks.md` has what each is worth.
 *
 * A heap exceeds what survived the last collection by half of it at most. V8 sizes heaps by the memory of the machine, and
 * keeps garbage for as long as that allows. There is no limit that a heap could run into.
 *
 * V8 allocates no objects in the old generation because earlier ones of the same code survived. In one crawler of four it took
 * objects of requests for such, since dozens are always under way: each then kept the text of its page alive, so that every
 * collection was one of the whole heap, for as long as the process ran.
 */
export const tuneHeap = (): void => {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-allocation-site-pretenuring');
};

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
