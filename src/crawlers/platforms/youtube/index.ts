import type { PlatformAdapter } from '../adapter.ts';
import { feed } from './feed.ts';
import { addressOf, HANDLE, isBareId, parseHandle, parseId, profileUrl } from './handle.ts';
import { browse, resolveUrl } from './innertube-requests.ts';
import { page } from './page.ts';
import { read } from './read-surfaces.ts';

export const youtube: PlatformAdapter = {
  platform: 'youtube',
  name: 'YouTube',
  inDirectory: true,
  hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'consent.youtube.com'],
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.youtube.com/@{handle}',
  probes: ['youtube', 'nasa', 'kurzgesagt'],
  parseHandle,
  parseId,
  isBareId,
  profileUrl,
  addressOf,
  surfaces: [page, browse, resolveUrl, feed],
  read,
};
