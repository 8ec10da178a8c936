import { z } from 'zod';
import { PLATFORMS } from './platform-names.ts';

export { PLATFORMS };

export const platformSchema = z.enum(PLATFORMS);

export type Platform = z.infer<typeof platformSchema>;

/** Platforms of the directory. LinkedIn's people and companies have endpoints of their own instead. */
export const DIRECTORY_PLATFORMS = PLATFORMS.filter((platform) => platform !== 'linkedin');

export const isInDirectory = (platform: Platform): boolean =>
  (DIRECTORY_PLATFORMS as readonly Platform[]).includes(platform);

/** Platforms when versions of builds began to count them. */
const FIRST_PLATFORMS = 7;

/**
 * Version of what has tables or partitions for each platform: it counts the platforms that were added since, so that a
 * build made before has another version, and one with partitions for all of them replaces it.
 * @param version of its own; incremented with its tables and handlers.
 */
export const versionPerPlatform = (version: number): number => version + PLATFORMS.length - FIRST_PLATFORMS;
