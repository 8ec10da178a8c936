import type { Platform } from '../../kernel/platform.ts';
import {
  FOLLOW_DIRECTIONS,
  type FollowsResult,
  parseListOwners,
  readFollowLists,
} from '../../operations/crawl/read-follows.ts';
import { FOLLOWS_PLATFORMS } from '../../platforms/index.ts';
import { openHttp, openRegistry } from '../crawler-http.ts';
import type { Runtime } from '../open-runtime.ts';

/** The largest accounts of each, of whose lists the demo reads a part. */
const LARGE = 3;
/** The smallest seeds of each, whose lists it reads whole: two audiences can be compared. */
const SMALL = 2;

/**
 * The accounts whose lists the demo reads, `platform:handle`.
 * @param first the account of X that the welcome shows.
 */
export const listOwnersOf = (
  seeds: Readonly<Partial<Record<Platform, readonly string[]>>>,
  first: string,
): readonly string[] => [
  ...new Set([
    `x:${first}`,
    ...FOLLOWS_PLATFORMS.flatMap((platform) => {
      const own = seeds[platform] ?? [];
      return [...own.slice(-SMALL), ...own.slice(0, LARGE)].map((handle) => `${platform}:${handle}`);
    }),
  ]),
];

/** What the reading of lists reports. */
export interface ListProgress {
  /** Members of a list were recorded. */
  onMembers(): void;
  /** A list was read to its end or cap. */
  onList(list: FollowsResult, members: number): void;
}

/** Reads the follower lists of some accounts, so that the follower graph has data. */
export const readDemoLists = async (
  runtime: Runtime,
  names: readonly string[],
  stop: AbortSignal,
  { onMembers, onList }: ListProgress,
): Promise<void> => {
  const registry = openRegistry(runtime.config);
  const http = await openHttp(runtime, registry);
  const owners = parseListOwners(registry, names);
  try {
    for (const direction of FOLLOW_DIRECTIONS) {
      const options = { direction, http, signal: stop, onProgress: onMembers };
      for await (const result of readFollowLists(runtime, owners, options)) {
        const { platform, handle, reading, account } = result;
        if (account === null && ['done', 'capped'].includes(reading?.end.status ?? '')) {
          onList(result, reading?.members ?? 0);
        } else if (!stop.aborted) {
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
