import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { PlatformAdapter } from './adapter.ts';
import { bluesky } from './bluesky/index.ts';
import { instagram } from './instagram/index.ts';
import { linkedin } from './linkedin/index.ts';
import { withConfirmation } from './shared/confirmation.ts';
import { withRendering } from './shared/rendered-reading.ts';
import { type Erasures, withoutErased } from './shared/without-erased.ts';
import { telegram } from './telegram/index.ts';
import { tiktok } from './tiktok/index.ts';
import type { XOperations } from './x/graphql.ts';
import { createX } from './x/index.ts';
import { youtube } from './youtube/index.ts';

export interface Registry {
  /** In the order in which platforms are listed everywhere. */
  readonly adapters: readonly PlatformAdapter[];
  adapterOf(platform: Platform): PlatformAdapter;
  /** The adapter that reads refused accounts as well: for those alone who prove that an account is theirs. */
  unfencedOf(platform: Platform): PlatformAdapter;
  hostsOf(platform: Platform): readonly string[];
}

/** All platforms, one line each. */
export const createRegistry = (settings: RegistrySettings = {}): Registry => {
  const byPlatform: Record<Platform, PlatformAdapter> = {
    x: createX(settings.xOperations),
    instagram,
    tiktok,
    youtube,
    telegram,
    bluesky,
    linkedin,
  };
  for (const platform of settings.rendered ?? []) byPlatform[platform] = withRendering(byPlatform[platform]);
  for (const platform of PLATFORMS) byPlatform[platform] = withConfirmation(byPlatform[platform]);
  const unfenced = { ...byPlatform };
  const { erasures } = settings;
  if (erasures !== undefined)
    for (const platform of PLATFORMS) byPlatform[platform] = withoutErased(byPlatform[platform], erasures);
  return {
    adapters: Object.values(byPlatform),
    adapterOf: (platform) => byPlatform[platform],
    unfencedOf: (platform) => unfenced[platform],
    hostsOf: (platform) => byPlatform[platform].hosts,
  };
};

/** The adapters without settings: enough to parse. */
export const { adapters, adapterOf } = createRegistry();

/** Optional settings of adapters. */
interface RegistrySettings {
  /** Query IDs and names of X's GraphQL operations. */
  readonly xOperations?: XOperations;
  /** Platforms whose pages a browser renders where they show nothing without one; none by default. */
  readonly rendered?: readonly Platform[];
  /** None by default. */
  readonly erasures?: Erasures;
}
