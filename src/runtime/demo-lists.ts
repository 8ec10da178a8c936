import { FOLLOW_DIRECTIONS, parseListOwners, readFollowLists } from '../operations/crawl/read-follows.ts';
import { openHttp, openRegistry } from './crawler-http.ts';
import type { Runtime } from './open-runtime.ts';

/** Reads the follower lists of some accounts, `platform:handle`, so that the follower graph has data. */
export const readDemoLists = async (
  runtime: Runtime,
  names: readonly string[],
  stop: AbortSignal,
): Promise<void> => {
  const registry = openRegistry(runtime.config);
  const http = await openHttp(runtime, registry);
  const owners = parseListOwners(registry, names);
  try {
    for (const direction of FOLLOW_DIRECTIONS) {
      const options = { direction, http, signal: stop, onProgress: () => undefined };
      for await (const { platform, handle, reading, account } of readFollowLists(runtime, owners, options)) {
        if (account === null && ['done', 'capped'].includes(reading?.end.status ?? '')) continue;
        if (!stop.aborted) {
          runtime.logger.warn(
            { platform, handle, direction, reading, account },
            'a follower list was not read',
          );
        }
      }
    }
  } finally {
    await http.close();
  }
};
