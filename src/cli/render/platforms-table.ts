import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import { renderTable } from './table.ts';

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

export const platformTable = (adapters: readonly PlatformAdapter[]): string =>
  renderTable(
    [{ head: 'platform', keep: true }, 'directory', 'surfaces, in order', 'profile', 'handle'],
    adapters.map((adapter) => [
      adapter.platform,
      adapter.inDirectory ? 'yes' : 'no',
      adapter.surfaces.map(({ name }) => name).join(', '),
      adapter.profileUrlTemplate.replace(/^https:\/\/(?:www\.)?/, ''),
      adapter.handlePattern,
    ]),
  );
