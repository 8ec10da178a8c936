import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

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
