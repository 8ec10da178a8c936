import { adapters } from '../../crawlers/platforms/registry.ts';
import { isInDirectory } from '../../platforms/index.ts';

export type PlatformDescription = ReturnType<typeof describePlatforms>[number];

/** The platforms: their surfaces, in order of preference, and the grammar of their handles. */
export const describePlatforms = () =>
  adapters.map((adapter) => ({
    platform: adapter.platform,
    name: adapter.name,
    in_directory: isInDirectory(adapter.platform),
    handle_pattern: adapter.handlePattern,
    profile_url: adapter.profileUrlTemplate,
    surfaces: adapter.surfaces.map(({ name, format }) => ({ name, format })),
    hosts: adapter.hosts,
  }));
