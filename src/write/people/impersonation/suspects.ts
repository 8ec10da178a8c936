import type { Platform } from '../../../kernel/platform.ts';
import { comparableHandle, DIRECTORY_PLATFORMS, descriptorOf } from '../../../platforms/index.ts';

/** Accounts with one name that are compared; of a name with more bearers any so many. */
export const MAX_NAMESAKES = 200;

export interface PlatformHandle {
  readonly platform: Platform;
  readonly handle: string;
}

/** Accounts of the directory's other platforms that have the handle of one. */
export const sameHandleElsewhere = (platform: Platform, handle: string): readonly PlatformHandle[] => {
  const name = comparableHandle(platform, handle);
  return name === null
    ? []
    : DIRECTORY_PLATFORMS.filter((other) => other !== platform).map((other) => ({
        platform: other,
        handle: `${name}${descriptorOf(other).sharedEnd ?? ''}`,
      }));
};
