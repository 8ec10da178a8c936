import { PLATFORMS, type Platform } from './platform.ts';

/** What engines read: the platforms, and the feed of a marketplace. An engine's key is the name of its source. */
export const SOURCES = [...PLATFORMS, 'marketplace'] as const;

export type Source = (typeof SOURCES)[number];

/** The platform of a source; null for what is none. */
export const platformOfSource = (source: Source): Platform | null =>
  source === 'marketplace' ? null : source;

export const isSource = (name: string): name is Source => (SOURCES as readonly string[]).includes(name);
