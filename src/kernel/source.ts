import type { Platform } from './platform.ts';

/** What an engine reads: a platform, or the feed of a marketplace. */
export type Source = Platform | 'marketplace';

/** The platform of a source; null for what is none. */
export const platformOfSource = (source: Source): Platform | null =>
  source === 'marketplace' ? null : source;
