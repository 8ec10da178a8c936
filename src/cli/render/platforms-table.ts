import Table from 'cli-table3';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';

/** What `platforms list` tells of one platform. */
export const platformRow = (adapter: PlatformAdapter) => ({
  platform: adapter.platform,
  name: adapter.name,
  in_directory: adapter.inDirectory,
  handle_pattern: adapter.handlePattern,
  profile_url: adapter.profileUrlTemplate,
  surfaces: adapter.surfaces.map(({ name, format }) => ({ name, format })),
  hosts: adapter.hosts,
});

export const platformTable = (adapters: readonly PlatformAdapter[]): string => {
  const table = new Table({
    head: ['platform', 'in directory', 'surfaces, in order', 'profile', 'handle'],
    style: { head: [], border: [] },
  });
  for (const adapter of adapters) {
    table.push([
      adapter.platform,
      adapter.inDirectory ? 'yes' : 'no',
      adapter.surfaces.map(({ name }) => name).join(', '),
      adapter.profileUrlTemplate,
      adapter.handlePattern,
    ]);
  }
  return table.toString();
};
