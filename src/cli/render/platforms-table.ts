import type { PlatformDescription } from '../../operations/crawl/platforms.ts';
import { renderTable } from './table.ts';

export const platformTable = (platforms: readonly PlatformDescription[]): string =>
  renderTable(
    [{ head: 'platform', keep: true }, 'directory', 'surfaces, in order', 'profile', 'handle'],
    platforms.map((platform) => [
      platform.platform,
      platform.in_directory ? 'yes' : 'no',
      platform.surfaces.map(({ name }) => name).join(', '),
      platform.profile_url.replace(/^https:\/\/(?:www\.)?/, ''),
      platform.handle_pattern,
    ]),
  );
