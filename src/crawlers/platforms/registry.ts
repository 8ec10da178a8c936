import { systemClock } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { PlatformAdapter } from './adapter.ts';
import { bluesky } from './bluesky/index.ts';
import { instagram } from './instagram/index.ts';
import { linkedin } from './linkedin/index.ts';
import type { SessionRests } from './session-rests.ts';
import { telegram } from './telegram/index.ts';
import { tiktok } from './tiktok/index.ts';
import { createX, type XSettings } from './x/index.ts';
import { youtube } from './youtube/index.ts';

/** Optional settings that let adapters see more. */
export interface RegistrySettings {
  readonly x?: XSettings;
  /** Rests of sessions; those of this process by default. */
  readonly sessionRests?: SessionRests;
}

export interface Registry {
  /** In the order in which platforms are listed everywhere. */
  readonly adapters: readonly PlatformAdapter[];
  adapterOf(platform: Platform): PlatformAdapter;
  hostsOf(platform: Platform): readonly string[];
}

/** All platforms, one line each. */
export const createRegistry = (settings: RegistrySettings = {}): Registry => {
  const byPlatform: Readonly<Record<Platform, PlatformAdapter>> = {
    x: createX(settings.x, systemClock, settings.sessionRests),
    instagram,
    tiktok,
    youtube,
    telegram,
    bluesky,
    linkedin,
  };
  return {
    adapters: Object.values(byPlatform),
    adapterOf: (platform) => byPlatform[platform],
    hostsOf: (platform) => byPlatform[platform].hosts,
  };
};

/** The adapters without settings: enough to parse, and to read without sessions. */
export const { adapters, adapterOf } = createRegistry();
