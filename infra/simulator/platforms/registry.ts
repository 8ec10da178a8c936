import type { Platform } from '../simulated-platforms.ts';
import { bluesky } from './bluesky/site.ts';
import { instagram } from './instagram/site.ts';
import { linkedin } from './linkedin/site.ts';
import type { Site } from './site.ts';
import { telegram } from './telegram/site.ts';
import { tiktok } from './tiktok/site.ts';
import { x } from './x/site.ts';
import { youtube } from './youtube/site.ts';

export const SITES: Readonly<Record<Platform, Site>> = {
  x,
  instagram,
  tiktok,
  youtube,
  telegram,
  bluesky,
  linkedin,
};

const exact = new Map(
  Object.values(SITES).flatMap((site) => site.hosts.map((host) => [host, site] as const)),
);
const below = Object.values(SITES).flatMap((site) =>
  site.hosts.filter((host) => host.startsWith('.')).map((host) => [host, site] as const),
);

/** The site of a host; null if no platform has it. */
export const siteOf = (host: string): Site | null =>
  exact.get(host) ?? below.find(([suffix]) => host.endsWith(suffix))?.[1] ?? null;
