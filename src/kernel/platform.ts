import { z } from 'zod';
import { PLATFORMS } from './platform-names.ts';

export { PLATFORMS };

export const platformSchema = z.enum(PLATFORMS);

export type Platform = z.infer<typeof platformSchema>;

/** Number of platforms when versions of builds began to count them. */
const FIRST_PLATFORMS = 7;

/**
 * The version of a view that has tables or partitions for each platform. It counts the platforms that were added since, so that a
 * new platform makes a new version, whose build has partitions for all of them.
 * @param version the view's own version, incremented when its tables or handlers change.
 */
export const versionPerPlatform = (version: number): number => version + PLATFORMS.length - FIRST_PLATFORMS;

/** The sources that engines read: the platforms, and the feed of a marketplace. The key of an engine is the name of its source. */
export const SOURCES = [...PLATFORMS, 'marketplace'] as const;

export type Source = (typeof SOURCES)[number];

/** The platform of a source; null for a marketplace. */
export const platformOfSource = (source: Source): Platform | null =>
  source === 'marketplace' ? null : source;

export const isSource = (name: string): name is Source => (SOURCES as readonly string[]).includes(name);
