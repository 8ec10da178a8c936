import { youtube as grammar } from '../../../platforms/youtube.ts';
import type { PlatformAdapter } from '../adapter.ts';
import { feed } from './feed.ts';
import { browse, resolveIndirectUrl, resolveUrl } from './innertube-requests.ts';
import { page } from './page.ts';
import { read } from './read-surfaces.ts';

export const youtube: PlatformAdapter = {
  hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'consent.youtube.com'],
  ...grammar,
  probes: ['youtube', 'nasa', 'kurzgesagt'],
  surfaces: [page, browse, resolveUrl, feed],
  read,
  resolveUrl: resolveIndirectUrl,
};
