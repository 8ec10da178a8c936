import Table from 'cli-table3';
import type { PlatformDescription } from '../../operations/crawl/platforms.ts';

export const platformTable = (platforms: readonly PlatformDescription[]): string => {
  const table = new Table({
    head: ['platform', 'in directory', 'surfaces, in order', 'profile', 'handle'],
    style: { head: [], border: [] },
  });
  for (const platform of platforms) {
    table.push([
      platform.platform,
      platform.in_directory ? 'yes' : 'no',
      platform.surfaces.map(({ name }) => name).join(', '),
      platform.profile_url,
      platform.handle_pattern,
    ]);
  }
  return table.toString();
};
