import type { SiteRequest } from './platforms/site.ts';
import type { Platform } from './simulated-platforms.ts';

const FORMS: Readonly<Record<Platform, readonly (readonly [name: string, host: RegExp, path: RegExp])[]>> = {
  x: [
    ['syndication', /^syndication\./, /./],
    ['graphql', /./, /\/graphql\/|^\/(i\/api|1\.1|2)\//],
  ],
  instagram: [['web_profile_info', /./, /^\/(api|graphql)\//]],
  tiktok: [
    ['embed', /./, /^\/embed\//],
    ['item_list', /./, /^\/api\//],
  ],
  youtube: [
    ['browse', /./, /^\/youtubei\//],
    ['feed', /./, /^\/feeds\//],
  ],
  telegram: [['preview', /./, /^\/s\//]],
  bluesky: [
    ['profile', /./, /getProfile/],
    ['feed', /./, /getAuthorFeed/],
    ['follows', /./, /getFollow/],
  ],
  linkedin: [['company', /./, /^\/company\//]],
};

/** The surface of a platform that a request is for; `page` unless it is another one. */
export const surfaceOf = (platform: Platform, request: Pick<SiteRequest, 'host' | 'path'>): string =>
  FORMS[platform].find(([, host, path]) => host.test(request.host) && path.test(request.path))?.[0] ?? 'page';

/** All surfaces by platform. */
export const surfacesOf = (platform: Platform): readonly string[] => [
  'page',
  ...FORMS[platform].map(([name]) => name),
];
