import { z } from 'zod';
import { PLATFORMS } from './platform-names.ts';

export { PLATFORMS };

export const platformSchema = z.enum(PLATFORMS);

export type Platform = z.infer<typeof platformSchema>;

/** Platforms when versions of builds began to count them. */
const FIRST_PLATFORMS = 7;

/**
 * Version of what has tables or partitions for each platform: it counts the platforms that were added since, so that a
 * build made before has another version, and one with partitions for all of them replaces it.
 * @param version of its own; incremented with its tables and handlers.
 */
export const versionPerPlatform = (version: number): number => version + PLATFORMS.length - FIRST_PLATFORMS;

/** What engines read: the platforms, and the feed of a marketplace. An engine's key is the name of its source. */
export const SOURCES = [...PLATFORMS, 'marketplace'] as const;

export type Source = (typeof SOURCES)[number];

/** The platform of a source; null for what is none. */
export const platformOfSource = (source: Source): Platform | null =>
  source === 'marketplace' ? null : source;

export const isSource = (name: string): name is Source => (SOURCES as readonly string[]).includes(name);
